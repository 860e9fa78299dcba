/** What a run of the suite comes to: one verdict for each requirement of the catalogue, and one for all. */
import type { Variant } from '#contract/route.ts'
import type { Outcome } from '#reporting/outcome.ts'
import type { Exchange } from '#traffic/exchange.ts'
import type { Requirement } from './requirement.ts'

/** How a requirement was judged: from what happened anyway, from what was brought about, or in an arranged state. */
export type How = 'observed' | 'induced' | 'state'

export interface Verdict {
  readonly requirement: Requirement
  readonly outcome: Outcome
  readonly how: How
  /** Why it is not simply passed or failed. */
  readonly reason?: string
  /** What would let it be exercised. */
  readonly supply?: string
  readonly expected?: string
  readonly actual?: string
  /** By how much a number is off, where one is. */
  readonly offBy?: number | undefined
  /** The exchanges that show it. */
  readonly evidence: readonly Exchange[]
  /** The stack of a fault of the suite. */
  readonly stack?: string
}

/** A run of the suite. Times: `started_at` ISO 8601, durations ms. */
export interface Run {
  readonly baseUrl: string
  readonly runId: string
  readonly started_at: string
  readonly duration_ms: number
  readonly variant: Variant | 'mixed' | 'unknown'
  readonly extended: 'offered' | 'partly' | 'absent' | 'unknown'
  readonly credits: { readonly limit: number; readonly spent: number }
  readonly requests: number
  readonly verdicts: readonly Verdict[]
  readonly created: readonly { readonly operation: string; readonly id: string }[]
  /** Secrets that the service told in the run; they must not leave the suite. */
  readonly secrets: readonly string[]
  /** Keys that were made and could not be deleted, by id. */
  readonly left: readonly string[]
  /** Why the service could not be reached any more; undefined: it answered to the end. */
  readonly unreachable?: string
}

/** Whether a requirement was tried and something came of it. */
export function wasJudged({ outcome }: Verdict): boolean {
  return ['passed', 'failed', 'warned', 'expected_failure'].includes(outcome)
}

/** Verdicts of one kind. */
export function verdictsOf(run: Run, ...kinds: Outcome[]): Verdict[] {
  return run.verdicts.filter(({ outcome }) => kinds.includes(outcome))
}
