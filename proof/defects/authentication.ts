/** §5: credentials that are accepted in wrong places, and wrong refusals. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { Key } from '#mocks/core/resources.ts'
import { viewKey } from '#mocks/handlers/views.ts'
import type { ReceivedRequest } from '#mocks/pipeline/received-request.ts'
import { sessionCookieName, sessionTokenOf } from '#mocks/tenants/tenant.ts'
import type { Tenants } from '#mocks/tenants/tenants.ts'
import { valueAtPath } from '#traffic/exchange.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import {
  changeField,
  changeRequests,
  createEveryNthCallPredicate,
  replaceAnswersWithError,
  rewriteErrors,
} from '../mutations/reply.ts'
import { acceptCredentials, callAfterHandling, rejectCredentials } from '../mutations/rules.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'

const byKey = operationIds.filter((operation) => routeOf(operation).auth === 'key')
const byCookie = operationIds.filter((operation) => routeOf(operation).auth === 'cookie')

const header = (request: ReceivedRequest) => request.header('authorization') ?? ''
const bearer = (request: ReceivedRequest) => header(request).slice('Bearer '.length)
const cookie = (request: ReceivedRequest, name: string) =>
  new RegExp(`(?:^|; *)${name}=([^;]*)`).exec(request.header('cookie') ?? '')?.[1]
const basic = (request: ReceivedRequest) =>
  Buffer.from(/^Basic (\S+)$/.exec(header(request))?.[1] ?? '', 'base64').toString()

/** The organization that wrong credentials are resolved to. */
const demo = (tenants: Tenants) => tenants.bySession(sessionTokenOf(tenants.demoName))

/** Accepts the key of the first organization with any first letter. */
const similar = (request: ReceivedRequest, tenants: Tenants) =>
  /^Bearer .(.*)$/.exec(header(request))?.[1] === tenants.keyFor(tenants.demoName).slice(1)
    ? demo(tenants)
    : undefined

/** Accepts a key that is read from a request in another way. */
const keyIn = (read: (request: ReceivedRequest) => string | undefined, operation: OperationId = 'whoami') =>
  acceptCredentials(operation, (request, tenants) => tenants.byKey(read(request) ?? ''))

/** Accepts a session that is read from a request in another way. */
const sessionIn = (
  read: (request: ReceivedRequest) => string | undefined,
  operation: OperationId = 'whoami',
) => acceptCredentials(operation, (request, tenants) => tenants.bySession(read(request) ?? ''))

/** Accepts the key that the body of a creation names. */
const keyInBody: Mutation = {
  async middleware({ request, operation }, next) {
    if (operation !== 'createTask' || request.headers.has('authorization')) return next(request)
    const body = await request.text()
    const key = valueAtPath(parseJson(body), 'api_key')
    const headers = new Headers(request.headers)
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
    return next(new Request(request.url, { method: 'POST', headers, body }))
  },
}

/** Accepts a text that is like a created key. */
function alike(isAlike: (sent: string, key: Key) => boolean): Mutation {
  const made: Key[] = []
  return combineMutations(
    callAfterHandling('createKey', ({ org }) => void made.push(...org.keys.newest(1))),
    acceptCredentials('whoami', (request, tenants) => {
      const key = made.find((one) => !one.deleted && isAlike(bearer(request), one))
      return key && tenants.byKey(key.secret)
    }),
  )
}

/** Accepts a text that is like the secret of a created key. */
const alikeSecret = (isAlike: (sent: string, secret: string) => boolean) =>
  alike((sent, { secret }) => sent.length > 20 && isAlike(sent, secret))

/** Checks everything else first: a request without a key is answered by its other error, if it has one. */
const keyLast = (meant: OperationId): Mutation => ({
  async middleware({ request, operation, mock }, next) {
    if (operation !== meant || request.headers.has('authorization')) return next(request)
    const { method, url } = request
    const body = method === 'GET' ? null : await request.text()
    const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
    const response = await next(new Request(url, { method, headers, body }))
    return response.ok ? next(new Request(url, { method, body })) : response
  },
})

/** Answers requests for whoami that come at the same moment as the first of them. */
function sharedFlight(): Mutation {
  let shared: Response | undefined
  return {
    async middleware({ request, operation }, next) {
      const own = await next(request)
      if (operation !== 'whoami' || !own.ok) return own
      if (shared === undefined) setImmediate(() => (shared = undefined))
      shared ??= own
      return shared.clone()
    },
  }
}

