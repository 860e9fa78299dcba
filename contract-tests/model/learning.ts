/** What each operation teaches, when it is sent and when it is answered; of paid work, `paid-work.ts`. Every answer is believed. */
import { type OperationId, routeOf } from '#contract/operation.ts'
import { field, idOf } from '#traffic/exchange.ts'
import { expectCreated, learnCreating, learnNamed, learnOwner } from './creations.ts'
import { type Answered, type ArrangedEvent, areApart, isSuccess, type RequestEvent } from './event.ts'
import {
  factOf,
  hadEffect,
  type Item,
  identified,
  intervalOf,
  isBefore,
  isEmpty,
  numberAt,
  sameAs,
  settled,
  statusIn,
  telling,
  textAt,
} from './matching.ts'
import { expectPaid, learnCreative, learnCredits, learnOver, learnPaid, wasMadeToFail } from './paid-work.ts'
import { variantsOf } from './shape.ts'
import {
  type Document,
  type Fact,
  type Interval,
  type Key,
  type Notification,
  type Organization,
  type Reading,
  type State,
  staysAfter,
  type Task,
  type Told,
} from './state.ts'

/** Most intervals of a state that are remembered. */
const mostIntervals = 20

/** A state may have its effect from the moment it is asked for. */
export function expectArranged(
  org: Organization,
  { id: by, state, action, sent: from }: ArrangedEvent,
): void {
  const known = org.arranged.get(state) ?? []
  if (action === 'setup' && !known.some((one) => one.by === by))
    org.arranged.set(state, [...known, { by, from, to: null }].slice(-mostIntervals))
}

/** A teardown ends it. */
export function learnTornDown(org: Organization, { state, action, received: to }: ArrangedEvent): void {
  if (action === 'teardown')
    org.arranged.set(
      state,
      (org.arranged.get(state) ?? []).map((one) => (one.to === null ? { ...one, to } : one)),
    )
}

/** Counts the refusals of the same request since another answer to it, but for those that a state arranged. */
export function learnAvailability(org: Organization, event: Answered): void {
  if (event.operation === 'generateCreative' && wasMadeToFail(org, event)) return
  const same = sameAs(event)
  const { status, received } = event.answer
  org.limited = status === 429 ? { value: received.place, by: event.id } : undefined
  if (status === 503)
    org.unavailable.set(same, [...(org.unavailable.get(same) ?? []), event.id].slice(1 - staysAfter))
  else {
    org.unavailable.delete(same)
    if (routeOf(event.operation).auth === 'key' && isSuccess(event.answer)) org.served = event.sent.place
  }
}

const names = ['title', 'content_md', 'summary', 'folder_id'] as const

/** The texts that a body or an item shows. */
function fieldsOf(value: unknown, by: number): Document['fields'] {
  const fields: Record<string, Fact<string>> = {}
  for (const name of names) {
    const fact = factOf(textAt(value, name), by)
    if (fact && !isEmpty(fact.value)) fields[name] = fact
  }
  return fields
}

function learnCreatedDocument(org: Organization, event: Answered, state: State): void {
  const id = idOf(field(event.answer.json, 'item', 'id'))
  if (!isSuccess(event.answer) || id === undefined) return
  // An empty text may be a folder of that name.
  const isUnfiled =
    (field(event.body, 'folder_id') ?? null) === null &&
    isEmpty(field(event.answer.json, 'item', 'folder_id'))
  org.documents.set(id, { born: intervalOf(event), fields: fieldsOf(event.body, event.id), isUnfiled })
  learnNamed(org, id, textAt(event.body, 'title'), event)
  learnOwner(state, 'document', id, event)
}

function learnDocument(org: Organization, { id: by, resource: id, answer }: Answered): void {
  const item = field(answer.json, 'item')
  if (!isSuccess(answer) || id === undefined || idOf(field(item, 'id')) !== id) return
  const known = org.documents.get(id)
  org.documents.set(id, { ...known, fields: { ...fieldsOf(item, by), ...known?.fields } })
}

function learnDocumentList(org: Organization, { id: by, answer }: Answered): void {
  for (const { id, item } of identified(answer.json)) {
    const title = factOf(textAt(item, 'title'), by)
    if (title && !org.documents.has(id)) org.documents.set(id, { fields: { title } })
  }
}

