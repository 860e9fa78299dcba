/** For each operation a request that any conforming service accepts; the twin of every negative check. */
import type { OperationId } from '#contract/operation.ts'
import type { Ask } from '../client.ts'
import { brief, type Exchange, isAbsent, isAccepted } from '../exchange.ts'
import { NotApplicable, NotExercised } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { deleteKey, newKey, requestKey } from './keys.ts'
import { newNotification, sharedNotification } from './notifications.ts'
import { sharedDocument, sharedTask } from './resources.ts'

/** Operations that use no credit. */
export type FreeOperation = Exclude<OperationId, 'runTask' | 'generateCreative'>

const plain = async (): Promise<Ask> => ({})

/** A well-formed request for each operation that is free; those that make or delete keys are in `ready`. */
export const validAsks: Readonly<
  Record<Exclude<FreeOperation, 'createKey' | 'deleteKey'>, (kit: Kit) => Promise<Ask>>
> = {
  whoami: plain,
  listKeys: plain,
  listTasks: plain,
  createTask: async (kit) => ({ body: { text: kit.name('Task') } }),
  getTask: async (kit) => ({ id: (await sharedTask(kit)).id }),
  listDocuments: plain,
  getDocument: async (kit) => ({ id: (await sharedDocument(kit)).id }),
  createDocument: async (kit) => ({ body: { title: kit.name('Document') } }),
  listNotifications: plain,
  readNotification: async (kit) => ({ id: (await sharedNotification(kit)).id }),
  listLeads: plain,
  listLandingPages: plain,
  createLandingPage: async (kit) => ({ body: { business_name: kit.name('Site') } }),
  listCampaigns: plain,
  getInsights: async (kit) => kit.evidence('insights range', () => insightsRange(kit)),
  getWallet: plain,
  getBilling: plain,
}

/** Makes ready whatever a valid request needs; answers what sends it, accepted or not. */
export async function ready(kit: Kit, operation: FreeOperation): Promise<() => Promise<Exchange>> {
  if (operation === 'createKey') return () => requestKey(kit)
  if (operation === 'deleteKey') {
    const key = await newKey(kit)
    return () => deleteKey(kit, key)
  }
  const ask =
    operation === 'readNotification'
      ? { id: (await newNotification(kit)).id }
      : await validAsks[operation](kit)
  const caller = operation === 'listKeys' ? kit.session : kit.main
  return async () => {
    const exchange = await caller.call(operation, ask)
    throwIfAbsent(kit, operation, exchange)
    return exchange
  }
}

/** Makes a valid request of its own and answers what came back, accepted or not. */
export async function callValidly(kit: Kit, operation: FreeOperation): Promise<Exchange> {
  return (await ready(kit, operation))()
}

/** The valid twin of negative checks, taken once; what came back, accepted or not. */
export function firstTwin(kit: Kit, operation: FreeOperation): Promise<Exchange> {
  return kit.evidence(`twin ${operation}`, () => callValidly(kit, operation))
}

/** The valid twin of negative checks: taken once, and seen accepted. */
export async function twin(kit: Kit, operation: FreeOperation): Promise<Exchange> {
  const exchange = await firstTwin(kit, operation)
  if (isAccepted(exchange)) return exchange
  throw new NotExercised(
    `the valid ${operation} was not accepted (${brief(exchange)}), so a refusal would show nothing`,
  )
}

/** An extended route that answers 404 to a well-formed request is not offered, and need not be. */
export function throwIfAbsent(kit: Kit, operation: OperationId, exchange: Exchange): void {
  if (!isAbsent({ operation, status: exchange.status })) return
  throw new NotApplicable(
    `the extended route ${operation} is not offered (${exchange.status})${kit.settings.extended === 'on' ? '; see EXTENDED-OFFERED' : ''}`,
  )
}

const ranges = [undefined, 'last_30d', '30d', 'last_7d', '7d', 'last_30_days', 'month', 'today']

/** The first range of insights that is accepted. */
async function insightsRange(kit: Kit): Promise<Ask> {
  for (const range of ranges) {
    const ask: Ask = range === undefined ? {} : { query: { range } }
    const exchange = await kit.call('getInsights', ask)
    throwIfAbsent(kit, 'getInsights', exchange)
    if (isAccepted(exchange)) return ask
    if (![400, 409, 422].includes(exchange.status)) return ask
  }
  throw new NotExercised(`none of the ranges ${ranges.slice(1).join(', ')} is accepted`)
}
