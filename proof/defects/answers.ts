/** §4, §7: answers that break the rules for all answers, and operations that refuse valid requests. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { fail } from '#mocks/core/failure.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { rewrite, rewriteErrors, rewriteSuccess } from '../mutations/reply.ts'
import { handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

const free = operationIds.filter((operation) => routeOf(operation).cost === 0)

const broken = free.map(
  (operation): Defect => ({
    id: `accepts-${operation}`,
    title: `${operation} always fails with 500.`,
    breaks: [`ACCEPTS-${operation}`],
    mutate: () => handle(operation, () => fail('internal_error')),
  }),
)

/** Answers some valid requests with 500, and serves the others. */
const nowAndThen = (operation: 'createKey' | 'createTask' | 'listTasks', every: number): Defect => ({
  id: `accepts-${operation}-mostly`,
  title: `Every ${every}th valid ${operation} is answered 500.`,
  breaks: [`ACCEPTS-${operation}`],
  mutate() {
    let count = 0
    return handle(operation, (call, usual) => (++count % every === 0 ? fail('internal_error') : usual(call)))
  },
})

const empty = (operation: OperationId): Defect => ({
  id: `answer-empty-${operation}`,
  title: `${operation} answers 204 without a body.`,
  breaks: ['ANSWER-JSON'],
  mutate: (): Mutation => ({
    async middleware({ request, operation: actual }, next) {
      const response = await next(request)
      return actual === operation && response.ok ? new Response(null, { status: 204 }) : response
    },
  }),
})

/** Sends only the first two thirds of some bodies. */
const cutOff = (
  what: string,
  title: string,
  cuts: (status: number) => boolean,
  ...of: OperationId[]
): Defect => ({
  id: `answer-cut-off-${what}`,
  title,
  breaks: ['ANSWER-JSON'],
  mutate: () =>
    rewrite(
      (reply) => {
        if (!cuts(reply.status)) return
        const text = JSON.stringify(reply.body)
        reply.body = text.slice(0, Math.ceil((text.length * 2) / 3))
      },
      ...of,
    ),
})

const cutSuccess = (operation: OperationId): Defect =>
  cutOff(operation, `The body of ${operation} is cut off.`, (status) => status < 300, operation)

/** Codes of errors, and all requirements that expect such an error. */
const codes: readonly (readonly [number, string, readonly string[], Defect['variant']?])[] = [
  [400, 'bad_request', ['INPUT-*'], 'first'],
  [400, 'parse_error', ['INPUT-MALFORMED-*', 'INPUT-EMPTY-*', 'INPUT-NOT-OBJECT-*'], 'second'],
  [402, 'payment_required', ['NO-CREDITS-REFUSED', 'NO-CREDITS-PERSISTS', 'NO-CREDITS-CREATIVE']],
  [
    404,
    'no_such_resource',
    ['*-UNKNOWN', 'KEY-DELETE-AGAIN', '*-ODD-ID', 'ISOLATION-GET-*', 'ISOLATION-RUN-TASK'],
  ],
  [409, 'conflict', ['BUSY-ANSWER']],
  [429, 'too_many_requests', ['LIMIT-CODE']],
  [503, 'maintenance', ['UNAVAILABLE-CODE', 'UNAVAILABLE-RUN']],
]

const wrongCodes = codes.map(
  ([status, error, breaks, variant]): Defect => ({
    id: `error-code-${status}-${error.replaceAll('_', '-')}`,
    title: `${status} carries the error ${error}.`,
    breaks: [`ERROR-CODE-${status}`, ...breaks],
    ...(variant ? { variant } : {}),
    mutate: () => rewriteErrors(status, ({ body }) => void Object.assign(body as object, { error })),
  }),
)

/** A change of every error answer. */
const onErrors = (change: (body: Record<string, unknown>) => void) => () =>
  rewrite(({ status, body }) => {
    if (status >= 400) change(body as Record<string, unknown>)
  })

