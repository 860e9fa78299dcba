/**
 * Updates of the state by operation, for requests and answers; paid work is in `paid-work.ts`. Every answer is
 * believed.
 */

import { type OperationId, routeOf } from '#contract/operation.ts'
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import {
  learnCreatedName,
  learnCreationOutcome,
  learnCreationRequest,
  learnResourceOwner,
} from './creations.ts'
import { type AnsweredRequest, isSuccess, type ProviderStateEvent, type RequestEvent } from './event.ts'
import { learnCreatedKey, learnDeletionOutcome, learnDeletionRequest, learnKeyList } from './key-updates.ts'
import {
  effectInterval,
  factIfDefined,
  hasEndedBefore,
  isBlank,
  itemsWithIds,
  listIdentity,
  minDistinctCharacters,
  minDistinctiveLength,
  requestSignature,
  settleEffectIntervals,
  showsAllIds,
  stringAt,
  taskProgressIn,
  tookEffect,
} from './matching.ts'
import { learnMarkOutcome, learnMarkRequest, learnNotificationList } from './notification-updates.ts'
import {
  learnBalance,
  learnGenerationOutcome,
  learnPaidWorkOutcome,
  learnPaidWorkRequest,
  learnRunCompletion,
  mayBeMadeToFail,
} from './paid-work.ts'
import { ownersOfRequestedResource } from './reached.ts'
import { variantsOf } from './shape.ts'
import {
  type EffectInterval,
  type Fact,
  type KnownDocument,
  type KnownOrganization,
  type KnownTask,
  type ModelState,
  minConsecutive503,
  type TaskReadingSource,
  type TaskStatusReading,
  type TextOwnership,
  type UnfinishedTaskReading,
} from './state.ts'

/** Maximum number of remembered intervals of a provider state. */
const maxStateIntervals = 20

/** Records that a provider state is being set up: it may be in force from then on. */
export function learnProviderStateSetup(
  org: KnownOrganization,
  { id: eventId, state, action, sent: from }: ProviderStateEvent,
): void {
  const known = org.arrangedStates.get(state) ?? []
  if (action === 'setup' && !known.some((one) => one.eventId === eventId))
    org.arrangedStates.set(state, [...known, { eventId, from, to: null }].slice(-maxStateIntervals))
}

/** Records that a provider state was torn down. */
export function learnProviderStateTeardown(
  org: KnownOrganization,
  { state, action, received: to }: ProviderStateEvent,
): void {
  if (action === 'teardown')
    org.arrangedStates.set(
      state,
      (org.arrangedStates.get(state) ?? []).map((one) => (one.to === null ? { ...one, to } : one)),
    )
}

/**
 * Records what later 429 and 503 answers are judged by: the last 429, consecutive 503s to the same request, and the
 * last successful request with a key.
 */
export function learnLimitsAndOutages(org: KnownOrganization, event: AnsweredRequest): void {
  if (event.operation === 'generateCreative' && mayBeMadeToFail(org, event)) return
  const same = requestSignature(event)
  const { status, received } = event.answer
  org.lastRateLimit = status === 429 ? { value: received.seq, eventId: event.id } : undefined
  if (status === 503)
    org.recentUnavailable.set(
      same,
      [...(org.recentUnavailable.get(same) ?? []), event.id].slice(1 - minConsecutive503),
    )
  else {
    org.recentUnavailable.delete(same)
    if (routeOf(event.operation).auth === 'key' && isSuccess(event.answer)) org.lastServedSeq = event.sent.seq
  }
}

const textFields = ['title', 'content_md', 'summary', 'folder_id'] as const

/** The texts that a body or an item shows. */
function fieldsOf(value: unknown, eventId: number): KnownDocument['fields'] {
  const fields: Record<string, Fact<string>> = {}
  for (const name of textFields) {
    const fact = factIfDefined(stringAt(value, name), eventId)
    if (fact && !isBlank(fact.value)) fields[name] = fact
  }
  return fields
}

