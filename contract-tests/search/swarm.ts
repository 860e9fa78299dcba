/** What a case may do: each leaves kinds of step out, and does the others more or less often. */
import type { LaneKind } from './moves/index.ts'
import { waits } from './moves/waits.ts'
import type { Random } from './random.ts'

/** The make-up of a case. */
export interface Swarm {
  /** The weight of each move; 0: it is left out. */
  readonly weights: ReadonlyMap<string, number>
  /** Most repetitions within a move. */
  readonly often: number
  /** How many moves there are. */
  readonly length: number
  /** Whether paid work is made to fail. */
  readonly fails: boolean
  /** The chance that a move is made by the second organization. */
  readonly other: number
  /** The chance that a move is made between two looks at something else. */
  readonly watches: number
}

/** The chance that a case leaves out a move of its subjects. */
const leftOut = 0.25
/** The chance that a move keeps its weight where a make-up is varied. */
const kept = 0.85

/** Draws a make-up about some subjects, or varies one that led to something new. */
export function drawSwarm({ main, subjects, paid }: LaneKind, random: Random, before?: Swarm): Swarm {
  const others = Array.from({ length: random.below(3) }, () => random.pick(subjects))
  const chosen = new Set([random.pick(main), ...others])
  const weights = [...new Set(subjects)].flatMap((moves) =>
    moves.map(({ id, weight }) => {
      const known = before && random.chance(kept) ? before.weights.get(id) : undefined
      const isOut = !chosen.has(moves) || random.chance(leftOut)
      const drawn = isOut ? 0 : weight * (0.3 + random.below(20) / 10)
      return [id, known ?? drawn] as const
    }),
  )
  const pauses = waits.map(({ id, weight }) => [id, random.chance(0.5) ? 0 : weight] as const)
  return {
    weights: new Map([...weights, ...pauses]),
    often: random.pick([1, 2, 2, 3, 4, 6, 8]) ?? 2,
    length: 2 + random.below(paid ? 9 : 7),
    fails: random.chance(0.75),
    other: random.pick([0, 0.1, 0.4]) ?? 0,
    watches: random.pick([0, 0.3, 0.7]) ?? 0,
  }
}
