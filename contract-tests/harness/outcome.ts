/** The result of a run of the suite, with the result of each requirement. */
import type { Variant } from '#contract/route.ts'
import type { Outcome } from '#reporting/outcome.ts'
import type { Exchange } from '#traffic/exchange.ts'
import type { Secret } from '#traffic/redaction.ts'
import type { Disturbances } from '../client/recorder.ts'
import type { ModelEvent } from '../model/event.ts'
import type { Requirement } from './requirement.ts'
import type { Shard } from './terms.ts'

/** how a requirement was tested: from what happened anyway, from what was brought about, or in an arranged state. */
export type How = 'observed' | 'induced' | 'state'

/** What one requirement came to. */
export interface RequirementResult {
  readonly requirement: Requirement
  readonly outcome: Outcome
  readonly how: How
  /** Why the outcome is neither a plain pass nor a plain failure. */
  readonly reason?: string
  /** What the operator can supply to have it exercised. */
  readonly supply?: string
  readonly expected?: string
  readonly actual?: string
  /** The difference, if a number is wrong. */
  readonly delta?: number | undefined
  /** The balances that were compared. */
  readonly balances?: { readonly before: number; readonly after: number } | undefined
  /** A violation that counts only if it is seen alone. */
  readonly tentative?: boolean
  /** The exchanges that show it. */
  readonly evidence: readonly Exchange[]
  /** How long the check took, with evidence that it was the first to need, ms; undefined: it made no requests. */
  readonly duration_ms?: number
  /** The stack of an error in the suite itself. */
  readonly stack?: string
}

/** A flag that selects requirements so narrowly that reports leave out the others. */
export type SelectingFlag = '--only' | '--explore-only'

/** A run of the suite. Times: `started_at` ISO 8601, durations ms. */
export interface SuiteRun {
  readonly baseUrl: string
  readonly runId: string
  /** The part of the catalogue that was tested; undefined: all of it. */
  readonly shard?: Shard | undefined
  readonly started_at: string
  readonly duration_ms: number
  readonly variant: Variant | 'mixed' | 'unknown'
  readonly extended: 'offered' | 'partly' | 'absent' | 'unknown'
  readonly credits: { readonly limit: number; readonly spent: number }
  readonly requests: number
  readonly disturbances: Readonly<Disturbances>
  readonly results: readonly RequirementResult[]
  /** How many requirements each flag left out of the results of a concluded run. */
  readonly notSelected?: readonly { readonly flag: SelectingFlag; readonly count: number }[]
  /** Everything that was sent, as the model judges it. */
  readonly history: readonly ModelEvent[]
  /** What was answered, with headers and bodies; undefined: not known. */
  readonly exchanges?: readonly Exchange[]
  /** They are entries of a recording, and their numbers its places. */
  readonly isRecorded?: boolean
  /** The names of the shared evidence that checks took. */
  readonly evidence?: readonly string[]
  readonly created: readonly { readonly operation: string; readonly id: string }[]
  /** Secrets that the service returned in the run; they must not appear in reports. */
  readonly secrets: readonly Secret[]
  /** Ids of created keys that could not be deleted. */
  readonly left: readonly string[]
  /** What keeps the run from being complete, in sentences. */
  readonly gaps?: readonly string[]
  /** Errors in the suite itself, outside of any requirement. */
  readonly harnessErrors?: readonly string[]
  /** Why the service became unreachable; undefined: it answered to the end. */
  readonly unreachable?: string
}

/** Whether a requirement was exercised. */
export function wasExercised({ outcome }: RequirementResult): boolean {
  return ['passed', 'failed', 'warned', 'expected_failure'].includes(outcome)
}

/** The results with one of these outcomes. */
export function resultsOf(run: SuiteRun, ...wanted: Outcome[]): RequirementResult[] {
  return run.results.filter(({ outcome }) => wanted.includes(outcome))
}
