/** Requests without access to a route, each sent once and shared among requirements. */
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import type { Client } from '../client/client.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { type CookieOperation, isCookieOperation, type KeyOperation } from '../harness/operation-groups.ts'
import { requestKey } from './keys.ts'
import { notificationIds } from './notifications.ts'
import { sharedTask, throwIfAbsent, unknownLike } from './resources.ts'
import { assumePositiveControl, positiveControl, validRequests } from './valid-requests.ts'

/** A well-formed key that does not exist: the valid one with its first character changed. */
export const unknownKey = (key: string) => (key.startsWith('x') ? 'y' : 'x') + key.slice(1)

/** Who has no access, and what they send instead: to a key route, and to a cookie route. */
const strangers = {
  MISSING: { key: (t) => t.nobody, session: (t) => t.nobody },
  INVALID: {
    key: (t) => t.as('stranger', bearer(unknownKey(t.settings.apiKey))),
    session: (t) => t.as('stranger', { cookie: invalidCookie(t) }),
  },
  SESSION: { key: (t) => t.session, session: (t) => t.session },
  KEY: { key: (t) => t.main, session: (t) => t.main },
} as const satisfies Record<string, Record<'key' | 'session', (t: TestContext) => Client>>

export type Stranger = keyof typeof strangers

const invalidCookie = (t: TestContext) =>
  `${t.settings.sessionCookie?.split('=')[0]}=not-a-session-${t.runId}`

/** The response to a request without access that is valid otherwise, after the positive control. */
export function callAs(t: TestContext, name: Stranger, operation: OperationId): Promise<Exchange> {
  return t.evidence(`${operation} as ${name}`, () =>
    isCookieOperation(operation)
      ? callCookieRoute(t, strangers[name].session(t), operation)
      : callKeyRoute(t, strangers[name].key(t), operation),
  )
}

/** Calls a key route validly as another caller, after the positive control. */
async function callKeyRoute(t: TestContext, client: Client, operation: KeyOperation): Promise<Exchange> {
  if (operation === 'runTask')
    return client.call(operation, { id: unknownLike((await sharedTask(t)).id), isUnpaid: true })
  if (operation === 'readNotification') return client.call(operation, { id: await anyNotification(t) })
  if (operation === 'generateCreative') {
    // A service that wrongly accepts it may charge for it: without budget the request is an invalid one.
    const affordable = t.budget.spent < t.budget.limit
    const exchange = await client.call(operation, {
      body: affordable ? { prompt: t.name('Creative') } : {},
      isUnpaid: client.caller !== 'session',
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
