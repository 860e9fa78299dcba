/** What the search found. */
import type { Exchange } from '#traffic/exchange.ts'
import type { ModelViolation } from '../model/index.ts'
import type { Step } from './step.ts'

export interface Finding {
  readonly violation: ModelViolation
  /** Whether the shrunk history showed it twice; otherwise it was seen once. */
  readonly confirmed: boolean
  /** The shrunk history. */
  readonly steps: readonly Step[]
  /** Requests that were sent to shrink and confirm it. */
  readonly requests: number
  /** The exchanges of the history, the last one contradicting; where it was seen once, those that contradict each other. */
  readonly evidence: readonly Exchange[]
  /** What was possible before the last step, in words. */
  readonly before: readonly string[]
  /** What shows that somebody else uses the organization; undefined: nothing. */
  readonly disturbed: string | undefined
}