function learnCreatedDocument(org: KnownOrganization, event: AnsweredRequest, state: ModelState): void {
  const id = idAsText(valueAtPath(event.answer.json, 'item', 'id'))
  if (!isSuccess(event.answer) || id === undefined) return
  // An empty text may be a folder of that name.
  const isOutsideFolders =
    (valueAtPath(event.body, 'folder_id') ?? null) === null &&
    isBlank(valueAtPath(event.answer.json, 'item', 'folder_id'))
  org.documents.set(id, {
    created: effectInterval(event),
    fields: fieldsOf(event.body, event.id),
    isOutsideFolders,
  })
  const folder = stringAt(event.body, 'folder_id')
  if (folder !== undefined && !org.folders.has(folder)) org.folders.set(folder, effectInterval(event))
  learnCreatedName(org, id, stringAt(event.body, 'title'), event)
  learnResourceOwner(state, 'document', id, event)
}

function learnDocument(org: KnownOrganization, event: AnsweredRequest, state: ModelState): void {
  const { id: eventId, resource: id, answer } = event
  const item = valueAtPath(answer.json, 'item')
  if (!isSuccess(answer) || id === undefined || idAsText(valueAtPath(item, 'id')) !== id) return
  const known = org.documents.get(id)
  if (!known) learnResourceOwner(state, 'document', id, event)
  org.documents.set(id, { ...known, fields: { ...fieldsOf(item, eventId), ...known?.fields } })
}

function learnDocumentList(org: KnownOrganization, event: AnsweredRequest, state: ModelState): void {
  for (const { id, item } of itemsWithIds(event.answer.json)) {
    const title = factIfDefined(stringAt(item, 'title'), event.id)
    if (!title || org.documents.has(id)) continue
    org.documents.set(id, { fields: { title } })
    learnResourceOwner(state, 'document', id, event)
  }
}

/** Records a landing page that a creation showed; later creations may return the same page. */
function learnCreatedPage(org: KnownOrganization, event: AnsweredRequest, state: ModelState): void {
  const { json } = event.answer
  const id = idAsText(valueAtPath(json, 'id'))
  if (!isSuccess(event.answer) || id === undefined) return
  const known = org.pages.get(id)
  const lastChange = effectInterval(event)
  const isLast = !known || hasEndedBefore(known.lastChange, lastChange)
  const name = isLast ? stringAt(json, 'business_name') : undefined
  org.pages.set(id, { created: known?.created ?? lastChange, lastChange, name })
  learnCreatedName(org, id, stringAt(event.body, 'business_name'), event)
  learnResourceOwner(state, 'page', id, event)
}

const newTask: KnownTask = { runs: [], foreignRequests: [], readings: [] }

/** Maximum number of remembered readings of a task. */
const maxReadings = 16

function changeTask(
  { tasks }: KnownOrganization,
  id: string,
  to: (task: KnownTask) => Partial<KnownTask>,
): void {
  const task = tasks.get(id) ?? newTask
  tasks.set(id, { ...task, ...to(task) })
}

/**
 * Records the owners of distinctive texts and ids. Two owners suffice to prove that a third organization is not one.
 */
function learnKnownText({ knownTexts }: ModelState, value: string, event: AnsweredRequest): void {
  const { tenant } = event
  const texts = knownTexts.get(value.length) ?? new Map<string, readonly TextOwnership[]>()
  const known = texts.get(value) ?? []
  if (value.length < minDistinctiveLength || known.length > 1 || known.some((one) => one.tenant === tenant))
    return
  knownTexts.set(value.length, texts.set(value, [...known, { tenant, created: effectInterval(event) }]))
}

