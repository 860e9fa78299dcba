/** Requests without access to a route, each sent once and shared among requirements. */
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, field, idOf, isAccepted, items } from '#traffic/exchange.ts'
import type { CallOptions, Client } from '../client/client.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { requestKey } from './keys.ts'
import { newNotification, notificationIds } from './notifications.ts'
import { sharedTask, throwIfAbsent, unknownLike } from './resources.ts'
import { assumePositiveControl, positiveControl, validRequests } from './valid-requests.ts'

/** A well-formed key that does not exist: the valid one with its first character changed. */
export const unknownKey = (key: string) => (key.startsWith('x') ? 'y' : 'x') + key.slice(1)

/** A session cookie that does not exist. */
export const invalidCookie = (sessionCookie: string | undefined, runId: string) => ({
  cookie: `${sessionCookie?.split('=')[0]}=not-a-session-${runId}`,
})

/** What is kept of a value at least, characters. */
const kept = 8
/** A value with a signature at its end, as libraries for signed cookies make them. */
const signed = /^(.*\.)[\w%+/=-]{20,}$/

/** The valid one with the end of each value replaced: the signature if there is one, otherwise all but its beginning. */
export const alteredCookie = (sessionCookie = '') => ({
  cookie: sessionCookie.replace(/=([^;]+)/g, (_, value: string) => {
    const start = signed.exec(value)?.[1]?.length ?? Math.min(kept, Math.floor(value.length / 2))
    return `=${value.slice(0, start)}${'x'.repeat(value.length - start)}`
  }),
})

/** The valid one under names that end and begin like its own, and the altered one under its own. */
export function similarCookie(sessionCookie = '') {
  const others = sessionCookie.replace(/([^=; ]+)=([^;]*)/g, 'x$1=$2; $1x=$2')
  return { cookie: `${others}; ${alteredCookie(sessionCookie).cookie}` }
}

/** Session cookies that do not exist: one that has nothing of the valid one, one that begins like it, and the valid one under other names. */
const cookies: Partial<Record<OperationId, (t: TestContext) => Record<string, string>>> = {
  listKeys: ({ settings, runId }) => invalidCookie(settings.sessionCookie, runId),
  createKey: ({ settings }) => alteredCookie(settings.sessionCookie),
  deleteKey: ({ settings }) => similarCookie(settings.sessionCookie),
}

const invalid = (t: TestContext, operation: OperationId) =>
  cookies[operation]?.(t) ?? bearer(unknownKey(t.settings.apiKey))

/** Who has no access, and what they send instead. */
const callers = {
  MISSING: (t) => t.nobody,
  INVALID: (t, operation) => t.as('stranger', invalid(t, operation)),
  SESSION: (t) => t.session,
  KEY: (t) => t.main,
} as const satisfies Record<string, (t: TestContext, operation: OperationId) => Client>

export type UnauthorizedCaller = keyof typeof callers

/** Requests that are harmless if they are accepted by mistake, where no valid one was accepted before. */
const harmless: Partial<Record<OperationId, (t: TestContext) => Promise<CallOptions>>> = {
  runTask: async (t) => ({ id: unknownLike((await sharedTask(t)).id) }),
  async readNotification(t) {
    const list = await positiveControl(t, 'listNotifications')
    const [first] = isAccepted(list) ? notificationIds(list) : []
    const unread = items(list).find((item) => field(item, 'read') === false)
    // Repeated, what was marked at first is read, and what another organization has marked since shows less.
    if (t.run.attempt > 0 && (!unread || t.states.mayOffer('unread_notification')))
      return { id: await newNotification(t) }
    return { id: idOf(field(unread, 'id')) ?? first ?? 'no-such-notification' }
  },
  // A service that wrongly accepts it may charge for it: without budget the request is an invalid one.
  generateCreative: async (t) => ({
    body: t.budget.spent < t.budget.limit ? { prompt: t.name('Creative') } : {},
  }),
}

/** The response to a request without access that is valid otherwise, after the positive control. */
export const callAs = (t: TestContext, name: UnauthorizedCaller, operation: OperationId): Promise<Exchange> =>
  t.evidence(`${operation} as ${name}`, async () => {
    const client = callers[name](t, operation)
    if (operation === 'runTask' || operation === 'generateCreative' || operation === 'readNotification') {
      const isUnpaid = operation === 'runTask' || name !== 'SESSION'
      const exchange = await client.call(operation, { ...(await harmless[operation]?.(t)), isUnpaid })
      if (operation !== 'generateCreative') return exchange
      throwIfAbsent(t, exchange)
      if (isAccepted(exchange)) t.budget.spend(1)
      return exchange
    }
    await assumePositiveControl(t, operation)
    if (operation === 'createKey') return requestKey(t, undefined, client)
    return client.call(
      operation,
      operation === 'deleteKey' ? { id: 'no-such-key' } : await validRequests[operation](t),
    )
  })
