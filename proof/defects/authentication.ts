/** §5: routes that open to those who may not come in, and refusals that say the wrong thing. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { sessionCookie, sessionOf } from '#mocks/tenants/credentials.ts'
import type { Tenants } from '#mocks/tenants/tenants.ts'
import { rewriteErrors, rewriteField } from '../mutations/reply.ts'
import { admit } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

const byKey = operationIds.filter((operation) => routeOf(operation).auth === 'key')
const byCookie = operationIds.filter((operation) => routeOf(operation).auth === 'cookie')

/** The organization that is mistaken for the owner of a credential. */
const demo = (tenants: Tenants) => tenants.bySession(sessionOf(tenants.demoName))

const openToAll = operationIds.map(
  (operation): Defect => ({
    id: `auth-missing-${operation}`,
    title: `${operation} answers a caller without any credentials.`,
    breaks: [`AUTH-MISSING-${operation}`],
    mutate: () =>
      admit(operation, (request, tenants) =>
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
      admit(operation, (request, tenants) => {
        const [, similar] = /^Bearer .(.*)$/.exec(request.header('authorization') ?? '') ?? []
        return similar === tenants.keyFor(tenants.demoName).slice(1) ? demo(tenants) : undefined
      }),
  }),
)

const openToAnyCookie = byCookie.map(
  (operation): Defect => ({
    id: `auth-invalid-${operation}`,
    title: `${operation} takes any session cookie, whatever its value.`,
    breaks: [`AUTH-INVALID-${operation}`],
    mutate: () =>
      admit(operation, (request, tenants) =>
        request.header('cookie')?.includes(`${sessionCookie}=`) ? demo(tenants) : undefined,
      ),
  }),
)

const openToSessions = byKey.map(
  (operation): Defect => ({
    id: `auth-session-${operation}`,
    title: `${operation} opens to a browser session.`,
    breaks: [`AUTH-SESSION-${operation}`],
    mutate: () =>
      admit(operation, (request, tenants) => {
        const [, token] = request.header('cookie')?.split('=') ?? []
        return token === undefined ? undefined : tenants.bySession(token)
      }),
  }),
)

const openToKeys = byCookie.map(
  (operation): Defect => ({
    id: `auth-key-${operation}`,
    title: `${operation} opens to an API key.`,
    breaks: [`AUTH-KEY-${operation}`],
    mutate: () =>
      admit(operation, (request, tenants) => tenants.byKey(request.header('authorization')?.slice(7) ?? '')),
  }),
)

/** Looks at everything else first: without a key, whatever is wrong beside that is answered instead of 401. */
const keyLast = (['getTask', 'getDocument', 'createTask', 'createDocument'] as const).map(
  (operation): Defect => ({
    id: `auth-last-${operation}`,
    title: `${operation} looks at the key only after everything else.`,
    breaks: [`AUTH-FIRST-${operation}`],
    mutate: () => ({
      async middleware({ request, operation: asked, mock }, next) {
        if (asked !== operation || request.headers.has('authorization')) return next(request)
        const { method, url } = request
        const body = method === 'GET' ? null : await request.text()
        const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
        const response = await next(new Request(url, { method, headers, body }))
        return response.ok ? next(new Request(url, { method, body })) : response
      },
    }),
  }),
)

/** Everything that asks for a 401. */
const all401 = [
  'AUTH-MISSING-*',
  'AUTH-INVALID-*',
  'AUTH-SESSION-*',
  'AUTH-KEY-*',
  'AUTH-MALFORMED',
  'KEY-DELETED-DEAD',
  'KEY-WHOLE',
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
    title: 'The Bearer scheme is only known with a capital letter.',
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
    title: 'whoami tells every key the same organization.',
    breaks: ['AUTH-ORGANIZATION'],
    mutate() {
      let first: unknown
      return rewriteField('org.id', (id) => (first ??= id), 'whoami')
    },
  },
  {
    id: 'auth-unstable-organization',
    title: 'whoami tells another org.id each time.',
    breaks: ['AUTH-STABLE-ORGANIZATION'],
    mutate() {
      let asked = 0
      return rewriteField('org.id', (id) => `${id}-${++asked}`, 'whoami')
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
