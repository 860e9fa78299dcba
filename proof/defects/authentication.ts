/** §5: routes that accept wrong credentials, and wrong refusals. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { sessionCookie, sessionOf } from '#mocks/tenants/credentials.ts'
import type { Tenants } from '#mocks/tenants/tenants.ts'
import { rewriteErrors, rewriteField } from '../mutations/reply.ts'
import { authorize } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

const byKey = operationIds.filter((operation) => routeOf(operation).auth === 'key')
const byCookie = operationIds.filter((operation) => routeOf(operation).auth === 'cookie')

/** The organization that wrong credentials are resolved to. */
const demo = (tenants: Tenants) => tenants.bySession(sessionOf(tenants.demoName))

const openToAll = operationIds.map(
  (operation): Defect => ({
    id: `auth-missing-${operation}`,
    title: `${operation} answers requests without credentials.`,
    breaks: [`AUTH-MISSING-${operation}`],
    mutate: () =>
      authorize(operation, (request, tenants) =>
        (request.header('authorization') ?? request.header('cookie')) ? undefined : demo(tenants),
      ),
  }),
)

const openToSimilarKeys = byKey.map(
  (operation): Defect => ({
    id: `auth-invalid-${operation}`,
    title: `${operation} does not compare the first letter of the key.`,
    breaks: [`AUTH-INVALID-${operation}`],
    mutate: () =>
      authorize(operation, (request, tenants) => {
        const [, similar] = /^Bearer .(.*)$/.exec(request.header('authorization') ?? '') ?? []
        return similar === tenants.keyFor(tenants.demoName).slice(1) ? demo(tenants) : undefined
      }),
  }),
)

const openToAnyCookie = byCookie.map(
  (operation): Defect => ({
    id: `auth-invalid-${operation}`,
    title: `${operation} accepts a session cookie of any value.`,
    breaks: [`AUTH-INVALID-${operation}`],
    mutate: () =>
      authorize(operation, (request, tenants) =>
        request.header('cookie')?.includes(`${sessionCookie}=`) ? demo(tenants) : undefined,
      ),
  }),
)

const openToSessions = byKey.map(
  (operation): Defect => ({
    id: `auth-session-${operation}`,
    title: `${operation} accepts a browser session.`,
    breaks: [`AUTH-SESSION-${operation}`],
    mutate: () =>
      authorize(operation, (request, tenants) => {
        const [, token] = request.header('cookie')?.split('=') ?? []
        return token === undefined ? undefined : tenants.bySession(token)
      }),
  }),
)

const openToKeys = byCookie.map(
  (operation): Defect => ({
    id: `auth-key-${operation}`,
    title: `${operation} accepts an API key.`,
    breaks: [`AUTH-KEY-${operation}`],
    mutate: () =>
      authorize(operation, (request, tenants) =>
        tenants.byKey(request.header('authorization')?.slice(7) ?? ''),
      ),
  }),
)

/** Checks everything else first: a request without a key is answered by its other error, if it has one. */
const keyLast = (['getTask', 'getDocument', 'createTask', 'createDocument'] as const).map(
  (operation): Defect => ({
    id: `auth-last-${operation}`,
    title: `${operation} checks the key only after everything else.`,
    breaks: [`AUTH-FIRST-${operation}`],
    mutate: () => ({
      async middleware({ request, operation: actual, mock }, next) {
        if (actual !== operation || request.headers.has('authorization')) return next(request)
        const { method, url } = request
        const body = method === 'GET' ? null : await request.text()
        const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
        const response = await next(new Request(url, { method, headers, body }))
        return response.ok ? next(new Request(url, { method, body })) : response
      },
    }),
  }),
)

/** All requirements that expect a 401. */
const all401 = [
  'AUTH-MISSING-*',
  'AUTH-INVALID-*',
  'AUTH-SESSION-*',
  'AUTH-KEY-*',
  'AUTH-MALFORMED',
  'KEY-DELETED-DEAD',
  'KEY-WHOLE',
]

export const authentication: readonly Defect[] = [
  ...openToAll,
  ...openToSimilarKeys,
  ...openToAnyCookie,
  ...openToSessions,
  ...openToKeys,
  ...keyLast,
  {
    id: 'auth-scheme-case',
    title: 'The Bearer scheme is accepted only with a capital letter.',
    breaks: ['AUTH-SCHEME-CASE'],
    mutate: () => ({
      rules: (rules) => ({
        ...rules,
        authenticate: (request, auth, tenants) =>
          request.header('authorization')?.startsWith('bearer')
            ? undefined
            : rules.authenticate(request, auth, tenants),
      }),
    }),
  },
  {
    id: 'auth-one-organization',
    title: 'whoami returns the same organization for every key.',
    breaks: ['AUTH-ORGANIZATION'],
    mutate() {
      let first: unknown
      return rewriteField('org.id', (id) => (first ??= id), 'whoami')
    },
  },
  {
    id: 'auth-unstable-organization',
    title: 'whoami returns another org.id each time.',
    breaks: ['AUTH-STABLE-ORGANIZATION'],
    mutate() {
      let count = 0
      return rewriteField('org.id', (id) => `${id}-${++count}`, 'whoami')
    },
  },
  {
    id: 'auth-code',
    title: '401 carries the error not_logged_in.',
    breaks: ['ERROR-CODE-401', ...all401],
    mutate: () =>
      rewriteErrors(401, (reply) => {
        Object.assign(reply.body as object, { error: 'not_logged_in' })
      }),
  },
  {
    id: 'auth-status',
    title: 'A missing or invalid credential is answered 403.',
    breaks: ['ERROR-STATUS', ...all401],
    mutate: () =>
      rewriteErrors(401, (reply) => {
        reply.status = 403
      }),
  },
]
