/** §4 Endpoints: the core routes. */
import { ofRoute, type Sentence } from './sentence.ts'

const general: readonly Sentence[] = [
  {
    section: '§4',
    text: 'All bodies and responses are JSON.',
    requirements: ['ANSWER-JSON', 'INPUT-MALFORMED-*', 'INPUT-EMPTY-*', 'INPUT-NOT-OBJECT-*'],
  },
  { section: '§4', text: 'Errors follow section 7.', requirements: ['ERROR-*'] },
  {
    section: '§4',
    text: 'Auth is key unless marked cookie.',
    requirements: ['AUTH-MISSING-*', 'AUTH-INVALID-*', 'AUTH-SESSION-*', 'AUTH-KEY-*'],
  },
]

const identity: readonly Sentence[] = [
  {
    section: '§4 Identity and keys',
    text: 'GET | /api/cli/whoami | key | none | { org: { id, name or null }, plan, credits } | free',
    requirements: ofRoute('whoami'),
  },
  {
    section: '§4 Identity and keys',
    text: 'POST | /api/cli/keys | cookie | { name } | { key, secret } (secret shown once) | free',
    requirements: [...ofRoute('createKey'), 'KEY-WORKS', 'KEY-NAME', 'KEY-SECRET-ONCE'],
  },
  {
    section: '§4 Identity and keys',
    text: 'GET | /api/cli/keys | cookie | none | { keys: [ { id, name, prefix, last_used_at, ... } ] } | free',
    requirements: [...ofRoute('listKeys'), 'KEY-LISTED'],
  },
  {
    section: '§4 Identity and keys',
    text: 'DELETE | /api/cli/keys/:id | cookie | none | { ok } | free',
    requirements: [
      ...ofRoute('deleteKey'),
      'KEY-DELETE-OK',
      'KEY-DELETE-ONE',
      'KEY-DELETE-AGAIN',
      'KEY-DELETED-UNLISTED',
    ],
  },
]

const tasks: readonly Sentence[] = [
  {
    section: '§4 Tasks',
    text: 'GET | /api/cli/tasks | none | { items, credits } in one description; { items, usedToday, limit, remaining } in the other | free',
    requirements: [
      ...ofRoute('listTasks'),
      'TASK-LISTED',
      'TASK-LISTED-LAST',
      'RUN-LISTED',
      'ISOLATION-LIST-TASKS',
    ],
    note: 'One of the two shapes must be complete; both at once are legitimate.',
  },
  {
    section: '§4 Tasks',
    text: 'POST | /api/cli/tasks | { text } (string) | { task, credits } in one description; { task } in the other | free',
    requirements: [...ofRoute('createTask'), 'TASK-TEXT-*'],
  },
  {
    section: '§4 Tasks',
    text: 'GET | /api/cli/tasks/:id | none | { task, finished } | free',
    requirements: [...ofRoute('getTask'), 'TASK-READABLE'],
  },
  {
    section: '§4 Tasks',
    text: 'POST | /api/cli/tasks/:id/run | none | { taskId, status, finished } in one description; { ok, status, runId } in the other; or 402 | 1 credit',
    requirements: [
      ...ofRoute('runTask'),
      'RUN-TASK-ID',
      'RUN-OK',
      'RUN-ANSWER-FINISHED',
      'NO-CREDITS-REFUSED',
      'CREDITS-RUN-COSTS-ONE',
    ],
  },
  {
    section: '§4 Tasks',
    text: 'A client tolerates either response shape and reads the fields it needs when they are present.',
    requirements: ['VARIANT-CONSISTENT'],
    note: 'It is about clients: mixing the shapes is advised against, not forbidden.',
  },
]

const documents: readonly Sentence[] = [
  {
    section: '§4 Documents',
    text: 'GET | /api/cli/documents | query folder_id (string), all=1 | { items } | free',
    requirements: [
      ...ofRoute('listDocuments'),
      'DOC-ALL',
      'DOC-LISTED-LAST',
      'DOC-ALL-FILED',
      'DOC-UNFILED',
      'DOC-FOLDER',
      'DOC-FOLDER-ONLY',
      'ISOLATION-LIST-DOCUMENTS',
      'ISOLATION-LIST-FILED',
      'ISOLATION-LIST-UNFILED',
    ],
    note: 'What the filters leave out is a SHOULD: the specification does not describe it.',
  },
  {
    section: '§4 Documents',
    text: 'GET | /api/cli/documents/:id | none | { item } | free',
    requirements: [...ofRoute('getDocument'), 'DOC-READABLE', 'DOC-KEEPS-*'],
  },
  {
    section: '§4 Documents',
    text: 'POST | /api/cli/documents | { title, kind?, content_md?, summary?, folder_id? } | { item } | free',
    requirements: [
      ...ofRoute('createDocument'),
      'DOC-FIELDS-ACCEPTED',
      'DOC-ANSWER-TITLE',
      'DOC-TEXT-*',
      'DOC-CONTENT-LONG',
      'DOC-TITLE-SPACES',
    ],
  },
  {
    section: '§4 Documents',
    text: 'Allowed values of kind: not shown.',
    reason: 'The suite leaves kind out: no value is known to be allowed.',
  },
]

const notifications: readonly Sentence[] = [
  {
    section: '§4 Notifications',
    text: 'GET | /api/cli/notifications | none | { items, unread } | free',
    requirements: [...ofRoute('listNotifications'), 'ISOLATION-LIST-NOTIFICATIONS'],
  },
  {
    section: '§4 Notifications',
    text: 'POST | /api/cli/notifications/:id/read | none | { ok } | free',
    requirements: [
      ...ofRoute('readNotification'),
      'NOTIFICATION-READ-OK',
      'NOTIFICATION-UNKNOWN',
      'NOTIFICATION-ODD-ID',
    ],
  },
]

export const coreRoutes = { general, identity, tasks, documents, notifications } as const
