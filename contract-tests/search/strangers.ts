/** Notices other users: things that nobody here has made, and a balance that moves by itself. */
import { type Exchange, field, idOf, isAccepted, items } from '#traffic/exchange.ts'
import type { CallStep, Tenant } from './step.ts'

/** Lists in which things of others would show. */
const lists = {
  listTasks: 'items',
  listDocuments: 'items',
  listKeys: 'keys',
  listLandingPages: 'items',
} as const

export class Strangers {
  readonly #runId: string
  /** Things that were there at the start, by organization and list. */
  readonly #known = new Map<string, Set<string>>()
  /** Lists that were capped, perhaps, and that show older things since something was deleted. */
  readonly #shorter = new Set<string>()
  /** Ids of everything that the search has made, in replays too. */
  readonly #made: ReadonlySet<string>
  /** What was noticed in each organization. */
  readonly noticed = new Map<Tenant, string>()

  constructor(runId: string, made: ReadonlySet<string>) {
    this.#runId = runId
    this.#made = made
  }

  /** Learns from an answer; the first list of a kind is the start. */
  note({ operation, tenant, query }: CallStep, exchange: Exchange): void {
    if (!isAccepted(exchange)) return
    if (operation === 'deleteKey') this.#shorter.add(`${tenant} listKeys`)
    if (!(operation in lists) || (operation === 'listDocuments' && query?.all !== '1')) return
    const place = `${tenant} ${operation}`
    const shown = items(exchange, lists[operation as keyof typeof lists])
    const known = this.#known.get(place)
    if (!known || this.#shorter.delete(place))
      this.#known.set(
        place,
        new Set([...(known ?? []), ...shown.flatMap((one) => idOf(field(one, 'id')) ?? [])]),
      )
    else for (const one of shown) this.#see(tenant, operation, known, one)
  }

  #see(tenant: Tenant, operation: string, known: ReadonlySet<string>, one: unknown): void {
    const id = idOf(field(one, 'id'))
    if (id === undefined || known.has(id) || this.#made.has(id)) return
    if (JSON.stringify(one).includes(this.#runId)) return
    this.noticed.set(tenant, `${operation} shows ${id}, which this run did not make`)
  }
}
