/** For each rule of the model a defect, and the shortest history that shows it. */
import type { OperationId } from '#contract/operation.ts'
import { answerDefectHistories, type HistoriesByDefect, rowPerKind } from './answer-defects.ts'
import { answeredRequest, type GivenRequest } from './history.ts'

const letter = { id: 't1', text: 'Write a letter.', status: 'new', description: null }
const written = answeredRequest('createTask', { task: letter }, { body: { text: letter.text } })
const plan = { id: 'd1', title: 'Plan of the year' }
const task = { id: 't1', text: 'Write.', status: 'new', description: null }
const created = answeredRequest('createTask', { task }, { body: { text: task.text } })
const read = (finished: boolean, change = {}) =>
  answeredRequest('getTask', { task: { ...task, ...change }, finished }, { resource: 't1' })
const tasks = (...items: unknown[]) => answeredRequest('listTasks', { items })
const ran = (json: unknown, resource = 't1', status = 200) =>
  answeredRequest('runTask', json, { resource, status })
const refused = (status: number, error: string) => ({ status, json: { error, message: 'No.' } })

const body = { title: 'Plan', content_md: '# Plan', summary: 'A plan of it.', folder_id: 'f1' }
const item = { id: 'd1', ...body }
const filed = answeredRequest('createDocument', { item }, { body })
const opened = (change: object) =>
  answeredRequest('getDocument', { item: { ...item, ...change } }, { resource: 'd1' })
const random = { id: 'doc_7x2k9q4m', title: 'Plan' }
const documents = (query: Record<string, string>, ...items: unknown[]) =>
  answeredRequest('listDocuments', { items }, { query })

const notes = (read: boolean, unread = 1) =>
  answeredRequest('listNotifications', { items: [{ id: 'n1', read }], unread })
const marked = (json: unknown = { ok: true }, status = 200) =>
  answeredRequest('readNotification', json, { resource: 'n1', status })

const inbox = (unread: number, ...ids: string[]) =>
  answeredRequest('listNotifications', { items: ids.map((id) => ({ id, read: false })), unread })

const key = { id: 'k1', name: 'Key', prefix: 'wak_1' }
const made = answeredRequest('createKey', { key, secret: 's' }, { id: 100, body: { name: 'Key' } })
const deleted = answeredRequest('deleteKey', { ok: true }, { resource: 'k1' })
const used = (status = 200) =>
  answeredRequest('whoami', status === 401 ? { error: 'unauthorized', message: 'No.' } : {}, {
    key: 100,
    status,
  })
const keys = (...listed: unknown[]) => answeredRequest('listKeys', { keys: listed })

const whoami = (credits: number, id = 'o1', tenant = 'main') =>
  answeredRequest('whoami', { org: { id }, credits }, { tenant })
/** The same, asked by another organization. */
const elsewhere = (given: GivenRequest): GivenRequest => ({ ...given, tenant: 'other' })
/** The same, answered that it does not exist. */
const notFound = (given: GivenRequest): GivenRequest => ({ ...given, ...refused(404, 'not_found') })

const unseen = 'Of somebody else'
/** A creation that is refused; with 401 it is nobody's. */
const asked = (operation: OperationId, status: number, body: object) =>
  answeredRequest(
    operation,
    { error: 'unavailable' },
    { status, body, ...(status === 401 && { tenant: null }) },
  )

const page = { id: 'p1', business_name: 'Bakery' }
const published = answeredRequest('createLandingPage', page, { body: { business_name: 'Bakery' } })
const pages = (...items: unknown[]) => answeredRequest('listLandingPages', { items })

const over = (id: string, status: string) =>
  answeredRequest('getTask', { task: { ...task, id, status }, finished: true }, { resource: id })
/** A task that has run, with its final status. */
const ended = (id: string, status: string) => [ran({}, id), over(id, status)]

/** Creations and readings, and the text that they hold. */
const spaced = [
  ['createTask', 'getTask', 'task', 'text'],
  ['createDocument', 'getDocument', 'item', 'content_md'],
] as const

const lists = { documents: { all: '1' }, filed: { folder_id: 'f1' }, unfiled: {} } as const

