/** §4, §7: what frameworks do unless they are told otherwise: other media types and names are read, and nothing is null. */
import type { OperationId } from '#contract/operation.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import {
  answerConcurrentRequests,
  changeField,
  changeRequests,
  createEveryNthCallPredicate,
  replaceAnswersWithError,
  rewriteAnswers,
} from '../mutations/reply.ts'
import { replaceHandler } from '../mutations/rules.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'

/** Reads bodies of a media type as the fields that a function finds in them. */
const reading = (type: string, fieldsOf: (body: string) => object, ...operations: OperationId[]): Mutation =>
  changeRequests(
    (request, body) =>
      request.headers.get('content-type')?.startsWith(type) && request.headers.has('authorization')
        ? JSON.stringify(fieldsOf(body.toString()))
        : undefined,
    ...operations,
  )

/** Ignores what follows the object in a body. */
const ignoringMore = (operation: OperationId): Mutation =>
  changeRequests((_, body) => /^\{[^{}]*\}(?=.)/.exec(body.toString())?.[0], operation)

const accepts = (request: Request, type: string) => request.headers.get('accept') === type

/** Operations whose bodies a parser of streams reads up to the end of the object. */
const withBody = ['createTask', 'createKey', 'createLandingPage', 'generateCreative'] as const

/** Lists, and where their entries stand. */
const lists = [
  ['listTasks', 'items'],
  ['listDocuments', 'items'],
  ['listNotifications', 'items'],
  ['listLandingPages', 'items'],
] as const

/** Answers null in the place of an empty list, in an organization that has had nothing so far. */
const nullIfEmpty = (operation: OperationId, name: string): Mutation =>
  combineMutations(
    { options: { past: 'none' } },
    changeField(operation, name, (list) => (Array.isArray(list) && list.length === 0 ? null : list)),
  )

/** Answers 500 in place of every n-th success of some operations, as a service does whose database is locked. */
const failingAtTimes = (n: number, isMeant: (operation: OperationId) => boolean, html = false): Mutation => {
  const isTime = createEveryNthCallPredicate(n)
  return rewriteAnswers((reply, { operation }) => {
    if (reply.status >= 300 || !operation || !isMeant(operation) || !isTime()) return
    Object.assign(reply, {
      status: 500,
      body: html ? '<h1>Server Error (500)</h1>' : { error: 'internal_error', message: 'database is locked' },
    })
    if (html) reply.headers.set('content-type', 'text/html')
  })
}

/** Deliberate defects such as web frameworks have unless they are configured otherwise. */
export const frameworkDefects: readonly Defect[] = [
  ...defectForEach(withBody, (operation) => [
    `INPUT-MALFORMED-${operation} input-trailing-${operation}: ${operation} ignores what follows the object in its body.`,
    ignoringMore(operation),
  ]),
  ...defectForEach(lists, ([operation, name]) => [
    `SHAPE-${operation} list-null-${operation}: ${operation} answers null in the place of an empty list.`,
    nullIfEmpty(operation, name),
  ]),
  ...defectsOfTable({
    'INPUT-TYPE-createTask': {
      'input-form: A form is read like a JSON object.': () =>
        reading(
          'application/x-www-form-urlencoded',
          (body) => Object.fromEntries(new URLSearchParams(body)),
          'createTask',
        ),
      'input-multipart: A form of several parts is read like a JSON object.': () =>
        reading('multipart/form-data', () => ({ text: 'a' }), 'createTask'),
      'input-plain-text: A plain text is taken for the text of a task.': () =>
        reading(
          'text/plain',
          (body) => (body.startsWith('{') ? JSON.parse(body) : { text: body }),
          'createTask',
        ),
    },
    'ODD-TYPE-createTask odd-type-fails: createTask fails with 500 if its body is called a plain text.': () =>
      replaceAnswersWithError(
        ({ status }, { request, sent }) =>
          status !== 401 && request.headers.get('content-type') === 'text/plain' && sent.startsWith('{'),
        [500, 'internal_error'],
        'createTask',
      ),
    'ODD-ACCEPT-whoami odd-accept-fails: whoami fails with 500 if its answer is to be XML.': () =>
      replaceAnswersWithError(
        ({ status }, { request }) => status !== 401 && accepts(request, 'application/xml'),
        [500, 'internal_error'],
        'whoami',
      ),
    'ODD-ACCEPT-whoami odd-accept-refused: whoami refuses to answer XML as bad input.': () =>
      replaceAnswersWithError(
        ({ status }, { request }) => status !== 401 && accepts(request, 'application/xml'),
        [400, 'invalid_request'],
        'whoami',
      ),
    'AUTH-FIRST-whoami accept-first: The media type of an answer is negotiated before the key is looked at.':
      () =>
        replaceAnswersWithError(
          (_, { request }) => accepts(request, 'application/xml'),
          [406, 'not_acceptable'],
          'whoami',
        ),
    'AUTH-FIRST-createTask content-type-first: The media type of a body is looked at before the key.': () =>
      replaceAnswersWithError(
        (_, { request }) => request.headers.get('content-type')?.startsWith('text/plain') === true,
        [415, 'unsupported_media_type'],
        'createTask',
      ),
    'DOC-FOLDER-ONLY folder-prefix: The list of a folder shows those whose name begins with its name, too.':
      () =>
        replaceHandler('listDocuments', (call, usual) => {
          const { folder_id: wanted } = call.query
          const answer = usual(call)
          if (wanted === undefined || call.query.all || !('items' in answer)) return answer
          const more = call.org.documents
            .newest(Infinity)
            .filter(({ folder_id }) => folder_id !== wanted && folder_id?.startsWith(wanted))
          return { items: [...more, ...(answer.items as object[])] } as never
        }),
    'ANSWER-NO-500': {
      'locked-at-times: Each 97th accepted read fails with 500.': () =>
        failingAtTimes(97, (operation) => operation.startsWith('get') || operation.startsWith('list')),
      'locked-whoami: Each 61st accepted whoami fails with 500.': () =>
        failingAtTimes(61, (operation) => operation === 'whoami'),
    },
    'ANSWER-NO-500 ANSWER-JSON locked-at-times-html: Each 93rd accepted read fails with 500 and a page.':
      () =>
        failingAtTimes(93, (operation) => operation.startsWith('get') || operation.startsWith('list'), true),
    'ACCEPTS-createDocument locked-beside: Creations of documents fail with 500 while another one is under way.':
      () =>
        answerConcurrentRequests('createDocument', 500, {
          error: 'internal_error',
          message: 'database is locked',
        }),
  }),
]
