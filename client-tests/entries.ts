/** Reads journal entries as rules need them: the request, what the answer reported to the client, runs, and what followed. */

import { routeOf } from '#contract/operation.ts'
import { readFaultReason, wordsInFaultReason } from '#traffic/fault-reason.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import type { RuleContext, RuleSituation } from './rule.ts'

type Entries = readonly JournalEntry[]

/** The path of a request without its query. */
export const requestPathOf = ({ url }: JournalEntry): string =>
  /^[a-z]+:\/\/[^/?#]*(\/[^?#]*)/i.exec(url)?.[1] ?? url

/** The task id in the path of a request; undefined if there is none. */
export function taskIdOf(entry: JournalEntry): string | undefined {
  return entry.operation === 'getTask' || entry.operation === 'runTask'
    ? requestPathOf(entry).split('/')[4]
    : undefined
}

/** True if a request costs a credit when it is accepted (§8.2). */
export const costsCredit = ({ operation }: Pick<JournalEntry, 'operation'>): boolean =>
  operation !== null && routeOf(operation).cost === 1

/** True if the service accepted a run in any of these requests. Right only for traffic without faults. */
export const hasAcceptedRunRequest = (
  requests: readonly Pick<JournalEntry, 'operation' | 'status'>[],
): boolean => requests.some(({ operation, status }) => operation === 'runTask' && status < 300)

/** The number of credits that requests cost if no run fails. */
export const creditsPaid = (entries: readonly (Answered & Pick<JournalEntry, 'operation'>)[]): number =>
  entries.filter((entry) => costsCredit(entry) && (isSuccess(entry) || hasReceivedErrorCode(entry, 'busy')))
    .length

/** Connection faults that leave the client without an answer. */
const silent = new Set<string | null>(['reset', 'empty', 'cut_header', 'truncate', 'hang', 'abandoned'])

/** Fields that show whether an answer could be read. */
type Answered = Pick<JournalEntry, 'wire' | 'reason' | 'status' | 'error'>

/** Faults that replace the answer of the service by one that a client cannot read. */
const unreadable: ReadonlySet<string> = new Set(['malformed', 'gateway_error', 'empty_200'])

/** True if the client received an answer of the service that it could read. */
export function hasReadableAnswer({ wire, reason, status, error }: Answered): boolean {
  // The specification has no 408: what stands in front of the service answers it.
  const isGateways = (status >= 500 || status === 408) && error === null
  const fault = readFaultReason(reason)
  return (
    !silent.has(wire) &&
    !isGateways &&
    !(fault && wordsInFaultReason(fault).intersection(unreadable).size > 0)
  )
}

/** The answer to a request in a few words, and the fault that changed it unless the answer shows that. */
export function answerSummary({ wire, status, error, reason }: Answered): string {
  const fault = readFaultReason(reason)
  if (wire === 'abandoned') return 'abandoned by the client'
  if (wire !== null)
    return fault && wordsInFaultReason(fault).has('lost') ? `${wire}, after it took effect` : wire
  if (error !== null) return `${status} ${error}`
  return fault?.fault ? `${status} (${fault.fault})` : String(status)
}

/** Parsed answers, cached because many rules read each of them. */
let read = new WeakMap<JournalEntry, Record<string, unknown>>()

/** Clears the cache of parsed answers after everything is judged, since the journal entries may be kept for longer. */
export function clearAnswerCache(): void {
  read = new WeakMap()
}

/**
 * The answer to a request as JSON; an empty object if the client could not read it, or if it was too long for the
 * journal.
 */
export function answerJsonOf(entry: JournalEntry): Record<string, unknown> {
  const known = read.get(entry) ?? readAnswer(entry)
  read.set(entry, known)
  return known
}

function readAnswer(entry: JournalEntry): Record<string, unknown> {
  if (!hasReadableAnswer(entry)) return {}
  const value = parseJson(entry.answer)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** True if the client received an answer with status 2xx. */
export const isSuccess = (entry: Answered): boolean => entry.status < 300 && hasReadableAnswer(entry)

/** True if the client received an answer with a given `error` code. */
export const hasReceivedErrorCode = (entry: Answered, error: string): boolean =>
  entry.error === error && hasReadableAnswer(entry)

/** True if an answer shows that the status of a task is final (§3.1). */
export const showsFinishedTask = (entry: JournalEntry): boolean =>
  isSuccess(entry) && answerJsonOf(entry).finished === true

/**
 * True if a request for a run was accepted and the run did not finish at once; a `busy` answer counts as accepted
 * (§3.3).
 */
export function isAcceptedButUnfinishedRun(entry: JournalEntry): boolean {
  if (entry.operation !== 'runTask') return false
  return hasReceivedErrorCode(entry, 'busy') || (isSuccess(entry) && !showsFinishedTask(entry))
}

/** True if the journal keeps only the beginning of a body. */
export const isBodyTruncated = (text: string): boolean => /… \(\d+ characters\)$/.test(text)

/** True if two requests have the same method, URL and body. */
export const isSameRequest = (a: JournalEntry, b: JournalEntry): boolean =>
  a.method === b.method && a.url === b.url && a.body === b.body

/** The value of a request header; undefined if it was not sent. `name`: in lower case. */
export function requestHeaderOf({ headers }: JournalEntry, name: string): string | undefined {
  for (let i = 0; i < headers.length; i += 2) {
    const one = headers[i]
    if (one?.length === name.length && one.toLowerCase() === name) return headers[i + 1]
  }
  return undefined
}

/** The entries that follow a given one. */
export const entriesAfter = (entries: Entries, entry: JournalEntry): Entries =>
  entries.slice(entries.indexOf(entry) + 1)

/** The entries before the first one that meets a condition, or all. */
export function entriesUntil(entries: Entries, fits: (entry: JournalEntry) => boolean): Entries {
  const end = entries.findIndex(fits)
  return end < 0 ? entries : entries.slice(0, end)
}

/** The longest possible time between two requests, ms. Their recorded times may be rounded down to whole seconds. */
export const longestPossibleGapMs = (earlier: JournalEntry, later: JournalEntry): number =>
  later.at + (later.clock_ms ?? 0) - earlier.at

/** The shortest possible time between two requests, ms. Their recorded times may be rounded down to whole seconds. */
export const shortestPossibleGapMs = (earlier: JournalEntry, later: JournalEntry): number =>
  later.at - earlier.at - (earlier.clock_ms ?? 0)

/**
 * The least time that a client needs to react to an answer, ms: a request sent sooner counts as sent before the answer
 * was known.
 */
export const minReactionTimeMs = 100

/** True if a client sent the second of two requests without waiting for the answer to the first. */
export const isSentWithoutWaiting = (
  first: JournalEntry,
  second: JournalEntry,
  { knew }: RuleContext,
): boolean =>
  longestPossibleGapMs(first, second) <= first.duration_ms + minReactionTimeMs && !knew(second, first)

/** A duration, ms, as text in seconds, such as `2.5 s`. */
export const formatMsAsSeconds = (ms: number): string => `${Math.round(ms) / 1_000} s`

/** Statuses that a client may know; any other one is a quirk. */
const familiar = new Set<unknown>(['pending', 'queued', 'in_progress', 'completed', 'failed'])

/** The status in an answer about one task; undefined if there is none. */
export function taskStatusIn(entry: JournalEntry): unknown {
  const { task, status } = answerJsonOf(entry)
  return typeof task === 'object' && task !== null ? Reflect.get(task, 'status') : status
}

/** True if an answer about one task shows a status that is not documented, so that a client cannot know it. */
export function showsUnknownStatus(entry: JournalEntry): boolean {
  const status = isSuccess(entry) ? taskStatusIn(entry) : undefined
  return status !== undefined && !familiar.has(status)
}

/** One run that was accepted. */
interface StartedRun {
  /** The request that started it, perhaps answered `busy`. */
  readonly run: JournalEntry
  /** Later requests about that task: polls by its id, and further runs. */
  readonly later: readonly JournalEntry[]
  /** Polls of the task up to its next run. */
  readonly looks: readonly JournalEntry[]
}

/** Cached requests about each task of a history. */
const grouped = new WeakMap<Entries, readonly Entries[]>()

/**
 * Groups requests by their task, one list for each task, in order. Tasks with answers too long for the journal are left
 * out.
 */
export function requestGroupsByTask(entries: Entries): readonly Entries[] {
  const found =
    grouped.get(entries) ??
    [...Map.groupBy(entries, taskIdOf)].flatMap(([task, about]) =>
      task === undefined || about.some(({ answer }) => isBodyTruncated(answer)) ? [] : [about],
    )
  grouped.set(entries, found)
  return found
}

/** The polls of a task after the i-th of the requests about it, up to its next run. */
export const pollsAfter = (about: readonly JournalEntry[], i: number): readonly JournalEntry[] =>
  entriesUntil(about.slice(i + 1), ({ operation }) => operation === 'runTask')

/** Cached accepted runs of a history. */
const known = new WeakMap<readonly JournalEntry[], readonly StartedRun[]>()

/**
 * The runs that were accepted, task by task: each with its request, the later requests about its task, and its polls.
 */
export function acceptedRuns(entries: readonly JournalEntry[]): readonly StartedRun[] {
  const found =
    known.get(entries) ??
    requestGroupsByTask(entries).flatMap((about) =>
      about.flatMap((run, i) =>
        isAcceptedButUnfinishedRun(run) || (run.operation === 'runTask' && isSuccess(run))
          ? [{ run, later: about.slice(i + 1), looks: pollsAfter(about, i) }]
          : [],
      ),
    )
  known.set(entries, found)
  return found
}

/** The accepted runs that had not finished when their request was answered. */
export const acceptedUnfinishedRuns = (entries: readonly JournalEntry[]): StartedRun[] =>
  acceptedRuns(entries).filter(({ run }) => isAcceptedButUnfinishedRun(run))

/** True if the service answered that it does not offer an extended route (§1). */
export const isRouteAbsent = ({ status, operation }: JournalEntry) =>
  status === 404 && operation !== null && routeOf(operation).set === 'extended'

/** True if a request failed, and the client neither repeated it with success nor can do without it. */
function isTrouble(entry: JournalEntry, later: Entries): boolean {
  if ((entry.status < 400 && hasReadableAnswer(entry)) || hasReceivedErrorCode(entry, 'busy')) return false
  return !isRouteAbsent(entry) && !later.some((one) => isSameRequest(one, entry) && isSuccess(one))
}

/** The last failed request that the client did not later repeat with success; undefined if there is none. */
export const lastUnrepeatedFailure = (entries: Entries): JournalEntry | undefined =>
  entries.findLast((entry, i) => isTrouble(entry, entries.slice(i + 1)))

/** The number of the last failed request that the client did not later repeat with success; 0: there is none. */
export const lastUnrepeatedFailureNumber = (entries: Entries): number =>
  lastUnrepeatedFailure(entries)?.number ?? 0

/** True if the client may end with an error, because a refund shows that a run failed, and no other error followed. */
export function isErrorExitExcused(entries: Entries, { ledger }: RuleContext): boolean {
  const [first] = entries
  if (first === undefined) return false
  const refunds = ledger.filter(({ kind, at }) => kind === 'refund' && at >= first.at)
  const trouble = lastUnrepeatedFailureNumber(entries)
  const calm = entries.filter((entry) => isSuccess(entry) && entry.number > trouble)
  return refunds.some(({ at }) => calm.some((entry) => entry.at + entry.duration_ms >= at))
}

/** True if the client ended with an error right after an answer, although nothing had gone wrong. */
export function hasFailedRightAfterAnswer(
  entries: Entries,
  entry: JournalEntry,
  context: RuleContext,
): boolean {
  return (
    context.end?.ok === false &&
    entry === entries.at(-1) &&
    lastUnrepeatedFailureNumber(entries) === 0 &&
    !(showsFinishedTask(entry) && isErrorExitExcused(entries, context))
  )
}

/**
 * Finds the first of the `later` requests that `fits` and that the client sent after it had received `answer`.
 * `isDoubtful`: a request equal to the answered one came earlier, perhaps before the answer arrived.
 */
export function findFollowUp(
  answer: JournalEntry,
  later: readonly JournalEntry[],
  { knew }: RuleContext,
  fits: (entry: JournalEntry) => boolean,
) {
  const at = later.findIndex((entry) => fits(entry) && knew(entry, answer))
  const before = at < 0 ? later : later.slice(0, at)
  return { next: later[at], isDoubtful: before.some((one) => fits(one) && isSameRequest(one, answer)) }
}

/**
 * Removes doubtful situations (undefined). If any was doubtful, only situations with a violation are left, since the
 * others cannot show that the rule was kept.
 */
export function withoutDoubtfulSituations(
  situations: readonly (RuleSituation | undefined)[],
): RuleSituation[] {
  const sure = situations.filter((one) => one !== undefined)
  return sure.length === situations.length ? sure : sure.filter(({ violation }) => violation !== undefined)
}

/**
 * Returns one situation for each refusal, judged by the next request that `fits`: `violationOf` says what is wrong with
 * that request, if anything.
 */
export function situationsAfterRefusals(
  entries: Entries,
  refusals: Entries,
  context: RuleContext,
  fits: (entry: JournalEntry, refusal: JournalEntry) => boolean,
  violationOf: (refusal: JournalEntry, next: JournalEntry, later: Entries) => string | undefined,
): RuleSituation[] {
  const situations = refusals.map((refusal): RuleSituation | undefined => {
    const later = entriesAfter(entries, refusal)
    const { next, isDoubtful } = findFollowUp(refusal, later, context, (entry) => fits(entry, refusal))
    const violation = next && violationOf(refusal, next, later)
    if (violation !== undefined) return { evidence: [refusal, next as JournalEntry], violation }
    return isDoubtful ? undefined : { evidence: [refusal] }
  })
  return withoutDoubtfulSituations(situations)
}
