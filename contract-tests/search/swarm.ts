/** What a case may do: each leaves kinds of steps out, and does the others more or less often. */
import type { Move } from './draw.ts'
import type { Random } from './random.ts'

/** The make-up of a case. */
export interface Swarm {
  /** The weight of each move; 0: it is left out. */
  readonly weights: ReadonlyMap<string, number>
  /** Most repetitions within a move. */
  readonly often: number
  /** How many moves there are. */
  readonly length: number
  /** Whether something is done while a run is awaited. */
  readonly idles: boolean
  /** The chance that a move is made by the second organization. */
  readonly other: number
}

/** The chance that a case leaves a move out. */
const leftOut = 0.6

/** Draws a make-up, or changes one that led to something new. */
export function drawSwarm(moves: readonly Move[], random: Random, before?: Swarm): Swarm {
  const weights = new Map(
    moves.map(({ id, weight }) => {
      const known = before && random.chance(0.85) ? before.weights.get(id) : undefined
      const drawn = random.chance(leftOut) ? 0 : weight * (0.3 + random.below(20) / 10)
      return [id, known ?? drawn] as const
    }),
  )
  return {
    weights,
    often: random.pick([1, 2, 2, 3, 4, 6, 8]) ?? 2,
    idles: random.chance(0.7),
    length: 2 + random.below(7),
    other: random.pick([0, 0.1, 0.4]) ?? 0,
  }
}
