/** Report of a judge: one model for the conformance suite and for the client report. Free of secrets. */
import { countWithNoun } from './markup.ts'
import type { OutcomeMatrix } from './matrix.ts'
import { type Outcome, outcomeCountsOf, outcomes, outcomeWordsOf } from './outcome.ts'

/**
 * The outcome of a whole report, the worst first. `suspected`: a violation was seen that was neither confirmed nor
 * refuted. `inconclusive`: the same, if other clients may have caused it. `incomplete`, `not_exercised`: only a part,
 * or nothing, could be judged.
 */
export type ReportOutcome =
  | 'failed'
  | 'suspected'
  | 'inconclusive'
  | 'incomplete'
  | 'not_exercised'
  | 'passed'

/** A report; every format is rendered from it. */
export interface Report {
  /** The name of the tool that writes the report, which is also the name of the JUnit report. */
  readonly producer: string
  /** What was judged, such as `Conformance`. */
  readonly title: string
  /** The party that is responsible for a failure, such as `the client`; unset: the title says it. */
  readonly party?: string
  /** The address of what was judged, where it has one. */
  readonly subject?: string
  readonly outcome: ReportOutcome
  /** True if the run was stopped before its end; its outcome covers what had been judged by then. */
  readonly isInterrupted?: boolean
  /** True if a violated SHOULD fails the report. */
  readonly strict: boolean
  /** Facts about the run, by name, in the order in which they are shown. */
  readonly facts: Readonly<Record<string, string>>
  /** Facts for programs: the properties of each JUnit suite. */
  readonly properties: Readonly<Record<string, string | number>>
  /** Sentences that a reader must know before anything else: every format begins with them. */
  readonly lead: readonly string[]
  /** Notes that explain the outcome or need attention, besides the results. */
  readonly notes: readonly string[]
  /** Parts that were judged on their own, such as each run of a client. */
  readonly parts: readonly ReportPart[]
  readonly results: readonly ReportResult[]
  /** The parts as a table of outcomes; set if it replaces the list of parts. */
  readonly matrix?: OutcomeMatrix | undefined
  /** ISO 8601. */
  readonly started_at?: string
  readonly duration_ms?: number
}

/** One of the runs that a report consists of, such as a scenario. */
export interface ReportPart {
  readonly id: string
  readonly requests: number
  /** How it ended, in a few words; null if that is unknown. */
  readonly end: string | null
}

/** The result of judging one requirement or rule. */
export interface ReportResult {
  readonly id: string
  /** The group that it belongs to: a JUnit suite. */
  readonly group: string
  readonly level: 'MUST' | 'SHOULD' | 'MAY'
  readonly section: string
  readonly statement: string
  readonly outcome: Outcome
  /** The way in which it was judged, in a word. */
  readonly how?: string | undefined
  /** The reason why it did not simply pass or fail. */
  readonly reason?: string | undefined
  /** The input that the operator has to supply for it to be exercised. */
  readonly supply?: string | undefined
  readonly expected?: string | undefined
  readonly actual?: string | undefined
  /** The time that it took to judge, ms. */
  readonly duration_ms?: number | undefined
  readonly findings: readonly Finding[]
  /** The requests that show the finding. */
  readonly evidence: readonly Evidence[]
  /** The requests that show that the requirement was met. */
  readonly kept: readonly Evidence[]
  /** The remedy for what is wrong, in a sentence. */
  readonly fix?: string | undefined
}

/** One violation, with the requests that show it. */
export interface Finding {
  readonly text: string
  readonly evidence: readonly Evidence[]
}

