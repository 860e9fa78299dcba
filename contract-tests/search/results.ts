/** What the search found as results of requirements, beside those of the catalogue or alone. */
import type { RequirementResult, SuiteRun } from '../harness/outcome.ts'
import type { Requirement } from '../harness/requirement.ts'
import type { ModelEvent } from '../model/index.ts'
import type { Exploration } from './explore.ts'
import type { Finding } from './findings.ts'

/** Outcomes that a finding does not replace. */
const final: readonly RequirementResult['outcome'][] = ['failed', 'harness_error']

/** A run with what the search found added to its results, its traffic and its costs. */
export function withExploration(
  run: SuiteRun,
  found: Exploration,
  leftOut: (requirement: Requirement) => string | undefined,
): SuiteRun {
  const results = run.results.map((result) => {
    const finding = found.findings.find(({ violation }) => violation.requirement === result.requirement.id)
    const counts = finding && !final.includes(result.outcome) && leftOut(result.requirement) === undefined
    return counts ? resultOf(result, finding) : result
  })
  const { spent, limit } = run.credits
  return {
    ...run,
    duration_ms: run.duration_ms + found.duration_ms,
    credits: { limit, spent: spent + found.spent },
    requests: run.requests + found.requests,
    results,
    history: [...run.history, ...after(run.history, found.history)],
    created: [...run.created, ...found.created],
    secrets: [...run.secrets, ...found.secrets],
    left: [...run.left, ...found.left],
    gaps: [...(run.gaps ?? []), ...(found.gaps ?? [])],
    ...(found.unreachable === undefined ? {} : { unreachable: found.unreachable }),
  }
}

/** The results where only the search is run: what some answer bore on is met unless something was found. */
export function triedResults(
  requirements: readonly Requirement[],
  tried: ReadonlySet<string>,
  leftOut: (requirement: Requirement) => string | undefined,
): RequirementResult[] {
  return requirements.map((requirement) => {
    const common = { requirement, how: 'observed', evidence: [] } as const
    const out = leftOut(requirement)
    if (out === undefined && tried.has(requirement.id)) return { ...common, outcome: 'passed' }
    const reason = out ?? 'only the search was run (--explore-only)'
    return { ...common, outcome: 'not_exercised', reason }
  })
}

function resultOf({ requirement }: RequirementResult, finding: Finding): RequirementResult {
  const { violation, evidence } = finding
  const { expected, actual } = violation
  const common = { requirement, how: 'induced', expected, actual, evidence } as const
  const why = doubtOf(finding)
  const spent = spentOn(finding)
  if (why !== undefined)
    return { ...common, outcome: 'not_exercised', reason: `inconclusive: ${why}${spent}` }
  const outcome = requirement.level === 'MUST' ? 'failed' : 'warned'
  return { ...common, outcome, reason: `found by the search${spent}: ${seenBy(finding)}` }
}

/** The requests that trying it again took, in words. */
function spentOn({ requests }: Finding): string {
  if (requests === 0) return ''
  return ` (${requests === 1 ? '1 request' : `${requests} requests`} to try it again)`
}

/** Why a finding accuses nobody; undefined: it does. */
function doubtOf(finding: Finding): string | undefined {
  const { violation, confirmed, disturbed, how } = finding
  if (disturbed !== undefined && violation.others) return `somebody else uses the organization (${disturbed})`
  if (how === 'suspected')
    return 'seen by the search when its time was over, and not yet known whether it shows only late; search for longer, or with a shorter --run-timeout'
  return confirmed || !violation.others
    ? undefined
    : `${seenOnce(finding)}; somebody else who uses the organization could have caused it`
}

/** How it was seen. */
function seenBy(finding: Finding): string {
  const { confirmed, before, times, how, evidence } = finding
  if (!confirmed) return `${seenOnce(finding)}; nobody else can have caused it, so once is enough`
  const words = before.length > 0 ? ` Before the last request: ${before.join(' ')}` : ''
  const again = times === 1 ? 'it came again once' : 'it came again'
  const sent = evidence.length === 1 ? 'that request was' : `those ${evidence.length} requests were`
  return how === 'replayed'
    ? `${again} when ${sent} sent again${whereOf(finding)}.${words}`
    : `it was read three times; in a fresh context it did not come again.${words}`
}

/** Whether what was there before matters, as far as that is known. */
const whereOf = ({ isHere, isRooted }: Finding): string =>
  isRooted
    ? ', in an organization that nobody had used'
    : isHere
      ? ', where something was before that matters'
      : '; whether what was there before matters is not known'

const seenOnce = ({ how }: Finding) =>
  how === 'untried'
    ? 'seen once by the search, whose time was over before it could be tried again'
    : 'seen once by the search, and not again when it was tried in a fresh context'

/** Events with numbers and moments after those of another history. */
function after(history: readonly ModelEvent[], events: readonly ModelEvent[]): ModelEvent[] {
  const ids = Math.max(0, ...history.map(({ id }) => id))
  const places = Math.max(
    0,
    ...history.flatMap((event) => [
      event.sent.place,
      event.kind === 'arranged' ? event.received.place : (event.answer?.received.place ?? 0),
    ]),
  )
  const later = ({ place, ms }: ModelEvent['sent']) => ({ place: place + places, ms })
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
