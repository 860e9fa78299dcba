/** For each operation a request that any conforming service accepts; the twin of every negative check. */
import type { OperationId } from '#contract/operation.ts'
import { brief, type Exchange, isAbsent, isAccepted } from '#traffic/exchange.ts'
import type { Ask } from '../client/client.ts'
import { NotApplicable, NotExercised } from '../client/finding.ts'
import type { TestContext } from '../harness/context.ts'
import { deleteKey, newKey, requestKey } from './keys.ts'
import { newNotification, sharedNotification } from './notifications.ts'
import { sharedDocument, sharedTask } from './resources.ts'

/** Operations that use no credit. */
export type FreeOperation = Exclude<OperationId, 'runTask' | 'generateCreative'>

const plain = async (): Promise<Ask> => ({})

/** A well-formed request for each operation that is free; those that make or delete keys are in `ready`. */
export const validAsks: Readonly<
  Record<Exclude<FreeOperation, 'createKey' | 'deleteKey'>, (t: TestContext) => Promise<Ask>>
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

/** Makes ready whatever a valid request needs; answers what sends it, accepted or not. */
export async function ready(t: TestContext, operation: FreeOperation): Promise<() => Promise<Exchange>> {
  if (operation === 'createKey') return () => requestKey(t)
  if (operation === 'deleteKey') {
    const key = await newKey(t)
    return () => deleteKey(t, key)
  }
  const ask =
    operation === 'readNotification' ? { id: (await newNotification(t)).id } : await validAsks[operation](t)
  const caller = operation === 'listKeys' ? t.session : t.main
  return async () => {
    const exchange = await caller.call(operation, ask)
    throwIfAbsent(t, operation, exchange)
    return exchange
  }
}

/** Makes a valid request of its own and answers what came back, accepted or not. */
export async function callValidly(t: TestContext, operation: FreeOperation): Promise<Exchange> {
  return (await ready(t, operation))()
}

/** The valid twin of negative checks, taken once; what came back, accepted or not. */
export function firstTwin(t: TestContext, operation: FreeOperation): Promise<Exchange> {
  return t.evidence(`twin ${operation}`, () => callValidly(t, operation))
}

/** The valid twin of negative checks: taken once, and seen accepted. */
export async function twin(t: TestContext, operation: FreeOperation): Promise<Exchange> {
  const exchange = await firstTwin(t, operation)
  if (isAccepted(exchange)) return exchange
  throw new NotExercised(
    `the valid ${operation} was not accepted (${brief(exchange)}), so a refusal would show nothing`,
  )
}

/** An extended route that answers 404 to a well-formed request is not offered, and need not be. */
export function throwIfAbsent(t: TestContext, operation: OperationId, exchange: Exchange): void {
  if (!isAbsent({ operation, status: exchange.status })) return
  throw new NotApplicable(
    `the extended route ${operation} is not offered (${exchange.status})${t.settings.extended === 'on' ? '; see EXTENDED-OFFERED' : ''}`,
  )
}

const ranges = [undefined, 'last_30d', '30d', 'last_7d', '7d', 'last_30_days', 'month', 'today']

/** The first range of insights that is accepted. */
async function insightsRange(t: TestContext): Promise<Ask> {
  for (const range of ranges) {
    const ask: Ask = range === undefined ? {} : { query: { range } }
    const exchange = await t.call('getInsights', ask)
    throwIfAbsent(t, 'getInsights', exchange)
    if (isAccepted(exchange)) return ask
    if (![400, 409, 422].includes(exchange.status)) return ask
  }
  throw new NotExercised(`none of the ranges ${ranges.slice(1).join(', ')} is accepted`)
}
