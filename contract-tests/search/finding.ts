/** What the search found. */
import type { Exchange } from '#traffic/exchange.ts'
import type { ModelViolation } from '../model/index.ts'
import type { Step } from './step.ts'

export interface Finding {
  readonly violation: ModelViolation
  /** Whether it was seen more than once. */
  readonly confirmed: boolean
  /**
   * How: its shrunk history showed it twice in a fresh context; the same was read again, twice; or not at all. The time
   * was over before it could be tried again; or before it was known whether it is more than late (`suspected`).
   */
  readonly how: 'replayed' | 'read again' | 'once' | 'untried' | 'suspected'
  /** How often replays showed it. */
  readonly times: number
  /** It did not show in an organization that nobody had used, so what was there before matters. */
  readonly isHere?: boolean
  /** The shrunk history. */
  readonly steps: readonly Step[]
  /** Requests that were sent to shrink and confirm it. */
  readonly requests: number
  /** The exchanges of the history, the last one contradicting; where it was not replayed, those that contradict each other. */
  readonly evidence: readonly Exchange[]
  /** What was possible before the last step, in words. */
  readonly before: readonly string[]
  /** The same for each of the steps, as their last replay had it or, if none showed the violation, the first time. */
  readonly before_steps: readonly (readonly string[])[]
  /** What shows that somebody else uses the organization; undefined: nothing. */
  readonly disturbed: string | undefined
}
