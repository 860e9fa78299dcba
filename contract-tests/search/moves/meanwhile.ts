/** Anything else, while a run goes on. */
import type { Move } from '../draw.ts'
import { fails, run, taskToRun } from './runs.ts'

/** A run, and what any of these moves does before its end is awaited. */
export const meanwhile = (others: readonly Move[]): readonly Move[] => [
  {
    id: 'something else during a run',
    weight: 2,
    draw(d) {
      const { of, first } = taskToRun(d)
      const steps = Array.from({ length: d.times(2) }, () => d.random.pick(others)?.draw(d) ?? [])
      return d.thenSettled([
        ...first,
        d.call('whoami'),
        ...fails(d, 0.5),
        run(d, of),
        ...steps.flat(),
        d.end(of),
      ])
    },
  },
]