function learnCreatedTask(org: KnownOrganization, event: AnsweredRequest, state: ModelState): void {
  const id = idAsText(valueAtPath(event.answer.json, 'task', 'id'))
  if (!isSuccess(event.answer) || id === undefined) return
  const text = stringAt(event.body, 'text') ?? stringAt(event.answer.json, 'task', 'text')
  const initialStatus = stringAt(event.answer.json, 'task', 'status')
  const created = effectInterval(event)
  // Timestamps in whole seconds do not separate a run from the creation before it.
  const since = (all: readonly EffectInterval[]) => all.filter((one) => !hasEndedBefore(one, created))
  changeTask(org, id, ({ runs, foreignRequests }) => ({
    ...newTask,
    ...{
      runs: since(runs),
      foreignRequests: since(foreignRequests),
      created,
      text: factIfDefined(text, event.id),
      initialStatus,
    },
  }))
  learnCreatedName(org, id, text, event)
  learnResourceOwner(state, 'task', id, event)
  learnKnownText(state, text?.trim() ?? '', event)
  // Sequential ids may be equal in two organizations.
  if (new Set(id).size >= minDistinctCharacters) learnKnownText(state, id, event)
}

function learnTask(org: KnownOrganization, event: AnsweredRequest, state: ModelState): void {
  const { resource: id, answer } = event
  if (!isSuccess(answer) || id === undefined || idAsText(valueAtPath(answer.json, 'task', 'id')) !== id)
    return
  const text = factIfDefined(stringAt(answer.json, 'task', 'text'), event.id)
  changeTask(org, id, (task) => ({ text: task.text ?? text, readings: withReading(task, event, 'task') }))
  if (valueAtPath(answer.json, 'finished') === true) learnRunCompletion(org, event, state)
}

function withReading(
  { readings }: KnownTask,
  event: AnsweredRequest,
  source: TaskReadingSource,
): readonly TaskStatusReading[] {
  const finished = valueAtPath(event.answer.json, 'finished')
  if (typeof finished !== 'boolean') return readings
  const status = stringAt(event.answer.json, 'task', 'status')
  const reading = finished ? { ...effectInterval(event), finished, source, status } : unfinished[source]
  return [...readings.slice(1 - maxReadings), reading]
}

const unfinished = {
  run: { finished: false, source: 'run' },
  task: { finished: false, source: 'task' },
  list: { finished: false, source: 'list' },
} as const satisfies Readonly<Record<TaskReadingSource, UnfinishedTaskReading>>

function learnTaskList(org: KnownOrganization, event: AnsweredRequest, state: ModelState): void {
  for (const { id, item } of itemsWithIds(event.answer.json)) {
    const text = factIfDefined(stringAt(item, 'text'), event.id)
    if (!org.tasks.has(id)) learnResourceOwner(state, 'task', id, event)
    if (text && !org.tasks.get(id)?.text) changeTask(org, id, () => ({ text }))
    const status = stringAt(item, 'status')
    if (status === undefined || !showsEnd(org.tasks.get(id), event, status, state)) continue
    const reading = { ...effectInterval(event), finished: true, source: 'list', status } as const
    changeTask(org, id, ({ readings }) => ({ readings: [...readings.slice(1 - maxReadings), reading] }))
  }
}

/**
 * True if a list shows that a task's only run is complete: by a known final status that differs from the initial one.
 */
function showsEnd(
  task: KnownTask | undefined,
  { tenant }: AnsweredRequest,
  status: string,
  { finalStatuses }: ModelState,
) {
  if (task?.initialStatus === undefined || status === task.initialStatus) return false
  if (task.runs.length !== 1 || task.foreignRequests.length > 0) return false
  if (task.readings.some(({ finished }) => finished)) return false
  const { ordinary, failed } = finalStatuses
  return [ordinary, failed].some((known) => known.has(`${tenant} ${status}`))
}

/** Records that the run of a task was requested, which may be accepted from then on. */
function expectRun(own: KnownOrganization, event: RequestEvent, state: ModelState): void {
  const { resource } = event
  if (resource === undefined) return
  const has = (org: KnownOrganization) => org === own || org.tasks.has(resource)
  for (const { org, isForeign, interval } of ownersOfRequestedResource(event, state, has))
    changeTask(org, resource, ({ runs, foreignRequests }) =>
      isForeign ? { foreignRequests: [...foreignRequests, interval] } : { runs: [...runs, interval] },
    )
}

