/** For each rule of the model a defect, and the shortest history that shows it. */
import { answerDefectHistories, buildHistoriesPerKind, type HistoriesByDefect } from './answer-defects.ts'
import { answeredRequest } from './history.ts'
import { organizationDefectHistories } from './organization-defects.ts'
import {
  bodyOfFiledDocument,
  creationRefused,
  creationsWithMiddleUnlisted,
  documentInFolder,
  documentsListed,
  filedDocumentCreated,
  filedDocumentRead,
  finishedTaskRead,
  keyCreated,
  keysListed,
  landingPageCreated,
  landingPagesListed,
  letterTask,
  neverShownText,
  notFoundAnswered,
  notificationListed,
  notificationMarked,
  oneWordTask,
  planDocument,
  refusalAnswer,
  sampleKey,
  sampleLandingPage,
  taskCreated,
  taskRan,
  taskRead,
  taskRunAndRead,
  tasksListed,
  textCreateReadPairs,
  unreadListed,
  whoamiAnswered,
} from './requests.ts'

/** The shortest history that each rule of the model must object to, by `rule: defect`. */
export const ruleDefectHistories: HistoriesByDefect = {
  ...organizationDefectHistories,
  'task-answered: the response to a creation shows another text': [
    { ...taskCreated, json: { task: { ...oneWordTask, text: 'W' } } },
  ],
  'task-id-new: two tasks have one id': [taskCreated, { ...taskCreated, id: 50 }],
  'task-identity: another task is read': [
    answeredRequest('getTask', { task: oneWordTask, finished: false }, { resource: 't2' }),
  ],
  'task-stays: a created task is not found': [taskCreated, notFoundAnswered(taskRead(false))],
  'listed-task-stays: a listed task is not found': [
    tasksListed(oneWordTask),
    notFoundAnswered(taskRead(false)),
  ],
  'task-text-kept: a text changes': [taskCreated, taskRead(false, { text: 'Right.' })],
  'task-text-listed: a text is listed otherwise': [
    taskCreated,
    tasksListed({ ...oneWordTask, text: 'Right.' }),
  ],
  ...buildHistoriesPerKind(textCreateReadPairs, ([create, read, member, name]) => [
    `text-ends-${read}: a text loses the spaces around it`,
    answeredRequest(
      create,
      { [member]: { id: 'x1', title: 'A', [name]: ' A text ' } },
      { body: { title: 'A', [name]: ' A text ' } },
    ),
    answeredRequest(read, { [member]: { id: 'x1', title: 'A', [name]: 'A text' } }, { resource: 'x1' }),
  ]),
  ...buildHistoriesPerKind(textCreateReadPairs, ([create, , , name]) => [
    `text-taken-${create}: a text is refused for what it holds`,
    {
      ...answeredRequest(
        create,
        {},
        { body: { [create === 'createTask' ? 'text' : 'title']: 'A', [name]: 'One\nTwo' } },
      ),
      ...refusalAnswer(400, 'invalid_request'),
    },
  ]),
  'createTask-once: a creation makes two tasks': [
    answeredRequest('createTask', { task: letterTask }, { body: { text: letterTask.text } }),
    tasksListed({ ...letterTask, id: 't2' }, letterTask),
  ],
  'createDocument-once: a creation makes two documents': [
    answeredRequest('createDocument', { item: planDocument }, { body: { title: planDocument.title } }),
    documentsListed({ all: '1' }, { ...planDocument, id: 'd2' }, planDocument),
  ],
  'task-listed: a new task is not listed': [taskCreated, tasksListed()],
  'task-left-out: a list shows an older and a newer task': creationsWithMiddleUnlisted('createTask', {
    text: 'Write.',
  }),
  'document-left-out: a list that was longer lacks a document': [
    documentsListed({ all: '1' }, { id: 'd8' }, { id: 'd9' }),
    filedDocumentCreated,
    answeredRequest(
      'createDocument',
      { item: { ...planDocument, id: 'd2' } },
      { body: { title: planDocument.title } },
    ),
    documentsListed({ all: '1' }, { ...planDocument, id: 'd2' }),
  ],
  'filed-document-left-out: a folder shows an older and a newer document': creationsWithMiddleUnlisted(
    'createDocument',
    {
      title: 'Plan',
      folder_id: 'f1',
    },
  ),
  'unfiled-document-left-out: a list shows an older and a newer document': creationsWithMiddleUnlisted(
    'createDocument',
    {
      title: 'Plan',
    },
  ),
  'landing-page-left-out: a list shows an older and a newer page': creationsWithMiddleUnlisted(
    'createLandingPage',
    {
      business_name: 'Bakery',
    },
  ),
  'task-listed-promptly: a new task is listed late': [taskCreated, tasksListed()],
  'new-unfinished: a task that never ran is finished': [taskCreated, taskRead(true)],
  'created-idle: a task is born in_progress': [
    { ...taskCreated, json: { task: { ...oneWordTask, status: 'in_progress' } } },
  ],
  'new-idle: a task that never ran is in_progress': [taskCreated, taskRead(false, { status: 'in_progress' })],
  'finished-stays: a finished task is unfinished again': [taskRead(true), taskRead(false)],
  'finished-as-answered: the response says finished, the task does not': [
    taskRan({ finished: true }),
    taskRead(false),
  ],
  'finished-as-listed: a finished task is listed in_progress': [
    taskRead(true),
    tasksListed({ ...oneWordTask, status: 'in_progress' }),
  ],
  'finished-once-listed: a task that was listed with a final status is unfinished': [
    taskCreated,
    taskRan({}, 't2'),
    { ...taskRead(true, { id: 't2', status: 'done' }), resource: 't2' },
    taskRan({}),
    tasksListed({ ...oneWordTask, status: 'done' }),
    taskRead(false),
  ],
  'run-begun-ok: a run that is in progress is not ok': [taskRan({ ok: false, status: 'in_progress' })],
  'run-names-task: the response to a run names another task': [taskRan({ taskId: 't2' })],
  'run-id-unique: two runs have one id': [taskRan({ runId: 'r1' }), taskRan({ runId: 'r1' }, 't2')],
  'run-finds-task: a task that exists cannot be run': [taskCreated, notFoundAnswered(taskRan({}))],
  'first-run-accepted: the first run is a conflict': [
    taskCreated,
    { ...taskRan({}), ...refusalAnswer(409, 'invalid_request') },
  ],
  'document-answered: the response shows another title': [
    { ...filedDocumentCreated, json: { item: { ...documentInFolder, title: 'Plane' } } },
  ],
  'document-answered-apart: the response shows the summary of another document': [
    filedDocumentCreated,
    answeredRequest(
      'createDocument',
      { item: { ...documentInFolder, id: 'd2' } },
      { body: { ...bodyOfFiledDocument, summary: undefined } },
    ),
  ],
  'document-answered-whole: the response shows another summary': [
    { ...filedDocumentCreated, json: { item: { ...documentInFolder, summary: 'P' } } },
  ],
  'document-id-new: two documents have one id': [filedDocumentCreated, { ...filedDocumentCreated, id: 50 }],
  'document-identity: another document is read': [
    answeredRequest('getDocument', { item: documentInFolder }, { resource: 'd2' }),
  ],
  'document-stays: a created document is not found': [
    filedDocumentCreated,
    notFoundAnswered(filedDocumentRead({})),
  ],
  'listed-document-stays: a listed document is not found': [
    documentsListed({}, documentInFolder),
    notFoundAnswered(filedDocumentRead({})),
  ],
  'document-title-kept: a title changes': [filedDocumentCreated, filedDocumentRead({ title: 'Plane' })],
  'document-content_md-kept: content is lost': [
    filedDocumentCreated,
    filedDocumentRead({ content_md: null }),
  ],
  'document-summary-kept: a summary changes': [
    filedDocumentCreated,
    filedDocumentRead({ summary: 'A plane.' }),
  ],
  'document-folder_id-kept: a document moves to another folder': [
    filedDocumentCreated,
    filedDocumentRead({ folder_id: 'f2' }),
  ],
  'document-title-listed: a title is listed otherwise': [
    filedDocumentCreated,
    documentsListed({ all: '1' }, { ...documentInFolder, title: 'Plane' }),
  ],
  'document-listed-apart: a summary is listed as the content': [
    filedDocumentCreated,
    documentsListed({ all: '1' }, { ...documentInFolder, content_md: documentInFolder.summary }),
  ],
  'document-filed: a folder shows a document of another': [
    filedDocumentCreated,
    documentsListed({ folder_id: 'f2' }, documentInFolder),
  ],
  'document-unfiled: a list without a query shows a document in a folder': [
    filedDocumentCreated,
    documentsListed({}, documentInFolder),
  ],
  'document-listed: a new document is not listed': [filedDocumentCreated, documentsListed({ all: '1' })],
  'document-listed-promptly: a new document is listed late': [
    filedDocumentCreated,
    documentsListed({ all: '1' }),
  ],
  'marked-read: a marked notification is unread': [
    notificationListed(false, 2),
    notificationMarked(),
    notificationListed(false),
  ],
  'marked-read-promptly: a mark shows late': [
    notificationListed(false, 2),
    notificationMarked(),
    notificationListed(false),
  ],
  'stays-read: a read notification is unread again': [notificationListed(true), notificationListed(false)],
  'stays-unread: a notification is read by itself': [notificationListed(false), notificationListed(true)],
  'new-unread: a new notification is read': [
    unreadListed(0),
    { arranged: 'unread_notification' },
    notificationListed(true),
  ],
  'refused-marking-401: a notification is read whose marking was refused for want of a key': [
    notificationListed(false),
    { ...notificationMarked({ error: 'unauthorized' }, 401), tenant: null },
    notificationListed(true),
  ],
  ...buildHistoriesPerKind([429, 503], (status) => [
    `refused-marking-${status}: a notification is read whose marking was refused, not that of another organization's`,
    { ...notificationMarked(), tenant: 'other' },
    notificationListed(false),
    notificationMarked({ error: 'refused' }, status),
    notificationListed(true),
  ]),
  'unread-counted: fewer are unread than are shown': [notificationListed(false, 0)],
  'unread-after-marking: marking one counts as two': [
    unreadListed(5, 'n1'),
    notificationMarked(),
    unreadListed(3, 'n2'),
  ],
  'unread-without-marking: one is read by itself': [unreadListed(5, 'n1'), unreadListed(4, 'n1')],
  'notification-listed: some are unread and none is listed': [unreadListed(2), unreadListed(2)],
  'listed-once: a key is listed twice': [keysListed({ ...sampleKey, id: 'k2' }, { ...sampleKey, id: 'k2' })],
  'key-listed: a new key is not listed': [keyCreated, keysListed()],
  'key-listed-promptly: a new key is listed late': [keyCreated, keysListed()],
  'filed-document-listed: a folder hides its document': [
    filedDocumentCreated,
    documentsListed({ folder_id: 'f1' }),
  ],
  'unfiled-document-listed: a document without a folder is hidden': [
    answeredRequest('createDocument', { item: { id: 'd1', title: 'Plan' } }, { body: { title: 'Plan' } }),
    documentsListed({}),
  ],
  'landing-page-listed: a new page is not listed': [landingPageCreated, landingPagesListed()],
  'landing-page-listed-promptly: a new page is listed late': [landingPageCreated, landingPagesListed()],
  'landing-page-name-listed: a page is listed with another name': [
    landingPageCreated,
    landingPagesListed({ ...sampleLandingPage, business_name: 'Butcher' }),
  ],
  'marking-accepted: a listed notification cannot be marked': [
    notificationListed(false),
    notificationMarked({ error: 'not_found' }, 404),
  ],
  'marking-again-accepted: a notification that is read cannot be marked again': [
    notificationListed(false),
    notificationMarked(),
    notificationMarked(refusalAnswer(409, 'invalid_request').json, 409),
  ],
  ...buildHistoriesPerKind([401, 429, 503], (status) => [
    `not-created-${status}-task: a task is there that was refused`,
    creationRefused('createTask', status, { text: neverShownText }),
    tasksListed({ id: 't9', text: neverShownText }),
  ]),
  ...buildHistoriesPerKind([401, 429, 503], (status) => [
    `not-created-${status}-document: a document is there that was refused`,
    creationRefused('createDocument', status, { title: neverShownText }),
    documentsListed({}, { id: 'd9', title: neverShownText }),
  ]),
  ...buildHistoriesPerKind([401, 429, 503], (status) => [
    `not-created-${status}-landing-page: a landing page is there that was refused`,
    creationRefused('createLandingPage', status, { business_name: neverShownText }),
    landingPagesListed({ id: 'p9', business_name: neverShownText }),
  ]),
  'leftover-createTask: a task is there that was refused as bad input': [
    tasksListed(),
    answeredRequest('createTask', { error: 'invalid_request' }, { body: {}, status: 400 }),
    tasksListed({ id: 't9', text: '' }),
  ],
  'leftover-createDocument: a document is there that was refused as bad input': [
    documentsListed({}),
    answeredRequest(
      'createDocument',
      { error: 'invalid_request' },
      { body: { title: neverShownText, content_md: {} }, status: 422 },
    ),
    documentsListed({}, { id: 'd9', title: neverShownText }),
  ],
  'folder-still-taken: a second document of a folder is refused': [
    filedDocumentCreated,
    answeredRequest(
      'createDocument',
      { error: 'invalid_request' },
      { body: bodyOfFiledDocument, status: 409 },
    ),
  ],
  'not-created-401-key: a key is there that was refused': [
    creationRefused('createKey', 401, { name: neverShownText }),
    keysListed({ id: 'k9', name: neverShownText }),
  ],
  'marking-ok: marking says that it failed': [notificationMarked({ ok: false })],
  'credits-explained-whoami: a credit disappears': [whoamiAnswered(3), whoamiAnswered(2)],
  'credits-explained-listTasks: the list shows another balance': [
    whoamiAnswered(3),
    answeredRequest('listTasks', { items: [], credits: 4 }),
  ],
  'credits-explained-createTask: a creation shows another balance': [
    whoamiAnswered(3),
    { ...taskCreated, json: { task: oneWordTask, credits: 2 } },
  ],
  'refund-comes: a failed run is not refunded': [
    ...taskRunAndRead('t1', 'done'),
    { arranged: 'next_run_fails' },
    ...taskRunAndRead('t2', 'failed'),
    { arranged: 'credits' },
    whoamiAnswered(3),
    { arranged: 'next_run_fails' },
    ...taskRunAndRead('t3', 'failed'),
    whoamiAnswered(2),
  ],
  'affordable-runTask: a run is free at zero': [whoamiAnswered(0), taskRan({})],
  'affordable-generateCreative: a creative is free at zero': [
    whoamiAnswered(0),
    answeredRequest('generateCreative', {}),
  ],
  'affordable-together: two runs share the last credit': [
    { arranged: 'next_run_fails' },
    ...taskRunAndRead('t1', 'failed'),
    { arranged: 'credits' },
    whoamiAnswered(1),
    taskRan({}, 't2'),
    taskRan({ error: 'busy' }, 't3', 409),
    finishedTaskRead('t2', 'done'),
    finishedTaskRead('t3', 'done'),
    whoamiAnswered(0),
  ],
  'solvent-runTask: a run is refused with credits': [
    whoamiAnswered(2),
    taskRan({ error: 'no_credits' }, 't1', 402),
  ],
  'solvent-generateCreative: a creative is refused with credits': [
    whoamiAnswered(2),
    answeredRequest('generateCreative', {}, { status: 402 }),
  ],
  'creative-unique: two creatives have one id': [
    answeredRequest('generateCreative', { artifactId: 'a' }),
    answeredRequest('generateCreative', { artifactId: 'a' }),
  ],
  ...answerDefectHistories,
  'finished-by-status: a status is final or not': [
    answeredRequest('getTask', { task: oneWordTask, finished: true }, { resource: 't1' }),
    answeredRequest('getTask', { task: { ...oneWordTask, id: 't2' }, finished: false }, { resource: 't2' }),
  ],
}
