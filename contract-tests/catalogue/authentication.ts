/** §5 Authentication: key routes require a key, cookie routes a session, and neither accepts the other. */
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import type { Client } from '../client/client.ts'
import { unknownLike } from '../evidence/ids.ts'
import { requestKey } from '../evidence/keys.ts'
import { notificationIds } from '../evidence/notifications.ts'
import { sharedTask, throwIfAbsent } from '../evidence/resources.ts'
import { assumePositiveControl, positiveControl, validRequests } from '../evidence/valid-requests.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeOrgId, expectRefused, expectThat, refusals } from '../harness/expect.ts'
import {
  type CookieOperation,
  cookieOperations,
  creates,
  type KeyOperation,
  keyOperations,
} from '../harness/operation-groups.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'
import type { OperatorInput } from '../harness/terms.ts'

/** Calls a key route validly as another caller, after the positive control. */
async function callKeyRoute(t: TestContext, client: Client, operation: KeyOperation): Promise<Exchange> {
  if (operation === 'runTask') return client.call(operation, { id: unknownLike((await sharedTask(t)).id) })
  if (operation === 'readNotification') return client.call(operation, { id: await anyNotification(t) })
  if (operation === 'generateCreative') {
    // A service that wrongly accepts it may charge for it: without budget the request is an invalid one.
    const affordable = t.budget.spent < t.budget.limit
    const exchange = await client.call(operation, {
      body: affordable ? { prompt: t.name('Creative') } : {},
    })
    throwIfAbsent(t, exchange)
    if (isAccepted(exchange)) t.budget.spend(1)
    return exchange
  }
  await assumePositiveControl(t, operation)
  return client.call(operation, await validRequests[operation](t))
}

/** The id of any notification, or else an unknown one. */
async function anyNotification(t: TestContext): Promise<string> {
  const list = await positiveControl(t, 'listNotifications')
  return (isAccepted(list) && notificationIds(list)[0]) || 'no-such-notification'
}

/** Calls a cookie route as another caller; harmless if it is accepted by mistake. */
async function callCookieRoute(
  t: TestContext,
  client: Client,
  operation: CookieOperation,
): Promise<Exchange> {
  await assumePositiveControl(t, operation)
  if (operation === 'deleteKey') return client.call(operation, { id: 'no-such-key' })
  return operation === 'createKey' ? requestKey(t, undefined, client) : client.call(operation)
}

/** A caller without access: the name in the id, the section, what it sends, and the input it needs. */
type Unauthorized = readonly [
  name: string,
  section: string,
  credentials: string,
  caller: (t: TestContext) => Client,
  needs?: readonly OperatorInput[],
]

/** A well-formed key that does not exist: the valid one with its first character changed. */
export const unknownKey = (key: string) => (key.startsWith('x') ? 'y' : 'x') + key.slice(1)

const withoutKey: readonly Unauthorized[] = [
  ['MISSING', '§5.3', 'without an API key', (t) => t.nobody],
  [
    'INVALID',
    '§5.3',
    'with an invalid API key',
    (t) => t.as('stranger', bearer(unknownKey(t.settings.apiKey))),
  ],
  ['SESSION', '§5.1', 'with a browser session and no API key', (t) => t.session, ['session']],
]

const withoutSession: readonly Unauthorized[] = [
  ['MISSING', '§5.4, §7', 'without a browser session', (t) => t.nobody],
  [
    'INVALID',
    '§5.4, §7',
    'with an invalid session cookie',
    (t) => t.as('stranger', { cookie: invalidCookie(t) }),
  ],
  ['KEY', '§5.4', 'with an API key and no browser session', (t) => t.main],
]

const invalidCookie = (t: TestContext) =>
  `${t.settings.sessionCookie?.split('=')[0]}=not-a-session-${t.runId}`

function unauthorized<O extends OperationId>(
  operation: O,
  [name, section, credentials, caller, needs = []]: Unauthorized,
  writes: boolean,
  call: (t: TestContext, client: Client, operation: O) => Promise<Exchange>,
): Requirement {
  return must(`AUTH-${name}-${operation}`, section, operation, { writes, needs })
    .states(`${operation} ${credentials} returns 401 unauthorized.`)
    .check(async (t) => void expectRefused(await call(t, caller(t), operation), refusals.unauthorized))
}

/** The organization ids in two whoami responses. */
const orgIds = (...answers: Exchange[]) => answers.map((exchange) => assumeOrgId(exchange))

export const authentication: Requirement[] = [
  ...withoutKey.flatMap((one) =>
    keyOperations.map((operation) => unauthorized(operation, one, creates(operation), callKeyRoute)),
  ),
  ...cookieOperations.flatMap((operation) =>
    withoutSession.map(([name, section, credentials, caller]) =>
      unauthorized(operation, [name, section, credentials, caller, ['session']], true, callCookieRoute),
    ),
  ),
  should('AUTH-SCHEME-CASE', '§5.1', 'whoami')
    .states('The Bearer scheme name is case-insensitive (RFC 9110 §11.1).')
    .check(async (t) => {
      await assumePositiveControl(t, 'whoami')
      const client = t.as('main', { authorization: `bearer ${t.settings.apiKey}` })
      const exchange = await client.call('whoami')
      expectThat(exchange.status !== 401, 'the same answer as with "Bearer"', '401', exchange)
    }),
  must('AUTH-ORGANIZATION', '§5.2', 'whoami', { needs: ['other_key'] })
    .states(
      'The key determines the organization: keys of two organizations get different org ids from whoami.',
    )
    .check(async (t) => {
      const mine = assumeAccepted(await t.call('whoami'))
      const theirs = assumeAccepted(await t.other.call('whoami'))
      const [a, b] = orgIds(mine, theirs)
      expectThat(a !== b, 'two org ids', `${a} for both keys`, mine, theirs)
    }),
]
