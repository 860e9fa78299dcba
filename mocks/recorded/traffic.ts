/**
 * Recorded traffic as a mock reads it: which organization sent a request, what its answer holds, and what all tell of
 * tasks and runs.
 */
import { errorCodeOf, idAsText, type JsonObject, valueAtPath } from '#traffic/exchange.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import type { RecordedExchange } from '#traffic/recording.ts'
import { isNumberedRedactionPlaceholder } from '#traffic/redaction.ts'
import {
  boundedNumberSchema,
  type PredictedIdsAndRuns,
  resourceIdSchema,
  type TaskStatus,
} from '../core/resources.ts'
import { organizationNameInKey } from '../tenants/tenant.ts'

/** A recorded request with its organization and the parsed body of its answer. */
export type RecordedRequest = ReturnType<typeof assignOrganizationsToRequests>[number]

/** The objects in the list `name` of an answer; empty if there is no such list. */
export function objectsInList(value: unknown, name: string): JsonObject[] {
  const found = valueAtPath(value, name)
  return Array.isArray(found) ? found.filter((one) => typeof one === 'object' && one !== null) : []
}

/** Returns a value if it is a string, else undefined. */
export const asString = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

/** Returns a recorded value if it is a number in the range that rows can hold, else undefined. */
export const toRowNumber = (value: unknown): number | undefined => boundedNumberSchema.safeParse(value).data

/** Converts a recorded value to an id that rows can have; undefined if it cannot be one. */
export function asRowId(value: unknown): string | undefined {
  return resourceIdSchema.safeParse(idAsText(value)).data
}

/** Converts a recorded moment to ms since the epoch; undefined if it is none. */
export function asEpochMs(value: unknown): number | undefined {
  const at = Date.parse(asString(value) ?? '')
  return Number.isNaN(at) ? undefined : at
}

/** True if a recording has the credential itself, and not a placeholder in its place. */
export const isRecordedSecret = (text: string | undefined): text is string =>
  text !== undefined && /^[\w.~+/=:-]{4,}$/.test(text)

/** The identity of the key of a request: the key itself, or the numbered placeholder that `proxy` writes for it. */
function keyIdentityOf({ requestHeaders }: RecordedExchange): string | undefined {
  const [, key = ''] = /^bearer +(\S+)$/i.exec(requestHeaders.authorization ?? '') ?? []
  return isRecordedSecret(key) || isNumberedRedactionPlaceholder(key) ? key : undefined
}

/**
 * Parses recorded requests and assigns each to its organization: the one that the recorder names, else the one that
 * `whoami` reported for its key, else one for all remaining requests.
 */
export function assignOrganizationsToRequests(entries: readonly RecordedExchange[]) {
  const owner = new Map<string, string>()
  const read = entries.map((one) => {
    const key = keyIdentityOf(one)
    return { ...one, json: parseJson(one.text), key, secret: isRecordedSecret(key) ? key : undefined }
  })
  for (const { json, key, operation, organization } of read) {
    const id = organization ?? (operation === 'whoami' ? idAsText(valueAtPath(json, 'org', 'id')) : undefined)
    if (key !== undefined && id !== undefined) owner.set(key, id)
  }
  const isKeyShown = read.some(({ secret }) => secret !== undefined)
  const names = new Map<string, string>()
  const nameOf = (id: string, secret = '') => {
    const usual = names.size === 0 ? 'demo' : names.size === 1 ? 'other' : `other-${names.size}`
    const name = names.get(id) ?? organizationNameInKey(secret) ?? usual
    names.set(id, name)
    return name
  }
  const [first = ''] = owner.values()
  return read.map((one) => {
    const { key, secret, json, status, text } = one
    const id = one.organization ?? owner.get(key ?? '') ?? (owner.size > 0 ? first : '')
    const created = one.operation === 'createKey' ? asString(valueAtPath(json, 'secret')) : undefined
    if (created !== undefined) owner.set(created, id)
    // A service answers 500 in JSON.
    const isOfGateway = status === 502 || status === 504 || (status === 500 && json === undefined)
    return {
      ...one,
      /** The organization that sent it. */
      org: nameOf(id, secret),
      /** True if it came without a key, although the recording shows keys. */
      isAnonymous: isKeyShown && one.requestHeaders.authorization === undefined,
      isSuccess: status >= 200 && status < 300 && (json !== undefined || text === undefined),
      /** The answer is that of a gateway. */
      isOfGateway,
      /** True if no answer of the service came, or none that can be read: the request may have had its effect. */
      isLost: isOfGateway || status === 0 || (status < 300 && text !== undefined && json === undefined),
      /** True if the answer is one of the service, and its JSON is broken. */
      isMalformed: status > 0 && status < 500 && Boolean(text) && json === undefined,
    }
  })
}

