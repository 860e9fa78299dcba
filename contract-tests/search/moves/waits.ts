/** Nothing happens for a while. */
import type { Move } from '../draw.ts'

export const waits: readonly Move[] = [
  { id: 'a moment', weight: 0.5, draw: (d) => [d.wait(50 + d.random.below(300))] },
  { id: 'a while', weight: 0.08, draw: (d) => [d.wait(1_000 + d.random.below(2_500))] },
]
