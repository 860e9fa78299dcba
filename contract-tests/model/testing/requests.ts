/** Requests with their answers, of which the histories of defects are made: tasks, documents, notifications, keys, pages. */
import type { OperationId } from '#contract/operation.ts'
import { answeredRequest, type GivenRequest } from './history.ts'

/** A task, as answers show it. */
export const letter = { id: 't1', text: 'Write a letter.', status: 'new', description: null }
/** The creation of `letter`. */
export const written = answeredRequest('createTask', { task: letter }, { body: { text: letter.text } })
/** A document, as answers show it. */
export const plan = { id: 'd1', title: 'Plan of the year' }
/** A task with a text of one word. */
export const task = { id: 't1', text: 'Write.', status: 'new', description: null }
/** The creation of `task`. */
export const created = answeredRequest('createTask', { task }, { body: { text: task.text } })
/** A read of `task` by its id. */
export const read = (finished: boolean, change = {}) =>
  answeredRequest('getTask', { task: { ...task, ...change }, finished }, { resource: 't1' })
/** The list of tasks. */
export const tasks = (...items: unknown[]) => answeredRequest('listTasks', { items })
/** A run of a task, requested. */
export const ran = (json: unknown, resource = 't1', status = 200) =>
  answeredRequest('runTask', json, { resource, status })
/** The status and body of a refusal. */
export const refused = (status: number, error: string) => ({ status, json: { error, message: 'No.' } })

/** A document in a folder, as it is sent. */
export const body = { title: 'Plan', content_md: '# Plan', summary: 'A plan of it.', folder_id: 'f1' }
/** The same document, as answers show it. */
export const item = { id: 'd1', ...body }
/** The creation of `item`, which is in a folder. */
export const filed = answeredRequest('createDocument', { item }, { body })
/** A read of `item` by its id, with some fields changed. */
export const opened = (change: object) =>
  answeredRequest('getDocument', { item: { ...item, ...change } }, { resource: 'd1' })
/** A document with an id that nobody guesses. */
export const random = { id: 'doc_7x2k9q4m', title: 'Plan' }
/** A list of documents, by its query. */
export const documents = (query: Record<string, string>, ...items: unknown[]) =>
  answeredRequest('listDocuments', { items }, { query })

/** A list of one notification. */
export const notes = (read: boolean, unread = 1) =>
  answeredRequest('listNotifications', { items: [{ id: 'n1', read }], unread })
/** The marking of that notification as read. */
export const marked = (json: unknown = { ok: true }, status = 200) =>
  answeredRequest('readNotification', json, { resource: 'n1', status })

/** A list of unread notifications. */
export const inbox = (unread: number, ...ids: string[]) =>
  answeredRequest('listNotifications', { items: ids.map((id) => ({ id, read: false })), unread })

/** A key, as lists show it. */
export const key = { id: 'k1', name: 'Key', prefix: 'wak_1' }
/** The creation of `key`, event 100. */
export const made = answeredRequest('createKey', { key, secret: 's' }, { id: 100, body: { name: 'Key' } })
/** The deletion of `key`. */
export const deleted = answeredRequest('deleteKey', { ok: true }, { resource: 'k1' })
/** A request with `key` as the credential. */
export const used = (status = 200) =>
  answeredRequest('whoami', status === 401 ? { error: 'unauthorized', message: 'No.' } : {}, {
    key: 100,
    status,
  })
/** The list of keys. */
export const keys = (...listed: unknown[]) => answeredRequest('listKeys', { keys: listed })

/** A reading of the balance. */
export const whoami = (credits: number, id = 'o1', tenant = 'main') =>
  answeredRequest('whoami', { org: { id }, credits }, { tenant })
/** The same, asked by another organization. */
export const elsewhere = (given: GivenRequest): GivenRequest => ({ ...given, tenant: 'other' })
/** The same, answered that it does not exist. */
export const notFound = (given: GivenRequest): GivenRequest => ({ ...given, ...refused(404, 'not_found') })

/** A text that no earlier answer showed. */
export const unseen = 'Of somebody else'
/** A creation that is refused; with 401 it is nobody's. */
export const asked = (operation: OperationId, status: number, body: object) =>
  answeredRequest(
    operation,
    { error: 'unavailable' },
    { status, body, ...(status === 401 && { tenant: null }) },
  )

/** A landing page, as answers show it. */
export const page = { id: 'p1', business_name: 'Bakery' }
/** The creation of `page`. */
export const published = answeredRequest('createLandingPage', page, { body: { business_name: 'Bakery' } })
/** The list of landing pages. */
export const pages = (...items: unknown[]) => answeredRequest('listLandingPages', { items })

/** A read that shows a task finished. */
export const over = (id: string, status: string) =>
  answeredRequest('getTask', { task: { ...task, id, status }, finished: true }, { resource: id })
/** A task that has run, with its final status. */
export const ended = (id: string, status: string) => [ran({}, id), over(id, status)]

/** The operations that create and read a text, and the member and the field that hold it. */
export const spaced = [
  ['createTask', 'getTask', 'task', 'text'],
  ['createDocument', 'getDocument', 'item', 'content_md'],
] as const

/** Queries of the three lists of documents. */
export const lists = { documents: { all: '1' }, filed: { folder_id: 'f1' }, unfiled: {} } as const

/** Three creations, and a list that lacks the second. */
export function middleLeftOut(
  create: 'createTask' | 'createDocument' | 'createLandingPage',
  body: object,
): GivenRequest[] {
  const ids = ['x1', 'x2', 'x3'] as const
  const made = ids.map((id) => ({ id, ...body }))
  const answerOf = { createTask: 'task', createDocument: 'item', createLandingPage: undefined }[create]
  const listOf = {
    createTask: 'listTasks',
    createDocument: 'listDocuments',
    createLandingPage: 'listLandingPages',
  } as const
  const query = 'folder_id' in body ? { folder_id: 'f1' } : {}
  return [
    ...made.map((one) => answeredRequest(create, answerOf ? { [answerOf]: one } : one, { body })),
    answeredRequest(listOf[create], { items: [made[0], made[2]] }, { query }),
  ]
}