/** A later creation may be answered with the same page. */
function learnCreatedPage(org: Organization, event: Answered, state: State): void {
  const { json } = event.answer
  const id = idOf(field(json, 'id'))
  if (!isSuccess(event.answer) || id === undefined) return
  const known = org.pages.get(id)
  const changed = intervalOf(event)
  const isLast = !known || isBefore(known.changed, changed)
  const name = isLast ? textAt(json, 'business_name') : undefined
  org.pages.set(id, { born: known?.born ?? changed, changed, name })
  learnNamed(org, id, textAt(event.body, 'business_name'), event)
  learnOwner(state, 'page', id, event)
}

/** Changes the last key that had an id: ids of deleted keys may come again. */
function changeKey({ keys }: Organization, id: string | undefined, to: (key: Key) => Partial<Key>): void {
  const [by, key] = [...keys].findLast(([, one]) => id !== undefined && one.id === id) ?? []
  if (by !== undefined && key) keys.set(by, { ...key, ...to(key) })
}

function learnCreatedKey(org: Organization, event: Answered, state: State): void {
  if (!isSuccess(event.answer)) return
  const { json } = event.answer
  const id = idOf(field(json, 'key', 'id')) ?? idOf(field(json, 'id'))
  const prefix = factOf(textAt(json, 'key', 'prefix'), event.id)
  const name = textAt(event.body, 'name')
  org.keys.set(event.id, { born: intervalOf(event), id, name, prefix, deletions: [], foreign: [] })
  learnOwner(state, 'key', id, event)
  learnNamed(org, id, name, event)
}

/** The list tells what the creation did not: prefixes, and ids by their names, where one key has it. */
function learnKeyList(org: Organization, event: Answered): void {
  const entries = identified(event.answer.json, 'keys')
  if (isSuccess(event.answer)) org.keyList ??= intervalOf(event)
  learnIds(org, entries)
  for (const { id, item } of entries) {
    if (!org.listedKeys.has(id)) org.listedKeys.set(id, intervalOf(event))
    changeKey(org, id, ({ prefix }) => ({ prefix: prefix ?? factOf(textAt(item, 'prefix'), event.id) }))
  }
}

function learnIds(org: Organization, entries: readonly Item[]): void {
  for (const [by, key] of org.keys) {
    if (key.id !== undefined || key.name === undefined) continue
    const named = entries.filter(({ item }) => field(item, 'name') === key.name)
    const [entry] = named
    const isOnly = [...org.keys.values()].filter(({ name }) => name === key.name).length === 1
    if (named.length === 1 && entry && isOnly) org.keys.set(by, { ...key, id: entry.id })
  }
}

/** The organizations that a request may reach from the moment it is sent, by right or not. */
function reachedBy({ id: by, tenant, sent: from }: RequestEvent, { organizations }: State) {
  const interval: Interval = { by, from, to: null }
  return [...organizations].map(([name, org]) => ({ org, isForeign: areApart(name, tenant), interval }))
}

/** A request to delete it may have its effect from the moment it is sent: on a key of its own organization. */
function expectDeletion(_: Organization, event: RequestEvent, state: State): void {
  for (const { org, isForeign, interval } of reachedBy(event, state))
    changeKey(org, event.resource, ({ deletions, foreign }) =>
      isForeign ? { foreign: [...foreign, interval] } : { deletions: [...deletions, interval] },
    )
}

/** An answer tells whether it had. */
function learnDeletion(org: Organization, event: Answered): void {
  const interval = intervalOf(event)
  changeKey(org, event.resource, ({ deletions, deleted }) => ({
    deletions: settled(deletions, interval, hadEffect(event.answer)),
    deleted: deleted ?? (isSuccess(event.answer) ? interval : undefined),
  }))
}

/** A key that opened a route, or was refused. */
export function learnUse(org: Organization, event: Answered): void {
  const key = event.key === undefined ? undefined : org.keys.get(event.key)
  if (event.key === undefined || !key) return
  if (isSuccess(event.answer)) org.keys.set(event.key, { ...key, works: key.works ?? intervalOf(event) })
  if (event.answer.status === 401) org.keys.set(event.key, { ...key, dead: key.dead ?? intervalOf(event) })
}

const newNotification: Notification = { marks: [], foreign: [] }

/** Lists that are remembered; of those in a row with the same count, the first and the last. */
const mostInboxes = 8

function changeNotification(
  { notifications }: Organization,
  id: string,
  to: (known: Notification) => Partial<Notification>,
): void {
  const known = notifications.get(id) ?? newNotification
  notifications.set(id, { ...known, ...to(known) })
}

