/** Converts findings of the search into results of requirements. */
import {
  type OmissionReason,
  type RequirementResult,
  resultOfSuspicion,
  type SuiteRun,
} from '../../harness/outcome.ts'
import type { Requirement } from '../../harness/requirement.ts'
import type { ModelEvent } from '../../model/index.ts'
import type { ExplorationResult } from '../explore.ts'
import type { Finding } from './findings.ts'

const searchedOnly: OmissionReason = {
  reason: 'only the search was run (--explore-only)',
  unselectedBy: '--explore-only',
}

/** Outcomes that a finding does not replace. */
const finalOutcomes: readonly RequirementResult['outcome'][] = ['failed', 'harness_error']

/**
 * The run of the suite with the findings, traffic and costs of a search added. `isShared`: other clients use the
 * organizations.
 */
export function withExploration(
  run: SuiteRun,
  found: ExplorationResult,
  leftOut: (requirement: Requirement) => OmissionReason | undefined,
  isShared: boolean,
): SuiteRun {
  const results = run.results.map((result) => {
    const finding = found.findings.find(({ violation }) => violation.requirement === result.requirement.id)
    const counts =
      finding && !finalOutcomes.includes(result.outcome) && leftOut(result.requirement) === undefined
    return counts ? resultOf(result, finding, isShared) : result
  })
  // A search asks for everything, so that what it finds may be of a requirement that was not selected.
  const unselected = run.results.flatMap(({ requirement }): string[] => {
    const finding = found.findings.find(({ violation }) => violation.requirement === requirement.id)
    if (!finding || leftOut(requirement)?.unselectedBy !== '--only') return []
    const { expected, actual } = finding.violation
    return [
      `The search found something against ${requirement.id}, which --only leaves out: expected ${expected}, got ${actual}.`,
    ]
  })
  const { spent, limit } = run.credits
  return {
    ...run,
    duration_ms: run.duration_ms + found.duration_ms,
    credits: { limit, spent: spent + found.spent },
    requests: run.requests + found.requests,
    results,
    history: [...run.history, ...renumberedAfter(run.history, found.history)],
    created: [...run.created, ...found.created],
    secrets: [...run.secrets, ...found.secrets],
    left: [...run.left, ...found.left],
    gaps: [...(run.gaps ?? []), ...(found.gaps ?? []), ...unselected],
    ...(found.unreachable === undefined ? {} : { unreachable: found.unreachable }),
  }
}

/**
 * The results of a search that ran without the suite: requirements that it exercised pass unless there is a finding.
 */
export function resultsOfExploration(
  requirements: readonly Requirement[],
  tried: ReadonlySet<string>,
  leftOut: (requirement: Requirement) => OmissionReason | undefined,
): RequirementResult[] {
  return requirements.map((requirement) => {
    const common = { requirement, how: 'observed', evidence: [] } as const
    const out = leftOut(requirement)
    if (out === undefined && tried.has(requirement.id)) return { ...common, outcome: 'passed' }
    return { ...common, outcome: 'not_exercised', ...(out ?? searchedOnly) }
  })
}

function resultOf(
  { requirement }: RequirementResult,
  finding: Finding,
  isShared: boolean,
): RequirementResult {
  const { violation, evidence } = finding
  const { expected, actual } = violation
  const common = { requirement, how: 'induced', expected, actual, evidence } as const
  const why = reasonForDoubt(finding)
  const spent = retryCost(finding)
  if (why !== undefined) {
    const others = isShared || finding.interference !== undefined
    return resultOfSuspicion(common, { reason: `${why}${spent}`, others })
  }
  const outcome = requirement.level === 'MUST' ? 'failed' : 'warned'
  return { ...common, outcome, reason: `found by the search${spent}: ${howReproduced(finding)}` }
}

/** Number of requests for retries, in words. */
function retryCost({ requests }: Finding): string {
  if (requests === 0) return ''
  return ` (${requests === 1 ? '1 request' : `${requests} requests`} to try it again)`
}

/** Reason why a finding proves no violation; undefined if it does. */
function reasonForDoubt(finding: Finding): string | undefined {
  const { violation, confirmed, interference, how } = finding
  if (interference !== undefined && violation.attributableToOthers)
    return `somebody else uses the organization (${interference})`
  if (how === 'suspected')
    return 'seen by the search when its time was over, and not yet known whether it shows only late; search for longer, or with a shorter --run-timeout'
  return confirmed || !violation.attributableToOthers
    ? undefined
    : `${seenOnce(finding)}: it was read in the middle of a change, or somebody else who uses the organization has caused it`
}

/** Description of how a finding was reproduced. */
function howReproduced(finding: Finding): string {
  const { confirmed, before, times, how, evidence } = finding
  if (!confirmed) return `${seenOnce(finding)}; nobody else can have caused it, so once is enough`
  const words = before.length > 0 ? ` Before the last request: ${before.join(' ')}` : ''
  const again = times === 1 ? 'it came again once' : 'it came again'
  const sent = evidence.length === 1 ? 'that request was' : `those ${evidence.length} requests were`
  return how === 'replayed'
    ? `${again} when ${sent} sent again${whereReproduced(finding)}.${words}`
    : `it was read three times; in a fresh context it did not come again.${words}`
}

/** Description of whether earlier data matters. */
const whereReproduced = ({ needsPriorState, reproducesFromScratch }: Finding): string =>
  reproducesFromScratch
    ? ', in an organization that nobody had used'
    : needsPriorState
      ? ', where something was before that matters'
      : '; whether what was there before matters is not known'

const seenOnce = ({ how }: Finding) =>
  how === 'untried'
    ? 'seen once by the search, whose time was over before it could be tried again'
    : 'seen once by the search, and not again when it was tried in a fresh context'

/** Events renumbered to follow another history. */
function renumberedAfter(history: readonly ModelEvent[], events: readonly ModelEvent[]): ModelEvent[] {
  const ids = Math.max(0, ...history.map(({ id }) => id))
  const places = Math.max(
    0,
    ...history.flatMap((event) => [
      event.sent.seq,
      event.kind === 'arranged' ? event.received.seq : (event.answer?.received.seq ?? 0),
    ]),
  )
  const later = ({ seq, ms }: ModelEvent['sent']) => ({ seq: seq + places, ms })
  return events.map((event): ModelEvent => {
    const moved = { id: event.id + ids, sent: later(event.sent) }
    if (event.kind === 'arranged') return { ...event, ...moved, received: later(event.received) }
    const { answer, key, secret } = event
    return {
      ...event,
      ...moved,
      ...(key === undefined ? {} : { key: key + ids }),
      ...(secret === undefined ? {} : { secret: secret + ids }),
      answer: answer && { ...answer, received: later(answer.received) },
    }
  })
}
