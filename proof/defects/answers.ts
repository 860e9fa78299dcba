/** §2, §4, §7: answers that break the rules for all answers or lack a field of their shape, and operations that refuse valid requests. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { Mutation } from '../mutations/mutation.ts'
import {
  changeField,
  changeRequests,
  createEveryNthCallPredicate,
  type MutableJsonObject,
  replaceAnswersWithError,
  rewriteAnswers,
  rewriteErrors,
  rewriteSuccess,
} from '../mutations/reply.ts'
import { refuseRequests, rejectCredentials } from '../mutations/rules.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'

/** A mutation: successes of an operation are answered 204, without a body. */
const empty = (operation: OperationId) =>
  rewriteSuccess((reply) => {
    Object.assign(reply, { status: 204, body: undefined })
    reply.headers.delete('content-type')
  }, operation)

/** Sends only the first two thirds of some bodies. */
const cutOff = (isMeant: (status: number) => boolean, ...operations: OperationId[]) =>
  rewriteAnswers(
    (reply) => {
      if (!isMeant(reply.status)) return
      const text = JSON.stringify(reply.body)
      reply.body = text.slice(0, Math.ceil((text.length * 2) / 3))
    },
    ...operations,
  )

/** A change of every error. */
const errors = (change: (body: MutableJsonObject, headers: Headers) => unknown) =>
  rewriteAnswers(
    ({ status, body, headers }) => void (status >= 400 && change(body as MutableJsonObject, headers)),
  )

/** Other codes of the errors of a status, what else they break, and the only variant in which they do. */
const codes = [
  [402, 'payment_required', ' NO-CREDITS-REFUSED NO-CREDITS-PERSISTS NO-CREDITS-CREATIVE', ''],
  [404, 'no_such_resource', ' *-UNKNOWN KEY-DELETE-AGAIN *-ODD-ID ISOLATION-GET-* ISOLATION-RUN-TASK', ''],
  [409, 'conflict', ' BUSY-ANSWER', ''],
  [429, 'too_many_requests', ' LIMIT-CODE', ''],
  [503, 'maintenance', ' UNAVAILABLE-CODE UNAVAILABLE-RUN', ''],
  [400, 'bad_request', ' INPUT-*', ' (first)'],
  [
    400,
    'parse_error',
    ' INPUT-MALFORMED-* INPUT-EMPTY-* INPUT-NOT-OBJECT-* INPUT-TYPE-createTask',
    ' (second)',
  ],
] as const

/** Leaves the bodies of refused requests unread; the next request on the connection is not understood. */
function leavesBody(status: number): Mutation {
  let unread = false
  return {
    async middleware({ request, operation }, next) {
      const isFresh = request.headers.get('connection') === 'close'
      if (unread && !isFresh && operation) {
        unread = false
        const headers = { 'content-type': 'text/html' }
        return new Response('<h1>Bad request syntax</h1>', { status: 400, headers })
      }
      const response = await next(request)
      if (response.status === status && request.body !== null && !isFresh) unread = true
      return response
    },
  }
}

/** Answers the next whoami after each 429 with 401, for the same key. */
function forgetsLimited(): Mutation {
  const limited = new Set<string>()
  return {
    async middleware({ request, operation }, next) {
      const key = request.headers.get('authorization') ?? ''
      if (operation === 'whoami' && limited.delete(key))
        return Response.json({ error: 'unauthorized', message: 'Log in first.' }, { status: 401 })
      const response = await next(request)
      if (response.status === 429) limited.add(key)
      return response
    },
  }
}

const free = operationIds.filter((operation) => routeOf(operation).cost === 0)
const often = ['whoami', 'listTasks', 'createTask', 'getTask', 'runTask', 'listKeys', 'createKey'] as const