/** All requirements that expect a 401. */
const all401 =
  'AUTH-MISSING-* AUTH-INVALID-* AUTH-SESSION-* AUTH-KEY-* AUTH-MALFORMED KEY-DELETED-DEAD KEY-WHOLE'

/** Deliberate defects of credentials that are accepted or refused wrongly. */
export const authenticationDefects: readonly Defect[] = [
  ...defectForEach(operationIds, (operation) => [
    `AUTH-MISSING-${operation} auth-missing-${operation}: ${operation} answers requests without credentials.`,
    acceptCredentials(operation, (request, tenants) =>
      (request.header('authorization') ?? request.header('cookie')) ? undefined : demo(tenants),
    ),
  ]),
  ...defectForEach(byKey, (operation) => [
    `AUTH-INVALID-${operation} auth-invalid-${operation}: ${operation} does not compare the first letter of the key.`,
    acceptCredentials(operation, similar),
  ]),
  ...defectForEach(byCookie, (operation) => [
    `AUTH-INVALID-${operation} auth-invalid-${operation}: ${operation} accepts a session cookie of any value.`,
    acceptCredentials(operation, (request, tenants) =>
      cookie(request, sessionCookieName) === undefined ? undefined : demo(tenants),
    ),
  ]),
  ...defectForEach(byKey, (operation) => [
    `AUTH-SESSION-${operation} auth-session-${operation}: ${operation} accepts a browser session.`,
    sessionIn((request) => cookie(request, sessionCookieName), operation),
  ]),
  ...defectForEach(byCookie, (operation) => [
    `AUTH-KEY-${operation} auth-key-${operation}: ${operation} accepts an API key.`,
    keyIn(bearer, operation),
  ]),
  ...defectForEach(
    [
      ['getTask', ''],
      ['getDocument', ''],
      ['createTask', 'AUTH-REFUSED-TASK '],
      ['createDocument', 'AUTH-REFUSED-DOCUMENT '],
    ] as const,
    ([operation, too]) => [
      `AUTH-FIRST-${operation} ${too}auth-last-${operation}: ${operation} checks the key only after everything else.`,
      keyLast(operation),
    ],
  ),
  ...defectsOfTable({
    'AUTH-FIRST-createDocument auth-after-parsing: A document that cannot be read as JSON is answered 400 without a key.':
      () =>
        changeRequests(({ headers }, body) => {
          if (headers.has('authorization') || parseJson(body.toString())) return undefined
          return Response.json({ error: 'invalid_request', message: 'Not JSON.' }, { status: 400 })
        }, 'createDocument'),
    'KEY-WHOLE key-whole-prefix: The beginning of a key is accepted as the whole key.': () =>
      alikeSecret((sent, secret) => secret.startsWith(sent)),
    'KEY-WHOLE key-whole-length: A key with additional characters at its end is accepted.': () =>
      alikeSecret((sent, secret) => sent.startsWith(secret)),
    'KEY-WHOLE key-whole-padded: A key with a sign of equality behind it is accepted, as base64 may be padded.':
      () => alikeSecret((sent, secret) => sent.replace(/=+$/, '') === secret),
    'KEY-WHOLE key-whole-case: Keys are compared case-insensitively.': () =>
      alikeSecret((sent, secret) => sent.toLowerCase() === secret.toLowerCase()),
    'KEY-WHOLE key-whole-last-letter: The last letter of a key is not compared.': () =>
      alikeSecret((sent, secret) => sent.slice(0, -1) === secret.slice(0, -1)),
    'KEY-WHOLE key-whole-wildcard: A percent sign stands for the rest of a key.': () =>
      alikeSecret((sent, secret) => sent.endsWith('%') && secret.startsWith(sent.slice(0, -1))),
    'KEY-WHOLE key-whole-list: A key with a comma behind it is accepted.': () =>
      alikeSecret((sent, secret) => sent.split(',')[0] === secret),
    'KEY-ONLY-SECRET key-id-opens: The id of a key is accepted as the key.': () =>
      alike((sent, { id }) => sent === id),
    'KEY-ONLY-SECRET key-prefix-opens: The prefix of a key is accepted as the key.': () =>
      alike((sent, key) => sent === viewKey(key).prefix),
    'AUTH-SCHEME key-without-scheme: A key is accepted without a scheme.': () => keyIn(header),
    'AUTH-SCHEME key-any-scheme: A key is accepted under any scheme.': () =>
      keyIn((request) => header(request).split(' ')[1]),
    'AUTH-SCHEME key-last-word: Of the Authorization header the last word counts.': () =>
      keyIn((request) => (/^Bearer /.test(header(request)) ? header(request).split(' ').at(-1) : undefined)),
    'AUTH-SCHEME key-behind-any-word: Bearer and a key are found behind other words.': () =>
      keyIn((request) => / Bearer (\S+)/.exec(header(request))?.[1]),
    'AUTH-SCHEME key-basic: A key is accepted as the user name of Basic authentication.': () =>
      keyIn((request) => basic(request).replace(/:$/, '')),
    'AUTH-SCHEME key-basic-password: A key is accepted as the password of Basic authentication.': () =>
      keyIn((request) => basic(request).replace(/^.*?:/, '')),
    'AUTH-HEADER key-in-other-header: A key is accepted in X-API-Key.': () =>
      keyIn((request) => request.header('x-api-key')),
    'AUTH-QUERY key-in-address: A key is accepted in the URL.': () =>
      keyIn((request) => request.query().api_key),
    'AUTH-QUERY key-in-cookie: A key is accepted in a cookie.': () =>
      keyIn((request) => cookie(request, 'token')),
    'AUTH-QUERY key-in-body: A key is accepted in the body.': () => keyInBody,
    'AUTH-INVALID-createKey AUTH-INVALID-deleteKey session-unsigned: Of a session cookie only the first characters are compared.':
      () =>
        combineMutations(
          ...(['createKey', 'deleteKey'] as const).map((operation) =>
            acceptCredentials(operation, (request, tenants) =>
              cookie(request, sessionCookieName)?.startsWith(sessionTokenOf(tenants.demoName).slice(0, 3))
                ? demo(tenants)
                : undefined,
            ),
          ),
        ),
    'AUTH-INVALID-deleteKey session-half-compared: Of a session cookie the first half is compared.': () =>
      acceptCredentials('deleteKey', (request, tenants) => {
        const session = sessionTokenOf(tenants.demoName)
        const isHalf = cookie(request, sessionCookieName)?.startsWith(session.slice(0, session.length / 2))
        return isHalf ? demo(tenants) : undefined
      }),
    'AUTH-INVALID-deleteKey session-of-other-name: A cookie whose name ends like that of the session is taken for it.':
      () =>
        sessionIn(
          (request) => new RegExp(`${sessionCookieName}=([^;]*)`).exec(request.header('cookie') ?? '')?.[1],
          'deleteKey',
        ),
    'AUTH-MALFORMED key-not-ascii: A key with bytes beyond ASCII is answered 500.': () =>
      replaceAnswersWithError(
        (_, { request }) => /[^ -~]/.test(request.headers.get('authorization') ?? ''),
        [500, 'internal_error'],
        'whoami',
      ),
    'AUTH-AS-KEY session-as-key: The value of a session cookie is accepted as a Bearer token.': () =>
      sessionIn(bearer),
    'AUTH-AS-SESSION key-as-session: An API key is accepted as the value of a session cookie.': () =>
      keyIn((request) => cookie(request, sessionCookieName), 'listKeys'),
    'AUTH-SCHEME-CASE auth-scheme-case: The Bearer scheme is accepted only with a capital letter.': () =>
      rejectCredentials((request) => header(request).startsWith('bearer')),
    'AUTH-ORGANIZATION auth-one-organization: whoami returns the same organization for every key.': () => {
      let first: unknown
      return changeField('whoami', 'org.id', (id) => (first ??= id))
    },
    'AUTH-ORGANIZATION auth-shared-flight: Requests for whoami at the same moment share one answer, whoever asks.':
      sharedFlight,
    'AUTH-STABLE-ORGANIZATION': {
      'auth-unstable-organization: whoami returns another org.id each time.': () => {
        let count = 0
        return changeField('whoami', 'org.id', (id) => `${id}-${++count}`)
      },
      'org-id-changes-sometimes: Every 50th answer of whoami comes from a replica that gives the organization another id.':
        () => {
          const isReplica = createEveryNthCallPredicate(50)
          return changeField('whoami', 'org.id', (id) => (isReplica() ? `replica-${id}` : id))
        },
    },
    [`ERROR-CODE-401 ${all401} auth-code: 401 carries the error not_logged_in.`]: () =>
      rewriteErrors(401, ({ body }) => void Object.assign(body as object, { error: 'not_logged_in' })),
    [`ERROR-STATUS ${all401} auth-status: A missing or invalid credential is answered 403.`]: () =>
      rewriteErrors(401, (reply) => {
        reply.status = 403
      }),
  }),
]
