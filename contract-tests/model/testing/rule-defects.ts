/** For each rule of the model a defect, and the shortest history that shows it. */
import { answerDefectHistories, buildHistoriesPerKind, type HistoriesByDefect } from './answer-defects.ts'
import { answeredRequest } from './history.ts'
import {
  answeredDocumentInFolderCreation,
  answeredDocumentInFolderRead,
  answeredDocumentList,
  answeredFinishedTaskRead,
  answeredKeyCreation,
  answeredKeyDeletion,
  answeredKeyList,
  answeredLandingPageCreation,
  answeredLandingPageList,
  answeredLetterCreation,
  answeredNotFound,
  answeredNotificationMark,
  answeredRefusedCreation,
  answeredRequestWithKey,
  answeredRunAndFinishedRead,
  answeredSingleNotificationList,
  answeredTaskCreation,
  answeredTaskList,
  answeredTaskRead,
  answeredTaskRun,
  answeredUnreadNotificationList,
  answeredWhoami,
  creationsWithMiddleUnlisted,
  documentInFolder,
  documentInFolderBody,
  documentListQueries,
  letterTask,
  neverShownText,
  oneWordTask,
  planDocument,
  randomIdDocument,
  refusalAnswer,
  requestedByOtherOrganization,
  sampleKey,
  sampleLandingPage,
  textOperations,
} from './requests.ts'

