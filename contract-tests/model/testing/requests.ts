/** Requests with their answers, of which the histories of defects are made: tasks, documents, notifications, keys, pages. */
import type { OperationId } from '#contract/operation.ts'
import { answeredRequest, type GivenRequest } from './history.ts'

/** A task to write a letter, as answers show it. */
export const letterTask = { id: 't1', text: 'Write a letter.', status: 'new', description: null }
/** The request that creates `letterTask`, with its answer. */
export const letterCreated = answeredRequest(
  'createTask',
  { task: letterTask },
  { body: { text: letterTask.text } },
)
/** A document with a plan as its title, as answers show it. */
export const planDocument = { id: 'd1', title: 'Plan of the year' }
/** A task with a text of one word, as answers show it. */
export const oneWordTask = { id: 't1', text: 'Write.', status: 'new', description: null }
/** The request that creates `oneWordTask`, with its answer. */
export const taskCreated = answeredRequest(
  'createTask',
  { task: oneWordTask },
  { body: { text: oneWordTask.text } },
)
/** A read of `oneWordTask` by its id, with some fields changed. */
export const taskRead = (finished: boolean, change = {}) =>
  answeredRequest('getTask', { task: { ...oneWordTask, ...change }, finished }, { resource: 't1' })
/** A request of the list of tasks, answered with these items. */
export const tasksListed = (...items: unknown[]) => answeredRequest('listTasks', { items })
/** A request to run a task, with its answer. */
export const taskRan = (json: unknown, resource = 't1', status = 200) =>
  answeredRequest('runTask', json, { resource, status })
/** The status and the body of an error answer that refuses a request. */
export const refusalAnswer = (status: number, error: string) => ({ status, json: { error, message: 'No.' } })

/** The body that creates a document in a folder. */
export const bodyOfFiledDocument = {
  title: 'Plan',
  content_md: '# Plan',
  summary: 'A plan of it.',
  folder_id: 'f1',
}
/** A document in a folder, as answers show it. */
export const documentInFolder = { id: 'd1', ...bodyOfFiledDocument }
/** The request that creates `documentInFolder`, with its answer. */
export const filedDocumentCreated = answeredRequest(
  'createDocument',
  { item: documentInFolder },
  { body: bodyOfFiledDocument },
)
/** A read of `documentInFolder` by its id, with some fields changed. */
export const filedDocumentRead = (change: object) =>
  answeredRequest('getDocument', { item: { ...documentInFolder, ...change } }, { resource: 'd1' })
/** A document with a random id, which no other organization has by chance. */
export const randomIdDocument = { id: 'doc_7x2k9q4m', title: 'Plan' }
/** A request for a list of documents with this query, answered with these items. */
export const documentsListed = (query: Record<string, string>, ...items: unknown[]) =>
  answeredRequest('listDocuments', { items }, { query })

/** A request of the list of notifications, answered with one, read or unread. */
export const notificationListed = (read: boolean, unread = 1) =>
  answeredRequest('listNotifications', { items: [{ id: 'n1', read }], unread })
/** A request that marks the notification of `notificationListed` as read, with its answer. */
export const notificationMarked = (json: unknown = { ok: true }, status = 200) =>
  answeredRequest('readNotification', json, { resource: 'n1', status })

/** A request of the list of notifications, answered with these unread ones and this unread count. */
export const unreadListed = (unread: number, ...ids: string[]) =>
  answeredRequest('listNotifications', { items: ids.map((id) => ({ id, read: false })), unread })

/** A key, as lists show it. */
export const sampleKey = { id: 'k1', name: 'Key', prefix: 'wak_1' }
/** The request that creates `sampleKey`, with its answer; its event has the id 100. */
export const keyCreated = answeredRequest(
  'createKey',
  { key: sampleKey, secret: 's' },
  { id: 100, body: { name: 'Key' } },
)
/** The request that deletes `sampleKey`, with its answer. */
export const keyDeleted = answeredRequest('deleteKey', { ok: true }, { resource: 'k1' })
/** A request with `sampleKey` as its credential, with its answer. */
export const keyUsed = (status = 200) =>
  answeredRequest('whoami', status === 401 ? { error: 'unauthorized', message: 'No.' } : {}, {
    key: 100,
    status,
  })
/** A request of the list of keys, answered with these keys. */
export const keysListed = (...listed: unknown[]) => answeredRequest('listKeys', { keys: listed })

/** A request of whoami, answered with this balance, credits. */
export const whoamiAnswered = (credits: number, id = 'o1', tenant = 'main') =>
  answeredRequest('whoami', { org: { id }, credits }, { tenant })
/** A copy of a request as the other organization sends it. */
export const byOtherOrganization = (given: GivenRequest): GivenRequest => ({
  ...given,
  tenant: 'other',
})
/** A copy of a request, answered with 404 `not_found` instead. */
export const notFoundAnswered = (given: GivenRequest): GivenRequest => ({
  ...given,
  ...refusalAnswer(404, 'not_found'),
})

/** A text that no earlier answer showed. */
export const neverShownText = 'Of somebody else'
/** A creation that is refused with this status; with 401 it belongs to no organization. */
export const creationRefused = (operation: OperationId, status: number, body: object) =>
  answeredRequest(
    operation,
    { error: 'unavailable' },
    { status, body, ...(status === 401 && { tenant: null }) },
  )

/** A landing page, as answers show it. */
export const sampleLandingPage = { id: 'p1', business_name: 'Bakery' }
/** The request that creates `sampleLandingPage`, with its answer. */
export const landingPageCreated = answeredRequest('createLandingPage', sampleLandingPage, {
  body: { business_name: 'Bakery' },
})
/** A request of the list of landing pages, answered with these items. */
export const landingPagesListed = (...items: unknown[]) => answeredRequest('listLandingPages', { items })

/** A read of a task, answered that it is finished with this status. */
export const finishedTaskRead = (id: string, status: string) =>
  answeredRequest('getTask', { task: { ...oneWordTask, id, status }, finished: true }, { resource: id })
/** A run of a task, and a read that shows the task finished with this status. */
export const taskRunAndRead = (id: string, status: string) => [taskRan({}, id), finishedTaskRead(id, status)]

/**
 * Pairs of operations that create something with a text and read it: both operations, the property of the answer that holds
 * it, and its field with the text.
 */
export const textCreateReadPairs = [
  ['createTask', 'getTask', 'task', 'text'],
  ['createDocument', 'getDocument', 'item', 'content_md'],
] as const

/** The queries of the three lists of documents. */
export const documentListQueries = {
  documents: { all: '1' },
  filed: { folder_id: 'f1' },
  unfiled: {},
} as const

/** Three creations, and a list that lacks the second of what they created. */
export function creationsWithMiddleUnlisted(
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
