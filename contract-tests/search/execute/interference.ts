/** Signs that somebody else uses an organization. */
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, hasSuccessStatus, idAsText, itemsOf, valueAtPath } from '#traffic/exchange.ts'
import { balanceQuietMs } from '../../harness/deadlines.ts'
import type { CallStep, StepTenant } from '../step.ts'
import { callerWithCredentials } from './bind-request.ts'
import type { SearchEnvironment } from './env.ts'

/** Parts of answers that other users would change. */
const watchedViews: Partial<Record<OperationId, (exchange: Exchange) => unknown>> = {
  whoami: ({ json }) => valueAtPath(json, 'credits'),
  listTasks: (list) =>
    itemsOf(list).map((item) => [idAsText(valueAtPath(item, 'id')), valueAtPath(item, 'status')]),
  listNotifications: (list) => [
    valueAtPath(list.json, 'unread'),
    ...itemsOf(list).map((item) => [idAsText(valueAtPath(item, 'id')), valueAtPath(item, 'read')]),
  ],
}

/**
 * Looks for a change that another client has made; returns it in words, or undefined if there is none or if reading
 * alone changes the answer.
 */
export async function describeChangeByOthers(
  { t, transport }: SearchEnvironment,
  tenant: StepTenant,
): Promise<string | undefined> {
  const caller = callerWithCredentials(t, tenant, 'key')
  const readViews = async () => {
    const seen = new Map<string, string>()
    for (const [operation, view] of Object.entries(watchedViews)) {
      const exchange = await transport
        .send({ operation: operation as OperationId, tenant, ...caller })
        .catch(() => undefined)
      if (exchange && exchange.status < 300) seen.set(operation, JSON.stringify(view(exchange)))
    }
    return seen
  }
  const [first, second] = [await readViews(), await readViews()]
  await t.target.sleep(balanceQuietMs)
  const third = await readViews()
  const changed = [...third.keys()].find(
    (operation) =>
      first.get(operation) === second.get(operation) && second.get(operation) !== third.get(operation),
  )
  return changed && `${changed} changed in ${balanceQuietMs / 1_000} s in which nothing was sent`
}

/** The body member that holds the items, by list operation. */
export const listMemberByOperation: Partial<Record<OperationId, string>> = {
  listTasks: 'items',
  listDocuments: 'items',
  listKeys: 'keys',
  listLandingPages: 'items',
}

/** A monitor that notices in lists resources which the search has not created: another client uses the organization. */
export class InterferenceMonitor {
  /** First sign of another user, by organization. */
  readonly noticed = new Map<StepTenant, string>()
  readonly #runId: string
  readonly #createdIds: ReadonlySet<string>
  /** Ids from before the search, by organization and list. */
  readonly #knownIn = new Map<string, Set<string>>()
  /** Lists that may show older items because an item was deleted. */
  readonly #shortened = new Set<string>()

  /** `createdIds` includes those of replays. */
  constructor(runId: string, createdIds: ReadonlySet<string>) {
    this.#runId = runId
    this.#createdIds = createdIds
  }

  /** Checks an answer for resources that somebody else has created. The first list of each kind sets the baseline. */
  recordAnswer({ operation, tenant, query }: CallStep, exchange: Exchange): void {
    if (!hasSuccessStatus(exchange)) return
    if (operation === 'deleteKey') this.#shortened.add(`${tenant} listKeys`)
    const member = listMemberByOperation[operation]
    if (!member || (operation === 'listDocuments' && query?.all !== '1')) return
    const place = `${tenant} ${operation}`
    const shown = itemsOf(exchange, member).map((item) => ({ id: idAsText(valueAtPath(item, 'id')), item }))
    const known = this.#knownIn.get(place)
    if (!known || this.#shortened.delete(place)) {
      this.#knownIn.set(place, new Set([...(known ?? []), ...shown.flatMap(({ id }) => id ?? [])]))
      return
    }
    const foreign = shown.findLast(({ id, item }) => {
      const isOwn = id === undefined || known.has(id) || this.#createdIds.has(id)
      return !isOwn && !JSON.stringify(item).includes(this.#runId)
    })
    if (foreign) this.noticed.set(tenant, `${operation} shows ${foreign.id}, which this run did not make`)
  }
}