/** The shortest history that each rule of the model must object to, by `rule: defect`. */
export const ruleDefectHistories: HistoriesByDefect = {
  'organization-stable: the id of an organization changes': [answeredWhoami(1), answeredWhoami(1, 'o2')],
  'organization-own: two organizations have one id': [answeredWhoami(1), answeredWhoami(1, 'o1', 'other')],
  'isolated-get-task: a task of another organization is shown': [
    answeredTaskCreation,
    requestedByOtherOrganization(answeredTaskRead(false)),
  ],
  'isolated-get-document: a document of another organization is shown': [
    answeredDocumentInFolderCreation,
    requestedByOtherOrganization(answeredDocumentInFolderRead({})),
  ],
  ...buildHistoriesPerKind(
    [
      ['getTask', answeredLetterCreation, letterTask.text],
      ['runTask', answeredLetterCreation, letterTask.text],
      [
        'getDocument',
        answeredRequest('createDocument', { item: planDocument }, { body: planDocument }),
        planDocument.title,
      ],
    ] as const,
    ([operation, made, text]) => [
      `unmentioned-${operation}: an error tells the text of another organization`,
      made,
      requestedByOtherOrganization(
        answeredRequest(
          operation,
          { error: 'not_found', message: `${text} is not yours.` },
          { resource: operation === 'getDocument' ? planDocument.id : letterTask.id, status: 404 },
        ),
      ),
    ],
  ),
  'foreign-run-refused: a run of a task of another organization meets a conflict': [
    answeredRequest(
      'createTask',
      { task: { ...letterTask, id: randomIdDocument.id } },
      { body: { text: letterTask.text } },
    ),
    requestedByOtherOrganization({
      ...answeredTaskRun({}, randomIdDocument.id),
      ...refusalAnswer(409, 'invalid_request'),
    }),
  ],
  'isolated-shown-document: a document opens that only another organization has in its list': [
    requestedByOtherOrganization(answeredDocumentList({ all: '1' }, randomIdDocument)),
    answeredDocumentList({ all: '1' }),
    answeredRequest('getDocument', { item: randomIdDocument }, { resource: randomIdDocument.id }),
  ],
  'isolated-list-tasks: a task of another organization is listed': [
    answeredTaskCreation,
    requestedByOtherOrganization(answeredTaskList(oneWordTask)),
  ],
  ...buildHistoriesPerKind(Object.entries(documentListQueries), ([list, query]) => [
    `isolated-list-${list}: a document of another organization is listed`,
    answeredDocumentInFolderCreation,
    requestedByOtherOrganization(answeredDocumentList(query, documentInFolder)),
  ]),
  'isolated-list-keys: a key of another organization is listed': [
    answeredKeyCreation,
    requestedByOtherOrganization(answeredKeyList(sampleKey)),
  ],
  'isolated-list-landing-pages: a page of another organization is listed': [
    answeredLandingPageCreation,
    requestedByOtherOrganization(answeredLandingPageList(sampleLandingPage)),
  ],
  'isolated-listNotifications: a notification tells of a task of another organization': [
    answeredLetterCreation,
    requestedByOtherOrganization(
      answeredRequest('listNotifications', {
        items: [{ id: 'n1', read: true, text: '“Write a letter.” ended' }],
      }),
    ),
  ],
  'isolated-readNotification: another organization marks a notification': [
    answeredSingleNotificationList(false),
    requestedByOtherOrganization(answeredNotificationMark()),
    answeredSingleNotificationList(true),
  ],
  'isolated-runTask: another organization runs a task': [
    answeredTaskCreation,
    requestedByOtherOrganization(answeredTaskRun({ error: 'not_found' }, 't1', 404)),
    answeredTaskRead(true),
  ],
  'isolated-deleteKey: another organization deletes a key': [
    answeredKeyCreation,
    answeredRequestWithKey(),
    requestedByOtherOrganization(answeredKeyDeletion),
    answeredRequestWithKey(401),
  ],
  'key-secret-new: two keys have one secret': [
    answeredKeyCreation,
    { ...answeredKeyCreation, id: 50, secret: 100, json: {} },
  ],
  'key-id-new: two keys have one id': [answeredKeyCreation, { ...answeredKeyCreation, id: 50 }],
  'key-prefix-listed: a key is listed with another prefix': [
    answeredKeyCreation,
    answeredKeyList({ ...sampleKey, prefix: 'wak_2…' }),
  ],
  'deleted-key-dead: a deleted key works': [
    answeredKeyCreation,
    answeredKeyDeletion,
    answeredRequestWithKey(),
  ],
  'deleted-again: a key that is deleted again is refused with 400 and another code': [
    answeredKeyCreation,
    answeredKeyDeletion,
    { ...answeredKeyDeletion, ...refusalAnswer(400, 'other') },
  ],
  'refused-key-stays-dead: a deleted key works again': [
    answeredKeyCreation,
    answeredKeyDeletion,
    answeredRequestWithKey(401),
    answeredRequestWithKey(),
  ],
  'living-key-works: a key is refused for no reason': [
    answeredKeyCreation,
    answeredRequestWithKey(),
    answeredRequestWithKey(401),
  ],
  'refused-deletion: a key is dead whose deletion was refused': [
    answeredKeyCreation,
    answeredRequestWithKey(),
    { ...answeredKeyDeletion, tenant: null, status: 401, json: { error: 'unauthorized', message: 'No.' } },
    answeredRequestWithKey(401),
  ],
  'new-key-works: a new key is refused': [
    answeredKeyCreation,
    answeredRequestWithKey(401),
    answeredRequestWithKey(401),
  ],
  'key-name-listed: a key is listed with another name': [
    answeredKeyCreation,
    answeredKeyList({ ...sampleKey, name: 'Kay' }),
  ],
  'key-created-once: two keys are listed where one was created': [
    answeredKeyList(),
    answeredKeyCreation,
    answeredKeyList(sampleKey, { ...sampleKey, id: 'k2' }),
  ],
  'deleted-key-unlisted: a deleted key is listed': [
    answeredKeyCreation,
    answeredKeyDeletion,
    answeredKeyList(sampleKey),
  ],
  'key-last-used: a key that was never used is listed with the year 1': [
    answeredKeyCreation,
    answeredKeyList({ ...sampleKey, last_used_at: '0001-01-01T00:00:00Z' }),
  ],
  'key-unused: a key that was never used is listed with a time': [
    answeredKeyCreation,
    answeredKeyList({ ...sampleKey, last_used_at: null }),
    answeredKeyList({ ...sampleKey, last_used_at: '2026-01-02T03:04:05Z' }),
  ],
  'deletion-ok: a deletion succeeds and says that it did not': [
    answeredKeyCreation,
    answeredRequest('deleteKey', { ok: false }, { resource: 'k1' }),
  ],
  'deletion-accepted: a key that exists cannot be deleted': [
    answeredKeyCreation,
    answeredNotFound(answeredKeyDeletion),
  ],
  'task-answered: the response to a creation shows another text': [
    { ...answeredTaskCreation, json: { task: { ...oneWordTask, text: 'W' } } },
  ],
  'task-id-new: two tasks have one id': [answeredTaskCreation, { ...answeredTaskCreation, id: 50 }],
  'task-identity: another task is read': [
    answeredRequest('getTask', { task: oneWordTask, finished: false }, { resource: 't2' }),
  ],
  'task-stays: a created task is not found': [
    answeredTaskCreation,
    answeredNotFound(answeredTaskRead(false)),
  ],
  'listed-task-stays: a listed task is not found': [
    answeredTaskList(oneWordTask),
    answeredNotFound(answeredTaskRead(false)),
  ],
  'task-text-kept: a text changes': [answeredTaskCreation, answeredTaskRead(false, { text: 'Right.' })],
  'task-text-listed: a text is listed otherwise': [
    answeredTaskCreation,
    answeredTaskList({ ...oneWordTask, text: 'Right.' }),
  ],
  ...buildHistoriesPerKind(textOperations, ([create, read, member, name]) => [
    `text-ends-${read}: a text loses the spaces around it`,
    answeredRequest(
      create,
      { [member]: { id: 'x1', title: 'A', [name]: ' A text ' } },
      { body: { title: 'A', [name]: ' A text ' } },
    ),
    answeredRequest(read, { [member]: { id: 'x1', title: 'A', [name]: 'A text' } }, { resource: 'x1' }),
  ]),
  ...buildHistoriesPerKind(textOperations, ([create, , , name]) => [
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
    answeredTaskList({ ...letterTask, id: 't2' }, letterTask),
  ],
  'createDocument-once: a creation makes two documents': [
    answeredRequest('createDocument', { item: planDocument }, { body: { title: planDocument.title } }),
    answeredDocumentList({ all: '1' }, { ...planDocument, id: 'd2' }, planDocument),
  ],
  'task-listed: a new task is not listed': [answeredTaskCreation, answeredTaskList()],
  'task-left-out: a list shows an older and a newer task': creationsWithMiddleUnlisted('createTask', {
    text: 'Write.',
  }),
  'document-left-out: a list that was longer lacks a document': [
    answeredDocumentList({ all: '1' }, { id: 'd8' }, { id: 'd9' }),
    answeredDocumentInFolderCreation,
    answeredRequest(
      'createDocument',
      { item: { ...planDocument, id: 'd2' } },
      { body: { title: planDocument.title } },
    ),
    answeredDocumentList({ all: '1' }, { ...planDocument, id: 'd2' }),
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
  'task-listed-promptly: a new task is listed late': [answeredTaskCreation, answeredTaskList()],
  'new-unfinished: a task that never ran is finished': [answeredTaskCreation, answeredTaskRead(true)],
  'created-idle: a task is born in_progress': [
    { ...answeredTaskCreation, json: { task: { ...oneWordTask, status: 'in_progress' } } },
  ],
  'new-idle: a task that never ran is in_progress': [
    answeredTaskCreation,
    answeredTaskRead(false, { status: 'in_progress' }),
  ],
  'finished-stays: a finished task is unfinished again': [answeredTaskRead(true), answeredTaskRead(false)],
  'finished-as-answered: the response says finished, the task does not': [
    answeredTaskRun({ finished: true }),
    answeredTaskRead(false),
  ],
  'finished-as-listed: a finished task is listed in_progress': [
    answeredTaskRead(true),
    answeredTaskList({ ...oneWordTask, status: 'in_progress' }),
  ],
  'finished-once-listed: a task that was listed with a final status is unfinished': [
    answeredTaskCreation,
    answeredTaskRun({}, 't2'),
    { ...answeredTaskRead(true, { id: 't2', status: 'done' }), resource: 't2' },
    answeredTaskRun({}),
    answeredTaskList({ ...oneWordTask, status: 'done' }),
    answeredTaskRead(false),
  ],
  'run-begun-ok: a run that is in progress is not ok': [
    answeredTaskRun({ ok: false, status: 'in_progress' }),
  ],
  'run-names-task: the response to a run names another task': [answeredTaskRun({ taskId: 't2' })],
  'run-id-unique: two runs have one id': [
    answeredTaskRun({ runId: 'r1' }),
    answeredTaskRun({ runId: 'r1' }, 't2'),
  ],
  'run-finds-task: a task that exists cannot be run': [
    answeredTaskCreation,
    answeredNotFound(answeredTaskRun({})),
  ],
  'first-run-accepted: the first run is a conflict': [
    answeredTaskCreation,
    { ...answeredTaskRun({}), ...refusalAnswer(409, 'invalid_request') },
  ],
  'document-answered: the response shows another title': [
    { ...answeredDocumentInFolderCreation, json: { item: { ...documentInFolder, title: 'Plane' } } },
  ],
  'document-answered-apart: the response shows the summary of another document': [
    answeredDocumentInFolderCreation,
    answeredRequest(
      'createDocument',
      { item: { ...documentInFolder, id: 'd2' } },
      { body: { ...documentInFolderBody, summary: undefined } },
    ),
  ],
  'document-answered-whole: the response shows another summary': [
    { ...answeredDocumentInFolderCreation, json: { item: { ...documentInFolder, summary: 'P' } } },
  ],
  'document-id-new: two documents have one id': [
    answeredDocumentInFolderCreation,
    { ...answeredDocumentInFolderCreation, id: 50 },
  ],
  'document-identity: another document is read': [
    answeredRequest('getDocument', { item: documentInFolder }, { resource: 'd2' }),
  ],
  'document-stays: a created document is not found': [
    answeredDocumentInFolderCreation,
    answeredNotFound(answeredDocumentInFolderRead({})),
  ],
  'listed-document-stays: a listed document is not found': [
    answeredDocumentList({}, documentInFolder),
    answeredNotFound(answeredDocumentInFolderRead({})),
  ],
  'document-title-kept: a title changes': [
    answeredDocumentInFolderCreation,
    answeredDocumentInFolderRead({ title: 'Plane' }),
  ],
  'document-content_md-kept: content is lost': [
    answeredDocumentInFolderCreation,
    answeredDocumentInFolderRead({ content_md: null }),
  ],
  'document-summary-kept: a summary changes': [
    answeredDocumentInFolderCreation,
    answeredDocumentInFolderRead({ summary: 'A plane.' }),
  ],
  'document-folder_id-kept: a document moves to another folder': [
    answeredDocumentInFolderCreation,
    answeredDocumentInFolderRead({ folder_id: 'f2' }),
  ],
  'document-title-listed: a title is listed otherwise': [
    answeredDocumentInFolderCreation,
    answeredDocumentList({ all: '1' }, { ...documentInFolder, title: 'Plane' }),
  ],
  'document-listed-apart: a summary is listed as the content': [
    answeredDocumentInFolderCreation,
    answeredDocumentList({ all: '1' }, { ...documentInFolder, content_md: documentInFolder.summary }),
  ],
  'document-filed: a folder shows a document of another': [
    answeredDocumentInFolderCreation,
    answeredDocumentList({ folder_id: 'f2' }, documentInFolder),
  ],
  'document-unfiled: a list without a query shows a document in a folder': [
    answeredDocumentInFolderCreation,
    answeredDocumentList({}, documentInFolder),
  ],
  'document-listed: a new document is not listed': [
    answeredDocumentInFolderCreation,
    answeredDocumentList({ all: '1' }),
  ],
  'document-listed-promptly: a new document is listed late': [
    answeredDocumentInFolderCreation,
    answeredDocumentList({ all: '1' }),
  ],
  'marked-read: a marked notification is unread': [
    answeredSingleNotificationList(false, 2),
    answeredNotificationMark(),
    answeredSingleNotificationList(false),
  ],
  'marked-read-promptly: a mark shows late': [
    answeredSingleNotificationList(false, 2),
    answeredNotificationMark(),
    answeredSingleNotificationList(false),
  ],
  'stays-read: a read notification is unread again': [
    answeredSingleNotificationList(true),
    answeredSingleNotificationList(false),
  ],
  'stays-unread: a notification is read by itself': [
    answeredSingleNotificationList(false),
    answeredSingleNotificationList(true),
  ],
  'new-unread: a new notification is read': [
    answeredUnreadNotificationList(0),
    { arranged: 'unread_notification' },
    answeredSingleNotificationList(true),
  ],
  'refused-marking-401: a notification is read whose marking was refused for want of a key': [
    answeredSingleNotificationList(false),
    { ...answeredNotificationMark({ error: 'unauthorized' }, 401), tenant: null },
    answeredSingleNotificationList(true),
  ],
  ...buildHistoriesPerKind([429, 503], (status) => [
    `refused-marking-${status}: a notification is read whose marking was refused, not that of another organization's`,
    { ...answeredNotificationMark(), tenant: 'other' },
    answeredSingleNotificationList(false),
    answeredNotificationMark({ error: 'refused' }, status),
    answeredSingleNotificationList(true),
  ]),
  'unread-counted: fewer are unread than are shown': [answeredSingleNotificationList(false, 0)],
  'unread-after-marking: marking one counts as two': [
    answeredUnreadNotificationList(5, 'n1'),
    answeredNotificationMark(),
    answeredUnreadNotificationList(3, 'n2'),
  ],
  'unread-without-marking: one is read by itself': [
    answeredUnreadNotificationList(5, 'n1'),
    answeredUnreadNotificationList(4, 'n1'),
  ],
  'notification-listed: some are unread and none is listed': [
    answeredUnreadNotificationList(2),
    answeredUnreadNotificationList(2),
  ],
  'listed-once: a key is listed twice': [
    answeredKeyList({ ...sampleKey, id: 'k2' }, { ...sampleKey, id: 'k2' }),
  ],
  'key-listed: a new key is not listed': [answeredKeyCreation, answeredKeyList()],
  'key-listed-promptly: a new key is listed late': [answeredKeyCreation, answeredKeyList()],
  'filed-document-listed: a folder hides its document': [
    answeredDocumentInFolderCreation,
    answeredDocumentList({ folder_id: 'f1' }),
  ],
  'unfiled-document-listed: a document without a folder is hidden': [
    answeredRequest('createDocument', { item: { id: 'd1', title: 'Plan' } }, { body: { title: 'Plan' } }),
    answeredDocumentList({}),
  ],
  'landing-page-listed: a new page is not listed': [answeredLandingPageCreation, answeredLandingPageList()],
  'landing-page-listed-promptly: a new page is listed late': [
    answeredLandingPageCreation,
    answeredLandingPageList(),
  ],
  'landing-page-name-listed: a page is listed with another name': [
    answeredLandingPageCreation,
    answeredLandingPageList({ ...sampleLandingPage, business_name: 'Butcher' }),
  ],
  'marking-accepted: a listed notification cannot be marked': [
    answeredSingleNotificationList(false),
    answeredNotificationMark({ error: 'not_found' }, 404),
  ],
  'marking-again-accepted: a notification that is read cannot be marked again': [
    answeredSingleNotificationList(false),
    answeredNotificationMark(),
    answeredNotificationMark(refusalAnswer(409, 'invalid_request').json, 409),
  ],
  ...buildHistoriesPerKind([401, 429, 503], (status) => [
    `not-created-${status}-task: a task is there that was refused`,
    answeredRefusedCreation('createTask', status, { text: neverShownText }),
    answeredTaskList({ id: 't9', text: neverShownText }),
  ]),
  ...buildHistoriesPerKind([401, 429, 503], (status) => [
    `not-created-${status}-document: a document is there that was refused`,
    answeredRefusedCreation('createDocument', status, { title: neverShownText }),
    answeredDocumentList({}, { id: 'd9', title: neverShownText }),
  ]),
  ...buildHistoriesPerKind([401, 429, 503], (status) => [
    `not-created-${status}-landing-page: a landing page is there that was refused`,
    answeredRefusedCreation('createLandingPage', status, { business_name: neverShownText }),
    answeredLandingPageList({ id: 'p9', business_name: neverShownText }),
  ]),
  'leftover-createTask: a task is there that was refused as bad input': [
    answeredTaskList(),
    answeredRequest('createTask', { error: 'invalid_request' }, { body: {}, status: 400 }),
    answeredTaskList({ id: 't9', text: '' }),
  ],
  'leftover-createDocument: a document is there that was refused as bad input': [
    answeredDocumentList({}),
    answeredRequest(
      'createDocument',
      { error: 'invalid_request' },
      { body: { title: neverShownText, content_md: {} }, status: 422 },
    ),
    answeredDocumentList({}, { id: 'd9', title: neverShownText }),
  ],
  'folder-still-taken: a second document of a folder is refused': [
    answeredDocumentInFolderCreation,
    answeredRequest(
      'createDocument',
      { error: 'invalid_request' },
      { body: documentInFolderBody, status: 409 },
    ),
  ],
  'not-created-401-key: a key is there that was refused': [
    answeredRefusedCreation('createKey', 401, { name: neverShownText }),
    answeredKeyList({ id: 'k9', name: neverShownText }),
  ],
  'marking-ok: marking says that it failed': [answeredNotificationMark({ ok: false })],
  'credits-explained-whoami: a credit disappears': [answeredWhoami(3), answeredWhoami(2)],
  'credits-explained-listTasks: the list shows another balance': [
    answeredWhoami(3),
    answeredRequest('listTasks', { items: [], credits: 4 }),
  ],
  'credits-explained-createTask: a creation shows another balance': [
    answeredWhoami(3),
    { ...answeredTaskCreation, json: { task: oneWordTask, credits: 2 } },
  ],
  'refund-comes: a failed run is not refunded': [
    ...answeredRunAndFinishedRead('t1', 'done'),
    { arranged: 'next_run_fails' },
    ...answeredRunAndFinishedRead('t2', 'failed'),
    { arranged: 'credits' },
    answeredWhoami(3),
    { arranged: 'next_run_fails' },
    ...answeredRunAndFinishedRead('t3', 'failed'),
    answeredWhoami(2),
  ],
  'affordable-runTask: a run is free at zero': [answeredWhoami(0), answeredTaskRun({})],
  'affordable-generateCreative: a creative is free at zero': [
    answeredWhoami(0),
    answeredRequest('generateCreative', {}),
  ],
  'affordable-together: two runs share the last credit': [
    { arranged: 'next_run_fails' },
    ...answeredRunAndFinishedRead('t1', 'failed'),
    { arranged: 'credits' },
    answeredWhoami(1),
    answeredTaskRun({}, 't2'),
    answeredTaskRun({ error: 'busy' }, 't3', 409),
    answeredFinishedTaskRead('t2', 'done'),
    answeredFinishedTaskRead('t3', 'done'),
    answeredWhoami(0),
  ],
  'solvent-runTask: a run is refused with credits': [
    answeredWhoami(2),
    answeredTaskRun({ error: 'no_credits' }, 't1', 402),
  ],
  'solvent-generateCreative: a creative is refused with credits': [
    answeredWhoami(2),
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
