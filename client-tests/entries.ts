/** Reads journal entries as rules need them: the request, what the answer reported to the client, runs, and what followed. */
import { routeOf } from '#contract/operation.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { parsed } from '#traffic/json-bounds.ts'
import type { Context, Situation } from './rule.ts'

type Entries = readonly JournalEntry[]

/** The path without its query, as sent. */
export const pathOf = ({ url }: JournalEntry): string =>
  /^[a-z]+:\/\/[^/?#]*(\/[^?#]*)/i.exec(url)?.[1] ?? url

/** The task id in the path of a request; undefined: none. */
export function taskOf(entry: JournalEntry): string | undefined {
  return entry.operation === 'getTask' || entry.operation === 'runTask'
    ? pathOf(entry).split('/')[4]
    : undefined
}

/** Whether a request costs a credit when it is accepted (§8.2). */
export const isPaid = ({ operation }: JournalEntry): boolean =>
  operation !== null && routeOf(operation).cost === 1

/** Whether a run of a task was accepted, as it is where nothing goes wrong. */
export const ranTask = (requests: readonly Pick<JournalEntry, 'operation' | 'status'>[]): boolean =>
  requests.some(({ operation, status }) => operation === 'runTask' && status < 300)

/** What happened to a connection that left the client without an answer. */
const silent = new Set<string | null>(['reset', 'empty', 'truncate', 'hang', 'abandoned'])

/** What shows whether an answer could be read. */
type Answered = Pick<JournalEntry, 'wire' | 'reason' | 'status' | 'error'>

/** Whether the client received an answer that it could read; that of a gateway says nothing about the request. */
export function isAnswered({ wire, reason, status, error }: Answered): boolean {
  const isGateways = status >= 500 && error === null
  return !silent.has(wire) && !isGateways && !/\bmalformed\b/.test(reason ?? '')
}

/** The answer in a few words, with the fault that changed it where the answer does not show that. */
export function answerText({ wire, status, error, reason }: Answered): string {
  const [, fault] = /fault=([^;]+)/.exec(reason ?? '') ?? []
  if (wire === 'abandoned') return 'abandoned by the client'
  if (wire !== null) return fault?.startsWith('lost') ? `${wire}, after it took effect` : wire
  if (error !== null) return `${status} ${error}`
  return fault === undefined ? String(status) : `${status} (${fault})`
}

/** The answers that were read: many rules read each. */
let read = new WeakMap<JournalEntry, Record<string, unknown>>()

/** Makes room when all is judged: an entry may live on. */
export function forgetAnswers(): void {
  read = new WeakMap()
}

/** The answer as JSON; empty where the client could not read it, or where it was too long for the journal. */
export function answerOf(entry: JournalEntry): Record<string, unknown> {
  const known = read.get(entry) ?? readAnswer(entry)
  read.set(entry, known)
  return known
}

function readAnswer(entry: JournalEntry): Record<string, unknown> {
  if (!isAnswered(entry)) return {}
  const value = parsed(entry.answer)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Whether the client received a success. */
export const isSuccess = (entry: Answered): boolean => entry.status < 300 && isAnswered(entry)

/** Whether the client received an answer with this error code. */
export const reportsError = (entry: JournalEntry, error: string): boolean =>
  entry.error === error && isAnswered(entry)

/** Whether an answer shows that the status of a task is final (§3.1). */
export const reportsFinished = (entry: JournalEntry): boolean =>
  isSuccess(entry) && answerOf(entry).finished === true

/** Whether a run was accepted and did not finish at once; `busy` accepts it too (§3.3). */
export function startsRun(entry: JournalEntry): boolean {
  if (entry.operation !== 'runTask') return false
  return reportsError(entry, 'busy') || (isSuccess(entry) && !reportsFinished(entry))
}

/** Whether the journal keeps only the beginning of a text. */
export const isCut = (text: string): boolean => /… \(\d+ characters\)$/.test(text)

/** Whether two requests are the same. */
export const isSame = (a: JournalEntry, b: JournalEntry): boolean =>
  a.method === b.method && a.url === b.url && a.body === b.body

/** The value of a request header; the name in lower case. */
export function headerOf({ headers }: JournalEntry, name: string): string | undefined {
  const at = headers.findIndex((one, i) => i % 2 === 0 && one.toLowerCase() === name)
  return at < 0 ? undefined : headers[at + 1]
}

/** The entries after one of them. */
export const after = (entries: Entries, entry: JournalEntry): Entries =>
  entries.slice(entries.indexOf(entry) + 1)

/** The entries before the first that fits. */
export function until(entries: Entries, fits: (entry: JournalEntry) => boolean): Entries {
  const end = entries.findIndex(fits)
  return end < 0 ? entries : entries.slice(0, end)
}

/** ms between two requests. */
export const gap = (earlier: JournalEntry, later: JournalEntry): number => later.at - earlier.at

/** A duration for people to read. */
export const seconds = (ms: number): string => `${Math.round(ms) / 1_000} s`

/** Statuses that a client may know; any other one is a quirk. */
const familiar = new Set<unknown>(['pending', 'queued', 'in_progress', 'completed', 'failed'])

/** The status in an answer about one task; undefined: none. */
export function statusIn(entry: JournalEntry): unknown {
  const { task, status } = answerOf(entry)
  return typeof task === 'object' && task !== null ? Reflect.get(task, 'status') : status
}

/** Whether an answer about one task shows a status that a client cannot know. */
export function isStrange(entry: JournalEntry): boolean {
  const status = isSuccess(entry) ? statusIn(entry) : undefined
  return status !== undefined && !familiar.has(status)
}

/** One run that was accepted. */
interface StartedRun {
  /** The request that started it, perhaps answered `busy`. */
  readonly run: JournalEntry
  /** Later requests about that task: polls by its id, and further runs. */
  readonly later: readonly JournalEntry[]
  /** The polls among them, up to the next run. */
  readonly looks: readonly JournalEntry[]
}

/** The requests about each task, in order; without tasks whose answers were too long for the journal. */
export function byTask(entries: readonly JournalEntry[]): JournalEntry[][] {
  return [...Map.groupBy(entries, taskOf)].flatMap(([task, about]) =>
    task === undefined || about.some(({ answer }) => isCut(answer)) ? [] : [about],
  )
}

/** The polls of a task after a request about it, up to the next run. */
export const looksAfter = (about: readonly JournalEntry[], i: number): readonly JournalEntry[] =>
  until(about.slice(i + 1), ({ operation }) => operation === 'runTask')

/** What was accepted in a history: several rules ask. */
const known = new WeakMap<readonly JournalEntry[], readonly StartedRun[]>()

/** Every run that was accepted, task by task. */
export function acceptedRuns(entries: readonly JournalEntry[]): readonly StartedRun[] {
  const found =
    known.get(entries) ??
    byTask(entries).flatMap((about) =>
      about.flatMap((run, i) =>
        startsRun(run) || (run.operation === 'runTask' && isSuccess(run))
          ? [{ run, later: about.slice(i + 1), looks: looksAfter(about, i) }]
          : [],
      ),
    )
  known.set(entries, found)
  return found
}

/** The accepted runs that did not finish at once. */
export const startedRuns = (entries: readonly JournalEntry[]): StartedRun[] =>
  acceptedRuns(entries).filter(({ run }) => startsRun(run))

/** Whether a service answered that it lacks a route of the extended set (§1). */
export const isAbsent = ({ status, operation }: JournalEntry) =>
  status === 404 && operation !== null && routeOf(operation).set === 'extended'

/** Whether a request failed, and the client neither repeated it with success nor can do without it. */
function isTrouble(entry: JournalEntry, later: Entries): boolean {
  if ((entry.status < 400 && isAnswered(entry)) || reportsError(entry, 'busy')) return false
  return !isAbsent(entry) && !later.some((one) => isSame(one, entry) && isSuccess(one))
}

/** The last request that failed for good; undefined: none did. */
export const lastFailure = (entries: Entries): JournalEntry | undefined =>
  entries.findLast((entry, i) => isTrouble(entry, entries.slice(i + 1)))

/** The number of the last request that failed for good; 0: none did. */
export const lastTrouble = (entries: Entries): number => lastFailure(entries)?.number ?? 0

/**
 * Whether the client could learn that a run failed, for its credit was refunded, and met no error since: it may report
 * the failed run by ending with an error.
 */
export function hasFailedRun(entries: Entries, { ledger }: Context): boolean {
  const [first] = entries
  if (first === undefined) return false
  const refunds = ledger.filter(({ kind, at }) => kind === 'refund' && at >= first.at)
  const trouble = lastTrouble(entries)
  const calm = entries.filter((entry) => isSuccess(entry) && entry.number > trouble)
  return refunds.some(({ at }) => calm.some((entry) => entry.at + entry.duration_ms >= at))
}

/** Whether the client stopped at an answer: it ended with an error although nothing had gone wrong. */
export function brokeOff(entries: Entries, entry: JournalEntry, context: Context): boolean {
  return (
    context.end?.ok === false &&
    entry === entries.at(-1) &&
    lastTrouble(entries) === 0 &&
    !(reportsFinished(entry) && hasFailedRun(entries, context))
  )
}

/**
 * What followed an answer, among the requests that fit: the first that was sent after it had arrived, and whether the same
 * request came before that, perhaps sent before the answer arrived.
 */
export function followUpOf(
  answer: JournalEntry,
  later: readonly JournalEntry[],
  { knew }: Context,
  fits: (entry: JournalEntry) => boolean,
) {
  const at = later.findIndex((entry) => fits(entry) && knew(entry, answer))
  const before = at < 0 ? later : later.slice(0, at)
  return { next: later[at], isDoubtful: before.some((one) => fits(one) && isSame(one, answer)) }
}

/** The situations that are certain. An undefined one is doubtful; beside a doubtful one only violations are certain. */
export function withoutDoubt(situations: readonly (Situation | undefined)[]): Situation[] {
  const sure = situations.filter((one) => one !== undefined)
  return sure.length === situations.length ? sure : sure.filter(({ violation }) => violation !== undefined)
}

/** What a client did after each refusal: a violation if `violationOf` says one of the next request that fits. */
export function afterEach(
  entries: Entries,
  refusals: Entries,
  context: Context,
  fits: (entry: JournalEntry, refusal: JournalEntry) => boolean,
  violationOf: (refusal: JournalEntry, next: JournalEntry, later: Entries) => string | undefined,
): Situation[] {
  const situations = refusals.map((refusal): Situation | undefined => {
    const later = after(entries, refusal)
    const { next, isDoubtful } = followUpOf(refusal, later, context, (entry) => fits(entry, refusal))
    const violation = next && violationOf(refusal, next, later)
    if (violation !== undefined) return { evidence: [refusal, next as JournalEntry], violation }
    return isDoubtful ? undefined : { evidence: [refusal] }
  })
  return withoutDoubt(situations)
}