function learnNotificationList(org: Organization, event: Answered): void {
  const interval = intervalOf(event)
  const items = identified(event.answer.json)
  const unread = numberAt(event.answer.json, 'unread')
  const shown = new Map(items.map(({ id, item }) => [id, field(item, 'read') === false]))
  if (isSuccess(event.answer) && unread !== undefined) {
    const isSame = org.inboxes.length > 1 && org.inboxes.slice(-2).every((one) => one.unread === unread)
    const kept = isSame ? org.inboxes.slice(0, -1) : org.inboxes
    org.inboxes = [...kept.slice(1 - mostInboxes), { ...interval, unread, shown }]
  }
  for (const { id, item } of items) {
    const read = field(item, 'read')
    changeNotification(org, id, ({ seen }) => ({ seen: seen ?? interval }))
    if (read === false)
      changeNotification(org, id, ({ read, unread }) => ({ unread: read ? unread : interval }))
    if (read === true)
      changeNotification(org, id, (known) => ({ read: known.read ?? { ...interval, marked: false } }))
  }
}

/** A request to mark it may have its effect from the moment it is sent. */
function expectMark(own: Organization, event: RequestEvent, state: State): void {
  const { resource } = event
  if (resource === undefined) return
  for (const { org, isForeign, interval } of reachedBy(event, state))
    if (org === own || org.notifications.has(resource))
      changeNotification(org, resource, ({ marks, foreign }) =>
        isForeign ? { foreign: [...foreign, interval] } : { marks: [...marks, interval] },
      )
}

/** An answer tells whether it had. Only what was listed is known to exist. */
function learnMark(org: Organization, event: Answered): void {
  const { resource: id, answer } = event
  if (id === undefined) return
  const interval = intervalOf(event)
  changeNotification(org, id, ({ marks, read, unread }) => ({
    marks: settled(marks, interval, hadEffect(answer)),
    read: isSuccess(answer) && unread ? (read ?? { ...interval, marked: true }) : read,
  }))
}

const newTask: Task = { runs: [], foreign: [], readings: [] }

/** Readings that are remembered of each task. */
const mostReadings = 16

function changeTask({ tasks }: Organization, id: string, to: (task: Task) => Partial<Task>): void {
  const task = tasks.get(id) ?? newTask
  tasks.set(id, { ...task, ...to(task) })
}

/** Different characters of an id that is drawn at random, at least. */
const mixed = 10

/** Notes whose a text is, or an id, that nobody else uses by chance. Two organizations tell of any third one that it is not its own. */
function learnTold({ told }: State, value: string, event: Answered): void {
  const { tenant } = event
  const texts = told.get(value.length) ?? new Map<string, readonly Told[]>()
  const known = texts.get(value) ?? []
  if (value.length < telling || known.length > 1 || known.some((one) => one.tenant === tenant)) return
  told.set(value.length, texts.set(value, [...known, { tenant, born: intervalOf(event) }]))
}

function learnCreatedTask(org: Organization, event: Answered, state: State): void {
  const id = idOf(field(event.answer.json, 'task', 'id'))
  if (!isSuccess(event.answer) || id === undefined) return
  const text = textAt(event.body, 'text') ?? textAt(event.answer.json, 'task', 'text')
  const first = textAt(event.answer.json, 'task', 'status')
  const born = intervalOf(event)
  // A clock of whole seconds does not tell a run from the creation before it.
  const since = (all: readonly Interval[]) => all.filter((one) => !isBefore(one, born))
  changeTask(org, id, ({ runs, foreign }) => ({
    ...newTask,
    ...{ runs: since(runs), foreign: since(foreign), born, text: factOf(text, event.id), first },
  }))
  learnNamed(org, id, text, event)
  learnOwner(state, 'task', id, event)
  learnTold(state, text?.trim() ?? '', event)
  // Ids that are counted may be alike in two organizations.
  if (new Set(id).size >= mixed) learnTold(state, id, event)
}

function learnTask(org: Organization, event: Answered, state: State): void {
  const { resource: id, answer } = event
  if (!isSuccess(answer) || id === undefined || idOf(field(answer.json, 'task', 'id')) !== id) return
  const text = factOf(textAt(answer.json, 'task', 'text'), event.id)
  changeTask(org, id, (task) => ({ text: task.text ?? text, readings: withReading(task, event, 'task') }))
  if (field(answer.json, 'finished') === true) learnOver(org, event, state)
}

function withReading({ readings }: Task, event: Answered, said: Reading['said']): readonly Reading[] {
  const finished = field(event.answer.json, 'finished')
  if (typeof finished !== 'boolean') return readings
  const status = textAt(event.answer.json, 'task', 'status')
  return [...readings.slice(1 - mostReadings), { ...intervalOf(event), finished, said, status }]
}

