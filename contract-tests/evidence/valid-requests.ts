/** A request for each operation that any conforming service accepts: the positive control of negative checks. */
import { brief, type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised } from '../client/check-errors.ts'
import type { CallOptions } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import type { FreeOperation } from '../harness/operations.ts'
import { betweenReadings, ensureCreditsOfFree, type Measured } from './credits.ts'
import { deleteKey, newKey, requestKey } from './keys.ts'
import { markRead, newNotification, sharedNotification } from './notifications.ts'
import {
  acceptedIn,
  newLandingPage,
  readOf,
  requestLandingPage,
  sharedDocument,
  sharedTask,
  throwIfAbsent,
} from './resources.ts'

const plain = async (): Promise<CallOptions> => ({})

/** A valid request for each free operation; those that create or delete keys are in `prepareRequest`. */
export const validRequests: Readonly<
  Record<Exclude<FreeOperation, 'createKey' | 'deleteKey'>, (t: TestContext) => Promise<CallOptions>>
> = {
  whoami: plain,
  listKeys: plain,
  listTasks: plain,
  createTask: async (t) => ({ body: { text: t.name('Task') } }),
  getTask: async (t) => ({ id: (await sharedTask(t)).id }),
  listDocuments: plain,
  getDocument: async (t) => ({ id: (await sharedDocument(t)).id }),
  createDocument: async (t) => ({ body: { title: t.name('Document') } }),
  listNotifications: plain,
  readNotification: async (t) => ({ id: await sharedNotification(t) }),
  listLeads: plain,
  listLandingPages: plain,
  // Without any field first; another one is known by its name.
  createLandingPage: async (t) => ({
    body: acceptedIn(t, 'createLandingPage').length > 0 ? { business_name: t.name('Site') } : {},
  }),
  listCampaigns: plain,
  getInsights: async (t) => (await insightsRange(t)).ask,
  getWallet: plain,
  getBilling: plain,
}

/** Creates whatever a valid request needs; returns the function that sends it. */
export async function prepareRequest(
  t: TestContext,
  operation: FreeOperation,
): Promise<() => Promise<Exchange>> {
  if (operation === 'createKey') return () => requestKey(t)
  if (operation === 'deleteKey') {
    const key = await newKey(t)
    return () => deleteKey(t, key)
  }
  if (operation === 'readNotification') {
    const id = await newNotification(t)
    return () => markRead(t, id)
  }
  const ask = await validRequests[operation](t)
  const caller = operation === 'listKeys' ? t.session : t.main
  return async () => {
    const exchange = await caller.call(operation, ask)
    throwIfAbsent(t, exchange)
    return exchange
  }
}

/** The first valid request: the first marking of the shared notification, and the first range that is accepted. */
async function prepareFirst(t: TestContext, operation: FreeOperation): Promise<() => Promise<Exchange>> {
  if (operation === 'getInsights') return async () => (await insightsRange(t)).exchange
  if (operation !== 'readNotification') return prepareRequest(t, operation)
  const id = await sharedNotification(t)
  return () => markRead(t, id)
}

/** A valid request of each operation, sent once, with the balances around it if FREE-… may compare them. */
function control(t: TestContext, operation: FreeOperation) {
  return t.evidence(`positive control ${operation}`, async () => {
    const send = await prepareFirst(t, operation)
    const isMeasured = !t.run.exclusive && !t.first && t.run.wants(`FREE-${operation}`)
    let [sent, balances]: [Promise<Exchange>?, Balances?] = []
    try {
      if (isMeasured) {
        await ensureCreditsOfFree(t)
        balances = await betweenReadings(t, () => (sent = send()))
      }
    } catch (error) {
      if (error instanceof NotApplicable) throw error
    }
    return { balances, exchange: await (sent ?? send()) }
  })
}

type Balances = Pick<Measured<unknown>, 'before' | 'after'>

/** The positive control of negative checks: a valid request, sent once, whether or not it is accepted. */
export async function positiveControl(t: TestContext, operation: FreeOperation): Promise<Exchange> {
  // What one organization is offered, every other one is.
  return (await control(t.first ?? t, operation)).exchange
}

/** An accepted positive control, with the balances around it; undefined if they were not read. */
export async function measuredControl(
  t: TestContext,
  operation: FreeOperation,
): Promise<Measured<Exchange> | undefined> {
  const exchange = await assumePositiveControl(t, operation)
  const { balances } = await control(t, operation)
  return balances && { ...balances, made: exchange }
}

/** Continues only if the positive control was accepted. */
export async function assumePositiveControl(t: TestContext, operation: FreeOperation): Promise<Exchange> {
  const exchange = await positiveControl(t, operation)
  if (isAccepted(exchange)) return exchange
  throw new NotExercised(
    `the valid ${operation} was not accepted (${brief(exchange)}), so a refusal shows nothing`,
  )
}

/** Continues only if the shared task or document can be read; other requirements test that. */
export async function assumeRead(t: TestContext, operation: 'getTask' | 'getDocument'): Promise<void> {
  readOf(await assumePositiveControl(t, operation), (await validRequests[operation](t)).id)
}

/** A landing page that was asked for with every field that publishes nothing. */
export const fullLandingPage = (t: TestContext) =>
  t.evidence('full landing page', () =>
    requestLandingPage(t, {
      preferred_subdomain: `site-${t.runId}`,
      page_type: 'lead',
      spec: { headline: "A baker's page" },
      strategy: 'Show the bread.',
      render: false,
      publish: false,
    }),
  )

/** A landing page that several requirements look for; the list was read before. */
export const sharedLandingPage = (t: TestContext) =>
  t.evidence('landing page', async () => {
    await assumePositiveControl(t, 'listLandingPages')
    const full = await fullLandingPage(t)
    return isAccepted(full.exchange) ? full : newLandingPage(t)
  })

const ranges = [undefined, 'last_30d', '30d', 'last_7d', '7d', 'last_30_days', 'month', 'today']

/** A request with the first range of insights that is accepted; other organizations are offered the same. */
function insightsRange(t: TestContext): Promise<{ ask: CallOptions; exchange: Exchange }> {
  return (t.first ?? t).evidence('insights range', async () => {
    for (const range of ranges) {
      const ask: CallOptions = range === undefined ? {} : { query: { range } }
      const exchange = await t.call('getInsights', ask)
      throwIfAbsent(t, exchange)
      if (isAccepted(exchange) || ![400, 409, 422].includes(exchange.status)) return { ask, exchange }
    }
    throw new NotExercised(`none of the ranges ${ranges.slice(1).join(', ')} is accepted`)
  })
}
