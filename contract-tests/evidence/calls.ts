/** For each operation a request that any conforming service accepts; the twin of every negative check. */
import type { OperationId } from '#contract/operation.ts'
import { routeOf } from '#contract/operation.ts'
import type { Ask } from '../client.ts'
import { brief, type Exchange, isAccepted } from '../exchange.ts'
import { NotApplicable, NotExercised } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { deleteKey, newKey, sharedDocument, sharedTask, unreadNotification } from './resources.ts'

/** Operations that use no credit. */
export type FreeOperation = Exclude<OperationId, 'runTask' | 'generateCreative'>

const plain = async (): Promise<Ask> => ({})

/** A well-formed request for each operation that is free. */
export const validAsks: Readonly<Record<FreeOperation, (kit: Kit) => Promise<Ask>>> = {
  whoami: plain,
  createKey: async (kit) => ({ body: { name: kit.name('Key') } }),
  listKeys: plain,
  deleteKey: async (kit) => ({ id: (await newKey(kit)).id ?? '' }),
  listTasks: plain,
  createTask: async (kit) => ({ body: { text: kit.name('Task') } }),
  getTask: async (kit) => ({ id: (await sharedTask(kit)).id }),
  listDocuments: plain,
  getDocument: async (kit) => ({ id: (await sharedDocument(kit)).id }),
  createDocument: async (kit) => ({ body: { title: kit.name('Document') } }),
  listNotifications: plain,
  readNotification: async (kit) => ({ id: (await unreadNotification(kit)).id }),
  listLeads: plain,
  listLandingPages: plain,
  createLandingPage: async (kit) => ({ body: { business_name: kit.name('Site') } }),
  listCampaigns: plain,
  getInsights: async (kit) => kit.evidence('insights range', () => insightsRange(kit)),
  getWallet: plain,
  getBilling: plain,
}

/** Makes a valid request of its own and answers what came back, accepted or not. */
export async function callValidly(kit: Kit, operation: FreeOperation): Promise<Exchange> {
  if (operation === 'createKey') return (await newKey(kit)).exchange
  if (operation === 'deleteKey') return deleteKey(kit, await newKey(kit))
  const caller = operation === 'listKeys' ? kit.session : kit.main
  const exchange = await caller.call(operation, await validAsks[operation](kit))
  throwIfAbsent(kit, operation, exchange)
  return exchange
}

/** The valid twin of negative checks: taken once, and seen accepted. */
export async function twin(kit: Kit, operation: FreeOperation): Promise<Exchange> {
  const exchange = await kit.evidence(`twin ${operation}`, () => callValidly(kit, operation))
  if (isAccepted(exchange)) return exchange
  throw new NotExercised(
    `the valid ${operation} was not accepted (${brief(exchange)}), so a refusal would show nothing`,
  )
}

/** An extended route that answers 404 to a well-formed request is not offered, and need not be. */
export function throwIfAbsent(kit: Kit, operation: OperationId, exchange: Exchange): void {
  if (routeOf(operation).set === 'core' || exchange.status !== 404) return
  throw new NotApplicable(
    `the extended route ${operation} is not offered (404)${kit.settings.extended === 'on' ? '; see EXTENDED-OFFERED' : ''}`,
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
    if (exchange.status !== 400 && exchange.status !== 422) return ask
  }
  throw new NotExercised(`none of the ranges ${ranges.slice(1).join(', ')} is accepted`)
}