function learnTaskList(org: Organization, event: Answered, state: State): void {
  for (const { id, item } of identified(event.answer.json)) {
    const text = factOf(textAt(item, 'text'), event.id)
    if (text && !org.tasks.get(id)?.text) changeTask(org, id, () => ({ text }))
    const status = textAt(item, 'status')
    if (status === undefined || !showsEnd(org.tasks.get(id), event, status, state)) continue
    const reading: Reading = { ...intervalOf(event), finished: true, said: 'list', status }
    changeTask(org, id, ({ readings }) => ({ readings: [...readings.slice(1 - mostReadings), reading] }))
  }
}

/** Whether a list tells that the only run of a task is over: by a status that a finished task had, and not this one at first. */
function showsEnd(task: Task | undefined, { tenant }: Answered, status: string, { finalStatuses }: State) {
  if (task?.first === undefined || status === task.first) return false
  if (task.runs.length !== 1 || task.foreign.length > 0) return false
  if (task.readings.some(({ finished }) => finished)) return false
  const { ordinary, failed } = finalStatuses
  return [ordinary, failed].some((known) => known.has(`${tenant} ${status}`))
}

/** A request to run may have its effect from the moment it is sent. */
function expectRun(own: Organization, event: RequestEvent, state: State): void {
  const { resource } = event
  if (resource === undefined) return
  for (const { org, isForeign, interval } of reachedBy(event, state))
    if (org === own || org.tasks.has(resource))
      changeTask(org, resource, ({ runs, foreign }) =>
        isForeign ? { foreign: [...foreign, interval] } : { runs: [...runs, interval] },
      )
}

/** An answer tells whether it had. */
function learnRun(org: Organization, event: Answered): void {
  const { resource: id, answer } = event
  if (id === undefined) return
  const effect = hadEffect(answer)
  changeTask(org, id, (task) => ({
    runs: settled(task.runs, intervalOf(event), effect),
    readings: isSuccess(answer) ? withReading(task, event, 'run') : task.readings,
  }))
  const runId = idOf(field(answer.json, 'runId'))
  // A refusal may name the run that goes on.
  if (isSuccess(answer) && runId !== undefined)
    org.issuedIds.set(`run ${runId}`, { ...intervalOf(event), of: id })
}

function learnVariant(_: Organization, event: Answered, { variants }: State): void {
  const shown = isSuccess(event.answer) ? variantsOf(event) : []
  if (shown.length > 0 && !variants.some((one) => one.shown.join() === shown.join()))
    variants.push({ by: event.id, shown })
}

function learnStatus(_: Organization, event: Answered, { statuses }: State): void {
  const seen = statusIn(event)
  const key = seen && `${event.tenant} ${seen.status} ${seen.finished}`
  if (key !== undefined && !statuses.has(key)) statuses.set(key, event.id)
}

type Lesson<E> = (org: Organization, event: E, state: State) => void
type Table<E> = Readonly<Partial<Record<OperationId, readonly Lesson<E>[]>>>

/** From the moment a request is sent it may have its effect. */
export const onRequest: Table<RequestEvent> = {
  createTask: [expectCreated],
  createDocument: [expectCreated],
  createKey: [expectCreated],
  createLandingPage: [expectCreated],
  runTask: [expectRun, expectPaid],
  generateCreative: [expectPaid],
  readNotification: [expectMark],
  deleteKey: [expectDeletion],
}

export const onAnswer: Table<Answered> = {
  whoami: [learnOrganization, learnCredits],
  createKey: [learnCreatedKey, learnCreating],
  listKeys: [learnKeyList],
  deleteKey: [learnDeletion],
  listTasks: [learnTaskList, learnVariant],
  createTask: [learnCreatedTask, learnCreating, learnVariant],
  getTask: [learnTask, learnStatus],
  runTask: [learnRun, learnPaid, learnVariant, learnStatus],
  listDocuments: [learnDocumentList],
  getDocument: [learnDocument],
  createDocument: [learnCreatedDocument, learnCreating],
  listNotifications: [learnNotificationList],
  readNotification: [learnMark],
  generateCreative: [learnCreative],
  createLandingPage: [learnCreatedPage, learnCreating],
}

function learnOrganization(org: Organization, { id: by, answer }: Answered): void {
  const value = idOf(field(answer.json, 'org', 'id'))
  if (isSuccess(answer) && value !== undefined) org.id ??= { value, by }
}