/** Records whether a run was accepted, by the answer to its request. */
function learnRun(org: KnownOrganization, event: AnsweredRequest): void {
  const { resource: id, answer } = event
  if (id === undefined) return
  const effect = tookEffect(answer)
  changeTask(org, id, (task) => ({
    runs: settleEffectIntervals(task.runs, effectInterval(event), effect),
    readings: isSuccess(answer) ? withReading(task, event, 'run') : task.readings,
  }))
  const runId = idAsText(valueAtPath(answer.json, 'runId'))
  // Refusals may name the pending run.
  if (isSuccess(answer) && runId !== undefined)
    org.issuedIds.set(`run ${runId}`, { ...effectInterval(event), of: id })
}

function learnVariant(_: KnownOrganization, event: AnsweredRequest, { shownVariants }: ModelState): void {
  const shown = isSuccess(event.answer) ? variantsOf(event) : []
  if (shown.length > 0 && !shownVariants.some((one) => one.shown.join() === shown.join()))
    shownVariants.push({ eventId: event.id, shown })
}

function learnStatus(_: KnownOrganization, event: AnsweredRequest, { firstByStatus }: ModelState): void {
  const seen = taskProgressIn(event)
  const key = seen && `${event.tenant} ${seen.status} ${seen.finished}`
  if (key !== undefined && !firstByStatus.has(key)) firstByStatus.set(key, event.id)
}

type StateUpdate<E> = (org: KnownOrganization, event: E, state: ModelState) => void
type UpdatesByOperation<E> = Readonly<Partial<Record<OperationId, readonly StateUpdate<E>[]>>>

/** The functions that update the state of the model when a request is sent, by operation. */
export const updatesOnRequestSent: UpdatesByOperation<RequestEvent> = {
  createTask: [learnCreationRequest],
  createDocument: [learnCreationRequest],
  createKey: [learnCreationRequest],
  createLandingPage: [learnCreationRequest],
  runTask: [expectRun, learnPaidWorkRequest],
  generateCreative: [learnPaidWorkRequest],
  readNotification: [learnMarkRequest],
  deleteKey: [learnDeletionRequest],
}

/** The functions that update the state of the model when an answer arrives, by operation. */
export const updatesOnAnswerReceived: UpdatesByOperation<AnsweredRequest> = {
  whoami: [learnOrganization, learnBalance],
  createKey: [learnCreatedKey, learnCreationOutcome],
  listKeys: [learnKeyList],
  deleteKey: [learnDeletionOutcome],
  listTasks: [learnTaskList, learnVariant, learnLongestList],
  createTask: [learnCreatedTask, learnCreationOutcome, learnVariant],
  getTask: [learnTask, learnStatus],
  runTask: [learnRun, learnPaidWorkOutcome, learnVariant, learnStatus],
  listDocuments: [learnDocumentList, learnLongestList],
  listLandingPages: [learnLongestList],
  getDocument: [learnDocument],
  createDocument: [learnCreatedDocument, learnCreationOutcome],
  listNotifications: [learnNotificationList],
  readNotification: [learnMarkOutcome],
  generateCreative: [learnGenerationOutcome],
  createLandingPage: [learnCreatedPage, learnCreationOutcome],
}

function learnLongestList(org: KnownOrganization, event: AnsweredRequest): void {
  const entries = itemsWithIds(event.answer.json)
  if (!isSuccess(event.answer) || !showsAllIds(event.answer.json)) return
  const list = listIdentity(event)
  if (entries.length >= (org.longestLists.get(list)?.entries.length ?? 0))
    org.longestLists.set(list, { ...effectInterval(event), entries })
}

function learnOrganization(org: KnownOrganization, { id: eventId, answer }: AnsweredRequest): void {
  const value = idAsText(valueAtPath(answer.json, 'org', 'id'))
  if (isSuccess(answer) && value !== undefined) org.id ??= { value, eventId }
}
