/** Defects of organizations and of their keys, each with the shortest history that shows it. */
import { buildHistoriesPerKind, type HistoriesByDefect } from './answer-defects.ts'
import { answeredRequest } from './history.ts'
import {
  byOtherOrganization,
  documentInFolder,
  documentListQueries,
  documentsListed,
  filedDocumentCreated,
  filedDocumentRead,
  keyCreated,
  keyDeleted,
  keysListed,
  keyUsed,
  landingPageCreated,
  landingPagesListed,
  letterCreated,
  letterTask,
  notFoundAnswered,
  notificationListed,
  notificationMarked,
  oneWordTask,
  planDocument,
  randomIdDocument,
  refusalAnswer,
  sampleKey,
  sampleLandingPage,
  taskCreated,
  taskRan,
  taskRead,
  tasksListed,
  whoamiAnswered,
} from './requests.ts'

/** The shortest history that each rule on organizations and keys must object to, by `rule: defect`. */
export const organizationDefectHistories: HistoriesByDefect = {
  'organization-stable: the id of an organization changes': [whoamiAnswered(1), whoamiAnswered(1, 'o2')],
  'organization-own: two organizations have one id': [whoamiAnswered(1), whoamiAnswered(1, 'o1', 'other')],
  'isolated-get-task: a task of another organization is shown': [
    taskCreated,
    byOtherOrganization(taskRead(false)),
  ],
  'isolated-get-document: a document of another organization is shown': [
    filedDocumentCreated,
    byOtherOrganization(filedDocumentRead({})),
  ],
  ...buildHistoriesPerKind(
    [
      ['getTask', letterCreated, letterTask.text],
      ['runTask', letterCreated, letterTask.text],
      [
        'getDocument',
        answeredRequest('createDocument', { item: planDocument }, { body: planDocument }),
        planDocument.title,
      ],
    ] as const,
    ([operation, made, text]) => [
      `unmentioned-${operation}: an error tells the text of another organization`,
      made,
      byOtherOrganization(
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
    byOtherOrganization({
      ...taskRan({}, randomIdDocument.id),
      ...refusalAnswer(409, 'invalid_request'),
    }),
  ],
  'isolated-shown-document: a document opens that only another organization has in its list': [
    byOtherOrganization(documentsListed({ all: '1' }, randomIdDocument)),
    documentsListed({ all: '1' }),
    answeredRequest('getDocument', { item: randomIdDocument }, { resource: randomIdDocument.id }),
  ],
  'isolated-list-tasks: a task of another organization is listed': [
    taskCreated,
    byOtherOrganization(tasksListed(oneWordTask)),
  ],
  ...buildHistoriesPerKind(Object.entries(documentListQueries), ([list, query]) => [
    `isolated-list-${list}: a document of another organization is listed`,
    filedDocumentCreated,
    byOtherOrganization(documentsListed(query, documentInFolder)),
  ]),
  'isolated-list-keys: a key of another organization is listed': [
    keyCreated,
    byOtherOrganization(keysListed(sampleKey)),
  ],
  'isolated-list-landing-pages: a page of another organization is listed': [
    landingPageCreated,
    byOtherOrganization(landingPagesListed(sampleLandingPage)),
  ],
  'isolated-listNotifications: a notification tells of a task of another organization': [
    letterCreated,
    byOtherOrganization(
      answeredRequest('listNotifications', {
        items: [{ id: 'n1', read: true, text: '“Write a letter.” ended' }],
      }),
    ),
  ],
  'isolated-readNotification: another organization marks a notification': [
    notificationListed(false),
    byOtherOrganization(notificationMarked()),
    notificationListed(true),
  ],
  'isolated-runTask: another organization runs a task': [
    taskCreated,
    byOtherOrganization(taskRan({ error: 'not_found' }, 't1', 404)),
    taskRead(true),
  ],
  'isolated-deleteKey: another organization deletes a key': [
    keyCreated,
    keyUsed(),
    byOtherOrganization(keyDeleted),
    keyUsed(401),
  ],
  'key-secret-new: two keys have one secret': [keyCreated, { ...keyCreated, id: 50, secret: 100, json: {} }],
  'key-id-new: two keys have one id': [keyCreated, { ...keyCreated, id: 50 }],
  'key-prefix-listed: a key is listed with another prefix': [
    keyCreated,
    keysListed({ ...sampleKey, prefix: 'wak_2…' }),
  ],
  'deleted-key-dead: a deleted key works': [keyCreated, keyDeleted, keyUsed()],
  'deleted-again: a key that is deleted again is refused with 400 and another code': [
    keyCreated,
    keyDeleted,
    { ...keyDeleted, ...refusalAnswer(400, 'other') },
  ],
  'refused-key-stays-dead: a deleted key works again': [keyCreated, keyDeleted, keyUsed(401), keyUsed()],
  'living-key-works: a key is refused for no reason': [keyCreated, keyUsed(), keyUsed(401)],
  'refused-deletion: a key is dead whose deletion was refused': [
    keyCreated,
    keyUsed(),
    { ...keyDeleted, tenant: null, status: 401, json: { error: 'unauthorized', message: 'No.' } },
    keyUsed(401),
  ],
  'new-key-works: a new key is refused': [keyCreated, keyUsed(401), keyUsed(401)],
  'key-name-listed: a key is listed with another name': [
    keyCreated,
    keysListed({ ...sampleKey, name: 'Kay' }),
  ],
  'key-created-once: two keys are listed where one was created': [
    keysListed(),
    keyCreated,
    keysListed(sampleKey, { ...sampleKey, id: 'k2' }),
  ],
  'deleted-key-unlisted: a deleted key is listed': [keyCreated, keyDeleted, keysListed(sampleKey)],
  'key-last-used: a key that was never used is listed with the year 1': [
    keyCreated,
    keysListed({ ...sampleKey, last_used_at: '0001-01-01T00:00:00Z' }),
  ],
  'key-unused: a key that was never used is listed with a time': [
    keyCreated,
    keysListed({ ...sampleKey, last_used_at: null }),
    keysListed({ ...sampleKey, last_used_at: '2026-01-02T03:04:05Z' }),
  ],
  'deletion-ok: a deletion succeeds and says that it did not': [
    keyCreated,
    answeredRequest('deleteKey', { ok: false }, { resource: 'k1' }),
  ],
  'deletion-accepted: a key that exists cannot be deleted': [keyCreated, notFoundAnswered(keyDeleted)],
}