/**
 * Assumptions about a recording that make a replay match it although no recorded answer shows them, such as which runs
 * failed.
 */
export type RebuildCorrections = ReturnType<typeof createEmptyRebuildCorrections>

/** Creates the empty set of corrections with which the first trial replay begins. */
export const createEmptyRebuildCorrections = () => ({
  /** Runs that failed, as `task_id#n`: the n-th of its task. */
  failed: new Set<string>(),
  /** Numbers of the unanswered requests that took effect and were charged. */
  took: new Set<number>(),
  /** Credits that an organization must have had in addition to those that answers showed, by its name. */
  credits: new Map<string, number>(),
})

/** A run that was accepted in a recording. */
export type RecordedRun = ReturnType<typeof runsInRecording>[0][number]

type SeenTask = ReturnType<typeof newSeenTask>

/** The status of a task in an answer. `finished` is undefined in a list, which does not say. */
type Look = Readonly<{ at: number; status: string; finished: boolean | undefined; ended: number | undefined }>

/** A task that a recording shows. `isOld`: true if it existed before the recording. */
const newSeenTask = (id: string, text: string, item: unknown, isOld: boolean) => ({
  ...{ id, text, item: Object(item) as object, isOld },
  looks: [] as Look[],
})

/** The length that is assumed for a run whose end no answer shows, ms. */
export const defaultRunMs = 2_000

/** True if a word for a task status, as a recorded service used it, means that a run is over. */
export const isFinalStatusWord = (status: string) =>
  /^(?:complete|fail|done|error|success|succeed|cancel|finish)/i.test(status)
/** True if a word for a task status, as a recorded service used it, means that a run has failed. */
export const isFailedStatusWord = (status: string) => /fail|error/i.test(status)
/** True if a word for a task status, as a recorded service used it, means that a run is active or waits. */
export const isActiveStatusWord = (status: string) =>
  /^(?:in_progress|running|queued|busy|started)/i.test(status)

/** Collects the tasks that a recording shows, by id, and the numbers of the unanswered creations that took effect. */
export function tasksInRecording(entries: readonly RecordedRequest[]): [Map<string, SeenTask>, Set<number>] {
  const tasks = new Map<string, SeenTask>()
  const took = new Set<number>()
  const lost: RecordedRequest[] = []
  const look = (item: unknown, one: RecordedRequest, finished?: boolean) => {
    const [id, text] = [asRowId(valueAtPath(item, 'id')), asString(valueAtPath(item, 'text')) ?? '']
    if (id === undefined) return
    const creation = tasks.has(id)
      ? undefined
      : lost.find((one) => !took.has(one.number) && sentText(one).trim() === text)
    if (creation) took.add(creation.number)
    const task =
      tasks.get(id) ?? newSeenTask(id, creation ? sentText(creation) : text, item, creation === undefined)
    const ended = asEpochMs(valueAtPath(item, 'finished_at'))
    task.looks.push({ at: one.at, status: asString(valueAtPath(item, 'status')) ?? '', finished, ended })
    tasks.set(id, task)
  }
  for (const one of entries) {
    const { operation, json, isSuccess, isLost } = one
    if (operation === 'createTask' && isLost) lost.push(one)
    if (!isSuccess) continue
    const item = valueAtPath(json, 'task')
    const id = asRowId(valueAtPath(item, 'id'))
    if (operation === 'createTask' && id !== undefined && !tasks.has(id))
      tasks.set(id, newSeenTask(id, sentText(one), item, false))
    if (operation === 'getTask') look(item, one, valueAtPath(json, 'finished') === true)
    if (operation === 'listTasks') for (const item of objectsInList(json, 'items')) look(item, one)
  }
  return [tasks, took]
}

const sentText = ({ requestBody }: RecordedRequest) =>
  asString(valueAtPath(parseJson(requestBody), 'text')) ?? ''

/**
 * Collects the runs that were accepted in a recording, and the numbers of the unanswered run requests that were
 * accepted too.
 */