/** Deliberate defects of the form of answers, and operations that refuse valid requests. */
export const answerFormDefects: readonly Defect[] = [
  ...defectForEach(free, (operation) => [
    `ACCEPTS-${operation} accepts-${operation}: ${operation} always fails with 500.`,
    refuseRequests(operation, 'internal_error'),
  ]),
  ...defectForEach(
    [
      ['createKey', 4],
      ['createTask', 12],
      ['listTasks', 4],
    ],
    ([operation, every]) => [
      `ANSWER-NO-500 accepts-${operation}-mostly: Every ${every}th valid ${operation} is answered 500.`,
      refuseRequests(operation, 'internal_error', createEveryNthCallPredicate(every)),
    ],
  ),
  ...defectForEach(['deleteKey', 'readNotification'], (operation) => [
    `ANSWER-JSON answer-empty-${operation}: ${operation} answers 204 without a body.`,
    empty(operation),
  ]),
  ...defectForEach(often, (operation) => [
    `ANSWER-JSON answer-cut-off-${operation}: The body of ${operation} is cut off.`,
    cutOff((status) => status < 300, operation),
  ]),
  ...defectForEach([401, 404, 429], (status) => [
    `ANSWER-JSON answer-cut-off-${status}: The bodies of ${status} are cut off.`,
    cutOff((seen) => seen === status),
  ]),
  ...defectForEach(codes, ([status, error, breaks, variant]) => [
    `ERROR-CODE-${status}${breaks} error-code-${status}-${error.replaceAll('_', '-')}${variant}: ${status} carries the error ${error}.`,
    rewriteErrors(status, ({ body }) => void Object.assign(body as MutableJsonObject, { error })),
  ]),
  ...defectsOfTable({
    'ANSWER-NO-500 accepts-run-mostly: Every seventh run that could start is answered 500.': () => {
      const isSeventh = createEveryNthCallPredicate(7)
      return refuseRequests('runTask', 'internal_error', ({ org, id }) => {
        return org.tasks.get(id)?.run === null && org.ledger.balance > 0 && isSeventh()
      })
    },
    'ACCEPTS-createTask ACCEPTS-createDocument accepts-no-charset: A body whose type names a charset is refused as bad input.':
      () =>
        replaceAnswersWithError(
          ({ status }, { request }) =>
            status !== 401 && request.headers.get('content-type')?.includes('charset'),
          [400, 'invalid_request'],
        ),
    'ACCEPTS-listKeys accepts-first-cookie: A session is found only in the first cookie.': () =>
      rejectCredentials((request) => request.header('cookie')?.includes('; work_agent_session=') === true),
    'ACCEPTS-whoami accepts-after-limit: After each 429, the next whoami with that key is answered 401.':
      forgetsLimited,
    'UNAVAILABLE-UNARRANGED unavailable-for-no-reason: Every third list of documents is answered 503.': () =>
      refuseRequests('listDocuments', 'unavailable', createEveryNthCallPredicate(3)),
    'ANSWER-IN-STEP': {
      'body-left-unread: The body of a request without credentials is not read, and is taken for the next request on the connection.':
        () => leavesBody(401),
      'body-left-unread-after-400: A request that is refused with 400 leaves its body unread, which spoils the next request on the connection.':
        () => leavesBody(400),
    },
    'ANSWER-JSON answer-text: The billing answer is plain text.': () =>
      rewriteSuccess((reply) => {
        reply.body = 'Plan: growth'
        reply.headers.set('content-type', 'text/plain')
      }, 'getBilling'),
    'ANSWER-JSON answer-content-type: JSON is sent as text/html.': () =>
      rewriteAnswers(({ headers }) => headers.set('content-type', 'text/html; charset=utf-8')),
    'ANSWER-JSON answer-no-content-type: Errors have no Content-Type.': () =>
      errors((_, headers) => headers.set('content-type', '')),
    'ERROR-BODY error-no-message: Errors have no message.': () => errors((body) => delete body.message),
    'ERROR-BODY error-message-object: The message of an error is an object.': () =>
      errors((body) => Object.assign(body, { message: { text: body.message } })),
    'ERROR-MESSAGE error-message-is-code: The message of an error is its code again.': () =>
      errors((body) => Object.assign(body, { message: body.error })),
    'ERROR-STATUS error-status-undocumented: A generation that fails is answered 520.': () =>
      rewriteAnswers((reply) => {
        if (reply.status === 503) reply.status = 520
      }, 'generateCreative'),
    'ANSWER-NO-500 UNAVAILABLE-CODE UNAVAILABLE-RUN unavailable-fails: During an outage key routes answer 500.':
      () => replaceAnswersWithError([503], [500, 'internal_error']),
    'UNAVAILABLE-RUN unavailable-run-bad-gateway: During an outage a run is answered 500.': () =>
      replaceAnswersWithError([503], [500, 'internal_error'], 'runTask'),
    'UNAVAILABLE-CODE unavailable-list-empty: During an outage the task list is answered 404.': () =>
      replaceAnswersWithError([503], [404, 'not_found'], 'listTasks'),
  }),
]

