/** §5 Authentication: each key route demands a key, each cookie route a session, and neither takes the other's. */

import { type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import type { Client } from '../client/client.ts'
import { firstTwin, throwIfAbsent, twin, validAsks } from '../evidence/calls.ts'
import { unknownLike } from '../evidence/ids.ts'
import { requestKey } from '../evidence/keys.ts'
import { notificationIds } from '../evidence/notifications.ts'
import { sharedTask } from '../evidence/resources.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { expectRefused, expectThat, need, needAccepted, refusals } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'
import { cookieOperations, creates, type KeyOperation, keyOperations } from './families.ts'

/** A well-formed request of an operation from another caller, after its valid twin was seen accepted. */
async function askAs(t: TestContext, client: Client, operation: KeyOperation): Promise<Exchange> {
  if (operation === 'runTask') return client.call(operation, { id: unknownLike((await sharedTask(t)).id) })
  if (operation === 'readNotification') return client.call(operation, { id: await anyNotification(t) })
  if (operation === 'generateCreative') {
    // Who lets a stranger in may charge for it: without consent the request is one that nothing comes of.
    const affordable = t.budget.spent < t.budget.limit
    const exchange = await client.call(operation, {
      body: affordable ? { prompt: t.name('Creative') } : {},
    })
    throwIfAbsent(t, operation, exchange)
    if (isAccepted(exchange)) t.budget.spend(1)
    return exchange
  }
  await twin(t, operation)
  return client.call(operation, await validAsks[operation](t))
}

/** The id of some notification, or one that nobody has: asked without right, neither is touched. */
async function anyNotification(t: TestContext): Promise<string> {
  const list = await firstTwin(t, 'listNotifications')
  return (isAccepted(list) && notificationIds(list)[0]) || 'no-such-notification'
}

/** The same key with its first character changed: as long, as well-formed, and nobody's. */
function strangerKey(key: string): string {
  return (key.startsWith('x') ? 'y' : 'x') + key.slice(1)
}

const missing = keyOperations.map((operation) =>
  probe(
    `AUTH-MISSING-${operation}`,
    'MUST',
    '§5.3',
    operation,
    `${operation} without an API key is answered 401 unauthorized.`,
    async (t) => void expectRefused(await askAs(t, t.nobody, operation), refusals.unauthorized),
    { writes: creates(operation) },
  ),
)

const invalid = keyOperations.map((operation) =>
  probe(
    `AUTH-INVALID-${operation}`,
    'MUST',
    '§5.3',
    operation,
    `${operation} with an invalid API key is answered 401 unauthorized.`,
    async (t) => {
      const stranger = t.as('stranger', bearer(strangerKey(t.settings.apiKey)))
      expectRefused(await askAs(t, stranger, operation), refusals.unauthorized)
    },
    { writes: creates(operation) },
  ),
)

const sessionOnKeyRoute = keyOperations.map((operation) =>
  probe(
    `AUTH-SESSION-${operation}`,
    'MUST',
    '§5.1',
    operation,
    `A browser session alone does not open ${operation}, which requires a key: 401 unauthorized.`,
    async (t) => void expectRefused(await askAs(t, t.session, operation), refusals.unauthorized),
    { writes: creates(operation), needs: ['session'] },
  ),
)

/** A request of a cookie route that harms nothing if it is accepted by mistake. */
async function askCookieRoute(
  t: TestContext,
  client: Client,
  operation: (typeof cookieOperations)[number],
): Promise<Exchange> {
  await twin(t, operation)
  if (operation === 'deleteKey') return client.call(operation, { id: 'no-such-key' })
  return operation === 'createKey' ? requestKey(t, undefined, client) : client.call(operation)
}

const cookieRoutes = cookieOperations.flatMap((operation) => {
  const traits = { writes: true, needs: ['session'] } as const
  return [
    probe(
      `AUTH-MISSING-${operation}`,
      'MUST',
      '§5.4, §7',
      operation,
      `${operation} without a browser session is answered 401 unauthorized.`,
      async (t) => void expectRefused(await askCookieRoute(t, t.nobody, operation), refusals.unauthorized),
      traits,
    ),
    probe(
      `AUTH-INVALID-${operation}`,
      'MUST',
      '§5.4, §7',
      operation,
      `${operation} with an invalid session cookie is answered 401 unauthorized.`,
      async (t) => {
        const name = t.settings.sessionCookie?.split('=')[0]
        const stranger = t.as('stranger', { cookie: `${name}=not-a-session-${t.runId}` })
        expectRefused(await askCookieRoute(t, stranger, operation), refusals.unauthorized)
      },
      traits,
    ),
    probe(
      `AUTH-KEY-${operation}`,
      'MUST',
      '§5.4',
      operation,
      `An API key alone does not open ${operation}, which requires a browser session: 401 unauthorized.`,
      async (t) => void expectRefused(await askCookieRoute(t, t.main, operation), refusals.unauthorized),
      traits,
    ),
  ]
})

export const authentication: Requirement[] = [
  ...missing,
  ...invalid,
  ...sessionOnKeyRoute,
  ...cookieRoutes,
  probe(
    'AUTH-SCHEME-CASE',
    'SHOULD',
    '§5.1',
    'whoami',
    'The name of the Bearer scheme is accepted in any case (RFC 9110 §11.1).',
    async (t) => {
      await twin(t, 'whoami')
      const client = t.as('main', { authorization: `bearer ${t.settings.apiKey}` })
      const exchange = await client.call('whoami')
      expectThat(exchange.status !== 401, 'the same answer as with "Bearer"', '401', exchange)
    },
  ),
  probe(
    'AUTH-ORGANIZATION',
    'MUST',
    '§5.2',
    'whoami',
    'The organization is resolved from the key: keys of two organizations are told two org ids.',
    async (t) => {
      const [mine, theirs] = [
        needAccepted(await t.call('whoami')),
        needAccepted(await t.other.call('whoami')),
      ]
      const [a, b] = [mine, theirs].map((exchange) => need(idOf(field(exchange.json, 'org', 'id')), 'org.id'))
      expectThat(a !== b, 'two org ids', `${a} for both keys`, mine, theirs)
    },
    { needs: ['other_key'] },
  ),
  probe(
    'AUTH-STABLE-ORGANIZATION',
    'MUST',
    '§5.2',
    'whoami',
    'The same key is told the same org.id each time.',
    async (t) => {
      const [first, second] = [needAccepted(await t.call('whoami')), needAccepted(await t.call('whoami'))]
      const [a, b] = [first, second].map((exchange) =>
        need(idOf(field(exchange.json, 'org', 'id')), 'org.id'),
      )
      expectThat(a === b, `${a} again`, String(b), first, second)
    },
  ),
]