export function runsInRecording(
  entries: readonly RecordedRequest[],
  tasks: ReadonlyMap<string, SeenTask>,
  corrections: RebuildCorrections,
) {
  const took = new Set<number>()
  const asked = entries.filter(({ operation }) => operation === 'runTask')
  const runs = asked.flatMap((one) => {
    const task_id = asRowId(decodedPathId(one))
    if (task_id === undefined) return []
    const next = asked.find(
      (other) => other.at > one.at && other.isSuccess && decodedPathId(other) === task_id,
    )
    const looks = tasks.get(task_id)?.looks ?? []
    const before = looks.findLast(({ at }) => at < one.at)?.status
    const after = looks.find(({ at }) => at > one.at && at < (next?.at ?? Number.POSITIVE_INFINITY))
    const isSeen =
      after !== undefined &&
      (after.finished === true ||
        isActiveStatusWord(after.status) ||
        (before !== undefined && after.status !== before))
    const isAccepted = one.isSuccess || (one.status === 409 && errorCodeOf(one) === 'busy')
    if (one.isLost && (isSeen || corrections.took.has(one.number))) took.add(one.number)
    if (!isAccepted && !took.has(one.number)) return []
    const id = asRowId(valueAtPath(one.json, 'runId'))
    /** `isOver`: the run had ended when the request was answered; `isBusy`: the run had to wait. */
    const [isOver, isBusy] = [valueAtPath(one.json, 'finished') === true, one.status === 409]
    return [{ task_id, id, at: one.at, isOver, isBusy }]
  })
  return [runs, took] as const
}

/** Predicts the outcome and the length of a run in a rebuilt mock, from what the recording shows of that run. */
export function predictedRunEnd(
  run: RecordedRun,
  i: number,
  runs: readonly RecordedRun[],
  task: SeenTask | undefined,
  corrections: RebuildCorrections,
): PredictedIdsAndRuns['runs'][number] {
  const { task_id, id, at } = run
  const next = runs.slice(i + 1).find((one) => one.task_id === task_id)?.at ?? Number.POSITIVE_INFINITY
  const looks = (task?.looks ?? []).filter((one) => one.at > at && one.at < next)
  const ended = looks.find((one) => one.finished ?? (one.ended !== undefined && one.ended >= at))
  const going = looks.findLast((one) => one.finished === false || isActiveStatusWord(one.status))
  const from = going ? going.at - at : 0
  const to = ended ? ended.at - at : Math.max(from, defaultRunMs) * 2
  const exact =
    ended?.ended !== undefined && ended.ended >= at && ended.ended <= ended.at ? ended.ended - at : undefined
  const takes_ms = run.isOver
    ? 0
    : (exact ?? (from < defaultRunMs && defaultRunMs <= to ? defaultRunMs : (from + to) / 2))
  const nth = runs.slice(0, i).filter((one) => one.task_id === task_id).length
  const fails = corrections.failed.has(`${task_id}#${nth}`) || isFailedStatusWord(ended?.status ?? '')
  return { ...(id === undefined ? {} : { id }), task_id, outcome: fails ? 'failed' : 'completed', takes_ms }
}

/** Finds which words the recorded service uses for the statuses of tasks, as far as its answers show them. */
export function recordedStatusWords(
  entries: readonly RecordedRequest[],
  tasks: ReadonlyMap<string, SeenTask>,
  runs: readonly RecordedRun[],
  foretold: PredictedIdsAndRuns['runs'],
): Partial<Record<TaskStatus, string>> {
  const words: Partial<Record<TaskStatus, string>> = {}
  for (const { id, looks, isOld } of tasks.values())
    for (const { at, status, finished } of looks) {
      const run = runs.findLastIndex((one) => one.task_id === id && one.at < at)
      if (run < 0 && !isOld) words.pending = status
      else if (run >= 0 && finished === false) words[runs[run]?.isBusy ? 'queued' : 'in_progress'] = status
      else if (run >= 0 && finished === true) words[foretold[run]?.outcome ?? 'completed'] = status
    }
  for (const { operation, json, isSuccess } of entries) {
    const created =
      operation === 'createTask' && isSuccess ? asString(valueAtPath(json, 'task', 'status')) : undefined
    if (created !== undefined) words.pending = created
  }
  return Object.fromEntries(Object.entries(words).filter(([name, word]) => word !== '' && word !== name))
}
