/** The result of a run of the suite, with the result of each requirement. */
import type { Variant } from '#contract/route.ts'
import type { Outcome } from '#reporting/outcome.ts'
import type { Exchange } from '#traffic/exchange.ts'
import type { NamedSecret } from '#traffic/redaction.ts'
import type { ComparedBalances } from '../client/check-errors.ts'
import type { DeliveryProblemCounts } from '../client/recorder.ts'
import type { ModelEvent } from '../model/event.ts'
import type { Requirement } from './requirement.ts'
import type { UsedFixtureNames } from './run-state.ts'

/**
 * Where the evidence for a requirement comes from: traffic that other checks send anyway (`observed`), requests of its
 * own check (`induced`), or a provider state (`state`).
 */
export type EvidenceSource = 'observed' | 'induced' | 'state'

/** The result of one requirement: its outcome with reason, evidence, and expected and actual values. */
export interface RequirementResult {
  readonly requirement: Requirement
  readonly outcome: Outcome
  readonly how: EvidenceSource
  /** The reason why the outcome is neither a plain pass nor a plain failure. */
  readonly reason?: string
  /** The flag that left the requirement out of the run, if reports leave it out, too. */
  readonly unselectedBy?: SelectingFlag | undefined
  /**
   * The fault of the operator's endpoint for provider states. `mayBeOthers`: another client may be the cause instead.
   */
  readonly providerFault?: { readonly fault: string; readonly mayBeOthers: boolean }
  /** The answer that kept the requirement from being exercised, in a few words. */
  readonly answer?: string | undefined
  /** Input that the operator can supply to have it exercised. */
  readonly supply?: string
  readonly expected?: string
  readonly actual?: string
  /** By how much a number is wrong. */
  readonly delta?: number | undefined
  /** The balances that were compared. */
  readonly balances?: ComparedBalances | undefined
  /** True if the violation counts only if the check, repeated alone, finds it again. */
  readonly tentative?: boolean
  /** True for a suspected violation that other clients, whose activity was observed or declared, may have caused. */
  readonly others?: boolean
  /**
   * The exchanges that show the result, with those that they depend on, such as the creation of a key that they use.
   */
  readonly evidence: readonly Exchange[]
  /** The exchanges of `evidence` that show the result, without those that they depend on; undefined: all. */
  readonly directEvidence?: readonly Exchange[]
  /**
   * The duration of the check, ms, including the shared fixtures that it was the first to need; undefined if it sent no
   * requests.
   */
  readonly duration_ms?: number
  /** The stack of an error in the suite itself. */
  readonly stack?: string
}

/**
 * The reason why a violation that was seen is not proven, and the input with which the operator can make it certain.
 */
export interface DoubtReason extends Pick<RequirementResult, 'others'> {
  readonly reason: string
  readonly supply?: string | undefined
}

/**
 * The result of a requirement whose violation was seen but is not proven. MUST: `suspected`; SHOULD: `warned`, or
 * `not_exercised` if other clients may have caused it.
 */
export function resultOfSuspicion(
  seen: Omit<RequirementResult, 'outcome'>,
  { reason, supply, others = false }: DoubtReason,
): RequirementResult {
  const isDuty = seen.requirement.level === 'MUST'
  const outcome = isDuty ? 'suspected' : others ? 'not_exercised' : 'warned'
  return { ...seen, outcome, reason, ...(supply === undefined ? {} : { supply }), ...(others && { others }) }
}

/** A flag that selects requirements so narrowly that reports leave out the others. */
type SelectingFlag = '--only' | '--explore-only'

/** The reason why a requirement was left out of a run before any request was sent. */
export interface OmissionReason extends Pick<RequirementResult, 'unselectedBy'> {
  readonly reason: string
}

/** A whole run of the suite: results, exchanges, history and costs. Times: `started_at` ISO 8601, durations ms. */
export interface SuiteRun {
  readonly baseUrl: string
  readonly runId: string
  readonly started_at: string
  readonly duration_ms: number
  readonly variant: Variant | 'mixed' | 'unknown'
  readonly extended: 'offered' | 'partly' | 'absent' | 'unknown'
  /**
   * Work Credits. `perhaps`: what requests with lost answers may have cost in addition; `given`: credits that a
   * provider state had added and that simultaneous requests took.
   */
  readonly credits: {
    readonly limit: number
    readonly spent: number
    readonly perhaps?: number
    readonly given?: number
  }
  readonly requests: number
  readonly disturbances: Readonly<DeliveryProblemCounts>
  readonly results: readonly RequirementResult[]
  /** The number of requirements that each flag left out of the results of a concluded run. */
  readonly notSelected?: readonly { readonly flag: SelectingFlag; readonly count: number }[]
  /** Everything that was sent, as the model judges it. */
  readonly history: readonly ModelEvent[]
  /** Answers, with headers and bodies; undefined if they are not known. */
  readonly exchanges?: readonly Exchange[]
  /** True if the exchanges are entries of a recording, whose numbers are their positions in it. */
  readonly isRecorded?: boolean
  readonly evidence?: UsedFixtureNames
  readonly created: readonly { readonly operation: string; readonly id: string }[]
  /** Secrets that the service returned in the run; they must not appear in reports. */
  readonly secrets: readonly NamedSecret[]
  /** Ids of created keys that could not be deleted. */
  readonly left: readonly string[]
  /** Sentences at the head of a report, which its reader must know before the results. */
  readonly lead?: readonly string[]
  /** What the run left untested, in sentences. */
  readonly gaps?: readonly string[]
  /** Errors in the suite itself, outside of any requirement. */
  readonly harnessErrors?: readonly string[]
  /** The reason why the service became unreachable; undefined if it answered to the end. */
  readonly unreachable?: string
}

/** True if the result of a requirement is a verdict: passed, failed, suspected or warned. */
export function wasExercised({ outcome }: RequirementResult): boolean {
  return ['passed', 'failed', 'suspected', 'warned', 'expected_failure'].includes(outcome)
}

/** The results of a run that have one of the wanted outcomes. */
export function resultsWithOutcome(run: SuiteRun, ...wanted: Outcome[]): RequirementResult[] {
  return run.results.filter(({ outcome }) => wanted.includes(outcome))
}
