/** Requests with their answers, of which the histories of defects are made: tasks, documents, notifications, keys, pages. */
import type { OperationId } from '#contract/operation.ts'
import { answeredRequest, type GivenRequest } from './history.ts'

export const letter = { id: 't1', text: 'Write a letter.', status: 'new', description: null }
export const written = answeredRequest('createTask', { task: letter }, { body: { text: letter.text } })
export const plan = { id: 'd1', title: 'Plan of the year' }
export const task = { id: 't1', text: 'Write.', status: 'new', description: null }
export const created = answeredRequest('createTask', { task }, { body: { text: task.text } })
export const read = (finished: boolean, change = {}) =>
  answeredRequest('getTask', { task: { ...task, ...change }, finished }, { resource: 't1' })
export const tasks = (...items: unknown[]) => answeredRequest('listTasks', { items })
export const ran = (json: unknown, resource = 't1', status = 200) =>
  answeredRequest('runTask', json, { resource, status })
export const refused = (status: number, error: string) => ({ status, json: { error, message: 'No.' } })

export const body = { title: 'Plan', content_md: '# Plan', summary: 'A plan of it.', folder_id: 'f1' }
export const item = { id: 'd1', ...body }
export const filed = answeredRequest('createDocument', { item }, { body })
export const opened = (change: object) =>
  answeredRequest('getDocument', { item: { ...item, ...change } }, { resource: 'd1' })
export const random = { id: 'doc_7x2k9q4m', title: 'Plan' }
export const documents = (query: Record<string, string>, ...items: unknown[]) =>
  answeredRequest('listDocuments', { items }, { query })

export const notes = (read: boolean, unread = 1) =>
  answeredRequest('listNotifications', { items: [{ id: 'n1', read }], unread })
export const marked = (json: unknown = { ok: true }, status = 200) =>
  answeredRequest('readNotification', json, { resource: 'n1', status })

export const inbox = (unread: number, ...ids: string[]) =>
  answeredRequest('listNotifications', { items: ids.map((id) => ({ id, read: false })), unread })

export const key = { id: 'k1', name: 'Key', prefix: 'wak_1' }
export const made = answeredRequest('createKey', { key, secret: 's' }, { id: 100, body: { name: 'Key' } })
export const deleted = answeredRequest('deleteKey', { ok: true }, { resource: 'k1' })
export const used = (status = 200) =>
  answeredRequest('whoami', status === 401 ? { error: 'unauthorized', message: 'No.' } : {}, {
    key: 100,
    status,
  })
export const keys = (...listed: unknown[]) => answeredRequest('listKeys', { keys: listed })

export const whoami = (credits: number, id = 'o1', tenant = 'main') =>
  answeredRequest('whoami', { org: { id }, credits }, { tenant })
/** The same, asked by another organization. */
export const elsewhere = (given: GivenRequest): GivenRequest => ({ ...given, tenant: 'other' })
/** The same, answered that it does not exist. */
export const notFound = (given: GivenRequest): GivenRequest => ({ ...given, ...refused(404, 'not_found') })

export const unseen = 'Of somebody else'
/** A creation that is refused; with 401 it is nobody's. */
export const asked = (operation: OperationId, status: number, body: object) =>
  answeredRequest(
    operation,
    { error: 'unavailable' },
    { status, body, ...(status === 401 && { tenant: null }) },
  )

export const page = { id: 'p1', business_name: 'Bakery' }
export const published = answeredRequest('createLandingPage', page, { body: { business_name: 'Bakery' } })
export const pages = (...items: unknown[]) => answeredRequest('listLandingPages', { items })

export const over = (id: string, status: string) =>
  answeredRequest('getTask', { task: { ...task, id, status }, finished: true }, { resource: id })
/** A task that has run, with its final status. */
export const ended = (id: string, status: string) => [ran({}, id), over(id, status)]

/** Creations and readings, and the text that they hold. */
export const spaced = [
  ['createTask', 'getTask', 'task', 'text'],
  ['createDocument', 'getDocument', 'item', 'content_md'],
] as const

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
