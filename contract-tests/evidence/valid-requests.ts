/** A request for each operation that any conforming service accepts: the positive control of negative checks. */
import { brief, type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { CallOptions } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import type { FreeOperation } from '../harness/operation-groups.ts'
import { deleteKey, newKey, requestKey } from './keys.ts'
import { newNotification, sharedNotification } from './notifications.ts'
import { sharedDocument, sharedTask, throwIfAbsent } from './resources.ts'

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
  readNotification: async (t) => ({ id: (await sharedNotification(t)).id }),
  listLeads: plain,
  listLandingPages: plain,
  createLandingPage: async (t) => ({ body: { business_name: t.name('Site') } }),
  listCampaigns: plain,
  getInsights: async (t) => t.evidence('insights range', () => insightsRange(t)),
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
  const ask =
    operation === 'readNotification'
      ? { id: (await newNotification(t)).id }
      : await validRequests[operation](t)
  const caller = operation === 'listKeys' ? t.session : t.main
  return async () => {
    const exchange = await caller.call(operation, ask)
    throwIfAbsent(t, exchange)
    return exchange
  }
}

/** The positive control of negative checks: a valid request, sent once, whether or not it is accepted. */
export function positiveControl(t: TestContext, operation: FreeOperation): Promise<Exchange> {
  return t.evidence(`positive control ${operation}`, async () => (await prepareRequest(t, operation))())
}

/** Continues only if the positive control was accepted. */
export async function assumePositiveControl(t: TestContext, operation: FreeOperation): Promise<Exchange> {
  const exchange = await positiveControl(t, operation)
  if (isAccepted(exchange)) return exchange
  throw new NotExercised(
    `the valid ${operation} was not accepted (${brief(exchange)}), so a refusal shows nothing`,
  )
}

const ranges = [undefined, 'last_30d', '30d', 'last_7d', '7d', 'last_30_days', 'month', 'today']

/** A request with the first range of insights that is accepted. */
async function insightsRange(t: TestContext): Promise<CallOptions> {
  for (const range of ranges) {
    const ask: CallOptions = range === undefined ? {} : { query: { range } }
    const exchange = await t.call('getInsights', ask)
    throwIfAbsent(t, exchange)
    if (isAccepted(exchange)) return ask
    if (![400, 409, 422].includes(exchange.status)) return ask
  }
  throw new NotExercised(`none of the ranges ${ranges.slice(1).join(', ')} is accepted`)
}