/** A field, its value (undefined: none), the other requirement that this breaks, and the only variant in which it does. */
type Row = readonly [operation: OperationId, path: string, value: unknown, also?: string, variant?: string]

/** Fields that are left out. */
const missing: Partial<Record<OperationId, string>> = {
  whoami: 'org org.name plan',
  createKey: 'key secret',
  listKeys: 'keys.*.last_used_at keys.*.prefix',
  deleteKey: 'ok',
  listTasks: 'items items.*.status items.*.description',
  createTask: 'task.description task',
  getTask: 'finished',
  runTask: 'status',
  listDocuments: 'items.*.title',
  createDocument: 'item',
  listNotifications: 'unread items.*.read',
  readNotification: 'ok',
  listLeads: 'connected',
  generateCreative: 'url artifactId',
  listLandingPages: 'items',
  createLandingPage: 'version published',
  listCampaigns: 'connected campaigns',
  getWallet: 'balance funding autoRecharge',
  getBilling: 'credits tiers packs',
}

const rows: readonly Row[] = [
  ...Object.entries(missing).flatMap(([operation, paths]) =>
    paths.split(' ').map((path): Row => [operation as OperationId, path, undefined]),
  ),
  ['whoami', 'org.id', ''],
  ['whoami', 'plan', 3],
  ['whoami', 'credits', '25'],
  ['whoami', 'credits', null],
  ['listKeys', 'keys', {}],
  ['deleteKey', 'ok', 'yes'],
  ['listTasks', 'credits', undefined, '', ' (first)'],
  ['listTasks', 'limit', undefined, '', ' (second)'],
  ['listTasks', 'remaining', '12', '', ' (second)'],
  ['createTask', 'task.status', 1],
  ['getTask', 'finished', 'false'],
  ['getTask', 'task.status', ''],
  ['runTask', 'finished', 0, '', ' (first)'],
  ['runTask', 'runId', undefined, '', ' (second)'],
  ['listDocuments', 'items', null],
  ['getDocument', 'item.title', undefined, ' DOC-KEEPS-TITLE'],
  ['listNotifications', 'unread', '2'],
  ['listLeads', 'prospects.*.campaign', undefined, ' LEADS-FIELDS'],
  ['listLeads', 'prospects.*.createdTime', undefined, ' LEADS-FIELDS'],
]

const typeOf = (value: unknown): string => (value === null ? 'null' : value === '' ? 'empty' : typeof value)

/** Deliberate defects of the fields of answers. */
export const answerFieldDefects: readonly Defect[] = [
  ...defectForEach(rows, ([operation, path, value, also = '', variant = '']) => {
    const id = `shape-${operation}-${path.replaceAll('.*', '').replaceAll('.', '-')}`
    const [named, answered] =
      value === undefined
        ? [id, `without ${path}`]
        : [`${id}-${typeOf(value)}`, `${path}: ${JSON.stringify(value)}`]
    return [
      `SHAPE-${operation}${also} ${named}${variant}: ${operation} answers ${answered}.`,
      changeField(operation, path, () => value),
    ]
  }),
  ...defectForEach(['getInsights', 'getWallet', 'whoami'], (operation) => [
    `SHAPE-${operation} shape-${operation}-list: ${operation} answers a list.`,
    rewriteSuccess((reply) => {
      reply.body = [reply.body]
    }, operation),
  ]),
  ...defectsOfTable({
    'ACCEPTS-whoami accept-any-refused: whoami answers 406 to an Accept header that takes anything.': () =>
      rewriteAnswers((reply, { request }) => {
        if (request.headers.get('accept') === '*/*')
          Object.assign(reply, { status: 406, body: { error: 'not_acceptable', message: 'Only JSON.' } })
      }, 'whoami'),
    'VARIANT-CONSISTENT variant-mixed: runTask follows the other variant than all other operations.': () =>
      changeRequests((request, _, { mock }) => {
        const headers = new Headers(request.headers)
        headers.set('prefer', `variant=${mock.settings.variant === 'first' ? 'second' : 'first'}`)
        return new Request(request, { headers })
      }, 'runTask'),
  }),
]