export const answers: readonly Defect[] = [
  {
    id: 'body-left-unread',
    title:
      'The body of a request without credentials is not read, and is taken for the next request on the connection.',
    breaks: ['ANSWER-IN-STEP'],
    mutate() {
      let unread = false
      return {
        async middleware({ request, operation }, next) {
          const isFresh = request.headers.get('connection') === 'close'
          if (unread && !isFresh && operation) {
            unread = false
            return new Response('<h1>Bad request syntax</h1>', {
              status: 400,
              headers: { 'content-type': 'text/html' },
            })
          }
          const response = await next(request)
          if (response.status === 401 && request.body !== null && !isFresh) unread = true
          return response
        },
      }
    },
  },
  ...broken,
  nowAndThen('createKey', 3),
  nowAndThen('createTask', 7),
  nowAndThen('listTasks', 4),
  {
    id: 'accepts-run-mostly',
    title: 'Every fifth run that could start is answered 500.',
    breaks: ['RUN-ACCEPTED'],
    mutate() {
      let count = 0
      return handle('runTask', (call, usual) => {
        const task = call.org.tasks.get(call.id)
        const isReady = task !== undefined && task.run === null && call.org.ledger.balance > 0
        return isReady && ++count % 5 === 0 ? fail('internal_error') : usual(call)
      })
    },
  },
  {
    id: 'accepts-after-limit',
    title: 'After each 429, the next whoami with that key is answered 401.',
    breaks: ['ACCEPTS-whoami'],
    mutate() {
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
    },
  },
  {
    id: 'unavailable-for-no-reason',
    title: 'Every third list of documents is answered 503.',
    breaks: ['UNAVAILABLE-UNARRANGED'],
    mutate() {
      let count = 0
      return handle('listDocuments', (call, usual) => (++count % 3 === 0 ? fail('unavailable') : usual(call)))
    },
  },
  ...wrongCodes,
  empty('deleteKey'),
  empty('readNotification'),
  ...(['whoami', 'listTasks', 'createTask', 'getTask', 'runTask', 'listKeys', 'createKey'] as const).map(
    cutSuccess,
  ),
  ...[401, 404, 429].map((status) =>
    cutOff(String(status), `The bodies of ${status} are cut off.`, (seen) => seen === status),
  ),
  {
    id: 'answer-text',
    title: 'The billing answer is plain text.',
    breaks: ['ANSWER-JSON'],
    mutate: () =>
      rewriteSuccess((reply) => {
        reply.body = 'Plan: growth'
        reply.headers.set('content-type', 'text/plain')
      }, 'getBilling'),
  },
  {
    id: 'answer-content-type',
    title: 'JSON is sent as text/html.',
    breaks: ['ANSWER-JSON'],
    mutate: () => rewrite(({ headers }) => headers.set('content-type', 'text/html; charset=utf-8')),
  },
  {
    id: 'answer-no-content-type',
    title: 'Errors have no Content-Type.',
    breaks: ['ANSWER-JSON'],
    mutate: () =>
      rewrite(({ status, headers }) => {
        if (status >= 400) headers.set('content-type', '')
      }),
  },
  {
    id: 'error-no-message',
    title: 'Errors have no message.',
    breaks: ['ERROR-BODY'],
    mutate: onErrors((body) => delete body.message),
  },
  {
    id: 'error-message-object',
    title: 'The message of an error is an object.',
    breaks: ['ERROR-BODY'],
    mutate: onErrors((body) => {
      body.message = { text: body.message }
    }),
  },
  {
    id: 'error-message-is-code',
    title: 'The message of an error is its code again.',
    breaks: ['ERROR-MESSAGE'],
    mutate: onErrors((body) => {
      body.message = body.error
    }),
  },
  {
    id: 'error-status-undocumented',
    title: 'A generation that fails is answered 520.',
    breaks: ['ERROR-STATUS'],
    mutate: () =>
      rewrite((reply) => {
        if (reply.status === 503) reply.status = 520
      }, 'generateCreative'),
  },
]