/** A request that shows a violation, or that a requirement was kept. */
export interface Evidence {
  /** The request and its status in one line: `POST /api/cli/tasks -> 200`. */
  readonly summary: string
  /** Who sent the request, or when it was sent. */
  readonly note: string
  /** The place in the recording: `Entry 12`. */
  readonly place?: string
  /** The id of the request in the journal of the mock that it was sent to; `note` is then its time. */
  readonly request_id?: string
  /** The conditions that the judge had set up for the request, such as an empty balance, each in a few words. */
  readonly arranged?: readonly string[]
  /** The headers of the answer that matter here: `Retry-After: 1`. */
  readonly headers?: readonly string[]
  /** How long after an answer with `Retry-After` it was sent, in words; unset: no such answer came before. */
  readonly wait?: string
  /** The index (from 0) of the request among `of` requests that were sent at once. */
  readonly together?: { readonly at: number; readonly of: number }
  /** A shell line that sends all those requests at once; only the last of them has it. */
  readonly atOnce?: string
  /** The whole exchange, if the report may show it. */
  readonly exchange?: EvidenceExchange
}

/** A request and its answer as a report shows them, with the curl line that repeats the request. */
export interface EvidenceExchange {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string | undefined
  }
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
  /** A shell line that sends the same request. */
  readonly curl: string
}

/** The totals as text, with their denominator: `71 passed, 0 failed, 3 not exercised, of 74`. */
export function totalsText({ results }: Pick<Report, 'results'>): string {
  const totals = outcomeCountsOf(results)
  const shown = outcomes.filter((name) => totals[name] > 0 || name === 'passed' || name === 'failed')
  return `${shown.map((name) => `${totals[name]} ${outcomeWordsOf(name)}`).join(', ')}, of ${results.length}`
}

/** The end of the outcome text of a report that passed, such as ` with 2 warnings`; empty if there are none. */
export function passWarningTextOf({ outcome, results, matrix }: ReportOutcomeParts): string {
  const { warned } = outcomeCountsOf(results)
  const cells = matrix?.cells ?? []
  const idle = cells.filter((one) => one.outcome === 'not_exercised').length
  const remarks = [
    ...(warned > 0 ? [countWithNoun(warned, 'warning')] : []),
    ...(idle > 0 ? [`${idle} of ${countWithNoun(cells.length, 'run')} with faults not exercised`] : []),
  ]
  return outcome === 'passed' && remarks.length > 0 ? ` with ${remarks.join(' and ')}` : ''
}

/** The outcome of a report in words, such as `passed with 2 warnings`. */
export function outcomeText(report: ReportOutcomeParts): string {
  return `${shortOutcomeTextOf(report)}${passWarningTextOf(report)}`
}

/** The title of a report; if it failed, followed by the responsible party: `Client report: the client`. */
export const titleNamingFailedParty = ({ title, party, outcome }: Report): string =>
  outcome === 'failed' && party !== undefined ? `${title}: ${party}` : title

/** The parts of a report that the text of its outcome is made from. */
export type ReportOutcomeParts = Pick<Report, 'outcome' | 'results' | 'isInterrupted' | 'matrix'>

/** The outcome of a report in a word or two; if the run was stopped, `interrupted` and what it had found by then. */
export function shortOutcomeTextOf({ outcome, isInterrupted }: ReportOutcomeParts): string {
  if (!isInterrupted) return outcomeWordsOf(outcome)
  return ['failed', 'inconclusive'].includes(outcome)
    ? `interrupted, ${outcomeWordsOf(outcome)}`
    : 'interrupted'
}

/** The results of a report that have one of the given outcomes, in order. */
export function resultsWithOutcomes({ results }: Report, ...wanted: readonly Outcome[]): ReportResult[] {
  return results.filter(({ outcome }) => wanted.includes(outcome))
}

/** The reason why a result is not a plain pass, in one sentence; empty: it passed. */
export function reasonTextOf({ outcome, reason, supply, expected, actual, findings }: ReportResult): string {
  const seen = expected === undefined ? findings[0]?.text : `expected ${expected}; got ${actual}`
  const why = outcome === 'suspected' ? [seen, reason] : [reason ?? seen]
  return [...why, supply && `supply ${supply}`].filter(Boolean).join('; ')
}