/** Three creations, and a list that lacks the second. */
function middleLeftOut(
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

/** The shortest history that each rule of the model must object to, by `rule: defect`. */
export const ruleDefectHistories: HistoriesByDefect = {
  'organization-stable: the id of an organization changes': [whoami(1), whoami(1, 'o2')],
  'organization-own: two organizations have one id': [whoami(1), whoami(1, 'o1', 'other')],
  'isolated-get-task: a task of another organization is shown': [created, elsewhere(read(false))],
  'isolated-get-document: a document of another organization is shown': [filed, elsewhere(opened({}))],
  ...rowPerKind(
    [
      ['getTask', written, letter.text],
      ['runTask', written, letter.text],
      ['getDocument', answeredRequest('createDocument', { item: plan }, { body: plan }), plan.title],
    ] as const,
    ([operation, made, text]) => [
      `unmentioned-${operation}: an error tells the text of another organization`,
      made,
      elsewhere(
        answeredRequest(
          operation,
          { error: 'not_found', message: `${text} is not yours.` },
          { resource: operation === 'getDocument' ? plan.id : letter.id, status: 404 },
        ),
      ),
    ],
  ),
  'foreign-run-refused: a run of a task of another organization meets a conflict': [
    answeredRequest('createTask', { task: { ...letter, id: random.id } }, { body: { text: letter.text } }),
    elsewhere({ ...ran({}, random.id), ...refused(409, 'invalid_request') }),
  ],
  'isolated-shown-document: a document opens that only another organization has in its list': [
    elsewhere(documents({ all: '1' }, random)),
    documents({ all: '1' }),
    answeredRequest('getDocument', { item: random }, { resource: random.id }),
  ],
  'isolated-list-tasks: a task of another organization is listed': [created, elsewhere(tasks(task))],
  ...rowPerKind(Object.entries(lists), ([list, query]) => [
    `isolated-list-${list}: a document of another organization is listed`,
    filed,
    elsewhere(documents(query, item)),
  ]),
  'isolated-list-keys: a key of another organization is listed': [made, elsewhere(keys(key))],
  'isolated-list-landing-pages: a page of another organization is listed': [
    published,
    elsewhere(pages(page)),
  ],
  'isolated-listNotifications: a notification tells of a task of another organization': [
    written,
    elsewhere(
      answeredRequest('listNotifications', {
        items: [{ id: 'n1', read: true, text: '“Write a letter.” ended' }],
      }),
    ),
  ],
  'isolated-readNotification: another organization marks a notification': [
    notes(false),
    elsewhere(marked()),
    notes(true),
  ],
  'isolated-runTask: another organization runs a task': [
    created,
    elsewhere(ran({ error: 'not_found' }, 't1', 404)),
    read(true),
  ],
  'isolated-deleteKey: another organization deletes a key': [made, used(), elsewhere(deleted), used(401)],
  'key-secret-new: two keys have one secret': [made, { ...made, id: 50, secret: 100, json: {} }],
  'key-id-new: two keys have one id': [made, { ...made, id: 50 }],
  'key-prefix-listed: a key is listed with another prefix': [made, keys({ ...key, prefix: 'wak_2…' })],
  'deleted-key-dead: a deleted key works': [made, deleted, used()],
  'deleted-again: a key that is deleted again is refused with 400 and another code': [
    made,
    deleted,
    { ...deleted, ...refused(400, 'other') },
  ],
  'refused-key-stays-dead: a deleted key works again': [made, deleted, used(401), used()],
  'living-key-works: a key is refused for no reason': [made, used(), used(401)],
  'refused-deletion: a key is dead whose deletion was refused': [
    made,
    used(),
    { ...deleted, tenant: null, status: 401, json: { error: 'unauthorized', message: 'No.' } },
    used(401),
  ],
  'new-key-works: a new key is refused': [made, used(401), used(401)],
  'key-name-listed: a key is listed with another name': [made, keys({ ...key, name: 'Kay' })],
  'key-created-once: two keys are listed where one was created': [
    keys(),
    made,
    keys(key, { ...key, id: 'k2' }),
  ],
  'deleted-key-unlisted: a deleted key is listed': [made, deleted, keys(key)],
  'key-last-used: a key that was never used is listed with the year 1': [
    made,
    keys({ ...key, last_used_at: '0001-01-01T00:00:00Z' }),
  ],
  'key-unused: a key that was never used is listed with a time': [
    made,
    keys({ ...key, last_used_at: null }),
    keys({ ...key, last_used_at: '2026-01-02T03:04:05Z' }),
  ],
  'deletion-ok: a deletion succeeds and says that it did not': [
    made,
    answeredRequest('deleteKey', { ok: false }, { resource: 'k1' }),
  ],
  'deletion-accepted: a key that exists cannot be deleted': [made, notFound(deleted)],
  'task-answered: the response to a creation shows another text': [
    { ...created, json: { task: { ...task, text: 'W' } } },
  ],
  'task-id-new: two tasks have one id': [created, { ...created, id: 50 }],
  'task-identity: another task is read': [
    answeredRequest('getTask', { task, finished: false }, { resource: 't2' }),
  ],
  'task-stays: a created task is not found': [created, notFound(read(false))],
  'listed-task-stays: a listed task is not found': [tasks(task), notFound(read(false))],
  'task-text-kept: a text changes': [created, read(false, { text: 'Right.' })],
  'task-text-listed: a text is listed otherwise': [created, tasks({ ...task, text: 'Right.' })],
  ...rowPerKind(spaced, ([create, read, member, name]) => [
    `text-ends-${read}: a text loses the spaces around it`,
    answeredRequest(
      create,
      { [member]: { id: 'x1', title: 'A', [name]: ' A text ' } },
      { body: { title: 'A', [name]: ' A text ' } },
    ),
    answeredRequest(read, { [member]: { id: 'x1', title: 'A', [name]: 'A text' } }, { resource: 'x1' }),
  ]),
  ...rowPerKind(spaced, ([create, , , name]) => [
    `text-taken-${create}: a text is refused for what it holds`,
    {
      ...answeredRequest(
        create,
        {},
        { body: { [create === 'createTask' ? 'text' : 'title']: 'A', [name]: 'One\nTwo' } },
      ),
      ...refused(400, 'invalid_request'),
    },
  ]),
  'createTask-once: a creation makes two tasks': [
    answeredRequest('createTask', { task: letter }, { body: { text: letter.text } }),
    tasks({ ...letter, id: 't2' }, letter),
  ],
  'createDocument-once: a creation makes two documents': [
    answeredRequest('createDocument', { item: plan }, { body: { title: plan.title } }),
    documents({ all: '1' }, { ...plan, id: 'd2' }, plan),
  ],
  'task-listed: a new task is not listed': [created, tasks()],
  'task-left-out: a list shows an older and a newer task': middleLeftOut('createTask', { text: 'Write.' }),
  'document-left-out: a list that was longer lacks a document': [
    documents({ all: '1' }, { id: 'd8' }, { id: 'd9' }),
    filed,
    answeredRequest('createDocument', { item: { ...plan, id: 'd2' } }, { body: { title: plan.title } }),
    documents({ all: '1' }, { ...plan, id: 'd2' }),
  ],
  'filed-document-left-out: a folder shows an older and a newer document': middleLeftOut('createDocument', {
    title: 'Plan',
    folder_id: 'f1',
  }),
  'unfiled-document-left-out: a list shows an older and a newer document': middleLeftOut('createDocument', {
    title: 'Plan',
  }),
  'landing-page-left-out: a list shows an older and a newer page': middleLeftOut('createLandingPage', {
    business_name: 'Bakery',
  }),
  'task-listed-promptly: a new task is listed late': [created, tasks()],
  'new-unfinished: a task that never ran is finished': [created, read(true)],
  'created-idle: a task is born in_progress': [
    { ...created, json: { task: { ...task, status: 'in_progress' } } },
  ],
  'new-idle: a task that never ran is in_progress': [created, read(false, { status: 'in_progress' })],
  'finished-stays: a finished task is unfinished again': [read(true), read(false)],
  'finished-as-answered: the response says finished, the task does not': [
    ran({ finished: true }),
    read(false),
  ],
  'finished-as-listed: a finished task is listed in_progress': [
    read(true),
    tasks({ ...task, status: 'in_progress' }),
  ],
  'finished-once-listed: a task that was listed with a final status is unfinished': [
    created,
    ran({}, 't2'),
    { ...read(true, { id: 't2', status: 'done' }), resource: 't2' },
    ran({}),
    tasks({ ...task, status: 'done' }),
    read(false),
  ],
  'run-begun-ok: a run that is in progress is not ok': [ran({ ok: false, status: 'in_progress' })],
  'run-names-task: the response to a run names another task': [ran({ taskId: 't2' })],
  'run-id-unique: two runs have one id': [ran({ runId: 'r1' }), ran({ runId: 'r1' }, 't2')],
  'run-finds-task: a task that exists cannot be run': [created, notFound(ran({}))],
  'first-run-accepted: the first run is a conflict': [
    created,
    { ...ran({}), ...refused(409, 'invalid_request') },
  ],
  'document-answered: the response shows another title': [
    { ...filed, json: { item: { ...item, title: 'Plane' } } },
  ],
  'document-answered-apart: the response shows the summary of another document': [
    filed,
    answeredRequest(
      'createDocument',
      { item: { ...item, id: 'd2' } },
      { body: { ...body, summary: undefined } },
    ),
  ],
  'document-answered-whole: the response shows another summary': [
    { ...filed, json: { item: { ...item, summary: 'P' } } },
  ],
  'document-id-new: two documents have one id': [filed, { ...filed, id: 50 }],
  'document-identity: another document is read': [
    answeredRequest('getDocument', { item }, { resource: 'd2' }),
  ],
  'document-stays: a created document is not found': [filed, notFound(opened({}))],
  'listed-document-stays: a listed document is not found': [documents({}, item), notFound(opened({}))],
  'document-title-kept: a title changes': [filed, opened({ title: 'Plane' })],
  'document-content_md-kept: content is lost': [filed, opened({ content_md: null })],
  'document-summary-kept: a summary changes': [filed, opened({ summary: 'A plane.' })],
  'document-folder_id-kept: a document moves to another folder': [filed, opened({ folder_id: 'f2' })],
  'document-title-listed: a title is listed otherwise': [filed, documents({}, { ...item, title: 'Plane' })],
  'document-listed-apart: a summary is listed as the content': [
    filed,
    documents({}, { ...item, content_md: item.summary }),
  ],
  'document-filed: a folder shows a document of another': [filed, documents({ folder_id: 'f2' }, item)],
  'document-listed: a new document is not listed': [filed, documents({ all: '1' })],
  'document-listed-promptly: a new document is listed late': [filed, documents({ all: '1' })],
  'marked-read: a marked notification is unread': [notes(false, 2), marked(), notes(false)],
  'stays-read: a read notification is unread again': [notes(true), notes(false)],
  'stays-unread: a notification is read by itself': [notes(false), notes(true)],
  'new-unread: a new notification is read': [inbox(0), { arranged: 'unread_notification' }, notes(true)],
  'refused-marking-401: a notification is read whose marking was refused for want of a key': [
    notes(false),
    { ...marked({ error: 'unauthorized' }, 401), tenant: null },
    notes(true),
  ],
  ...rowPerKind([429, 503], (status) => [
    `refused-marking-${status}: a notification is read whose marking was refused, not that of another organization's`,
    { ...marked(), tenant: 'other' },
    notes(false),
    marked({ error: 'refused' }, status),
    notes(true),
  ]),
  'unread-counted: fewer are unread than are shown': [notes(false, 0)],
  'unread-after-marking: marking one counts as two': [inbox(5, 'n1'), marked(), inbox(3, 'n2')],
  'unread-without-marking: one is read by itself': [inbox(5, 'n1'), inbox(4, 'n1')],
  'notification-listed: some are unread and none is listed': [inbox(2), inbox(2)],
  'listed-once: a key is listed twice': [keys({ ...key, id: 'k2' }, { ...key, id: 'k2' })],
  'key-listed: a new key is not listed': [made, keys()],
  'key-listed-promptly: a new key is listed late': [made, keys()],
  'filed-document-listed: a folder hides its document': [filed, documents({ folder_id: 'f1' })],
  'unfiled-document-listed: a document without a folder is hidden': [
    answeredRequest('createDocument', { item: { id: 'd1', title: 'Plan' } }, { body: { title: 'Plan' } }),
    documents({}),
  ],
  'landing-page-listed: a new page is not listed': [published, pages()],
  'landing-page-listed-promptly: a new page is listed late': [published, pages()],
  'landing-page-name-listed: a page is listed with another name': [
    published,
    pages({ ...page, business_name: 'Butcher' }),
  ],
  'marking-accepted: a listed notification cannot be marked': [
    notes(false),
    marked({ error: 'not_found' }, 404),
  ],
  'marking-again-accepted: a notification that is read cannot be marked again': [
    notes(false),
    marked(),
    marked(refused(409, 'invalid_request').json, 409),
  ],
  ...rowPerKind([401, 429, 503], (status) => [
    `not-created-${status}-task: a task is there that was refused`,
    asked('createTask', status, { text: unseen }),
    tasks({ id: 't9', text: unseen }),
  ]),
  ...rowPerKind([401, 429, 503], (status) => [
    `not-created-${status}-document: a document is there that was refused`,
    asked('createDocument', status, { title: unseen }),
    documents({}, { id: 'd9', title: unseen }),
  ]),
  ...rowPerKind([401, 429, 503], (status) => [
    `not-created-${status}-landing-page: a landing page is there that was refused`,
    asked('createLandingPage', status, { business_name: unseen }),
    pages({ id: 'p9', business_name: unseen }),
  ]),
  'leftover-createTask: a task is there that was refused as bad input': [
    tasks(),
    answeredRequest('createTask', { error: 'invalid_request' }, { body: {}, status: 400 }),
    tasks({ id: 't9', text: '' }),
  ],
  'leftover-createDocument: a document is there that was refused as bad input': [
    documents({}),
    answeredRequest(
      'createDocument',
      { error: 'invalid_request' },
      { body: { title: unseen, content_md: {} }, status: 422 },
    ),
    documents({}, { id: 'd9', title: unseen }),
  ],
  'folder-still-taken: a second document of a folder is refused': [
    filed,
    answeredRequest('createDocument', { error: 'invalid_request' }, { body, status: 409 }),
  ],
  'not-created-401-key: a key is there that was refused': [
    asked('createKey', 401, { name: unseen }),
    keys({ id: 'k9', name: unseen }),
  ],
  'marking-ok: marking says that it failed': [marked({ ok: false })],
  'credits-explained-whoami: a credit disappears': [whoami(3), whoami(2)],
  'credits-explained-listTasks: the list shows another balance': [
    whoami(3),
    answeredRequest('listTasks', { items: [], credits: 4 }),
  ],
  'credits-explained-createTask: a creation shows another balance': [
    whoami(3),
    { ...created, json: { task, credits: 2 } },
  ],
  'refund-comes: a failed run is not refunded': [
    ...ended('t1', 'done'),
    { arranged: 'next_run_fails' },
    ...ended('t2', 'failed'),
    { arranged: 'credits' },
    whoami(3),
    { arranged: 'next_run_fails' },
    ...ended('t3', 'failed'),
    whoami(2),
  ],
  'affordable-runTask: a run is free at zero': [whoami(0), ran({})],
  'affordable-generateCreative: a creative is free at zero': [
    whoami(0),
    answeredRequest('generateCreative', {}),
  ],
  'affordable-together: two runs share the last credit': [
    { arranged: 'next_run_fails' },
    ...ended('t1', 'failed'),
    { arranged: 'credits' },
    whoami(1),
    ran({}, 't2'),
    ran({ error: 'busy' }, 't3', 409),
    over('t2', 'done'),
    over('t3', 'done'),
    whoami(0),
  ],
  'solvent-runTask: a run is refused with credits': [whoami(2), ran({ error: 'no_credits' }, 't1', 402)],
  'solvent-generateCreative: a creative is refused with credits': [
    whoami(2),
    answeredRequest('generateCreative', {}, { status: 402 }),
  ],
  'creative-unique: two creatives have one id': [
    answeredRequest('generateCreative', { artifactId: 'a' }),
    answeredRequest('generateCreative', { artifactId: 'a' }),
  ],
  ...answerDefectHistories,
  'finished-by-status: a status is final or not': [
    answeredRequest('getTask', { task, finished: true }, { resource: 't1' }),
    answeredRequest('getTask', { task: { ...task, id: 't2' }, finished: false }, { resource: 't2' }),
  ],
}
