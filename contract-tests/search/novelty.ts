/** Which situations were met: operation, status and abstract state. Cases that met new ones are worth varying. */
import type { Exchange } from '#traffic/exchange.ts'
import type { Inventory, Thing } from './inventory.ts'
import type { CallStep } from './step.ts'

export class Novelty {
  readonly #seen = new Set<string>()

  /** Situations met so far. */
  get size(): number {
    return this.#seen.size
  }

  /** Notes a situation; true: it is new. */
  note(call: CallStep, exchange: Exchange, inventory: Inventory): boolean {
    const situation = [call.operation, exchange.status, typeof call.as, ...abstract(call, inventory)].join(
      ' ',
    )
    if (this.#seen.has(situation)) return false
    this.#seen.add(situation)
    return true
  }
}

/** 0, 1, 2, then powers of two. */
const bucket = (n: number) => (n < 3 ? n : 2 ** Math.floor(Math.log2(n)))

/** The part of the state that matters for an answer, roughly. */
function abstract({ tenant, of }: CallStep, inventory: Inventory): (string | number)[] {
  const thing = (one: Thing) => typeof of === 'object' && 'made' in of && one.made === of.made
  const target = inventory.things.find(thing)
  return [
    tenant,
    bucket(Math.min(inventory.credits.get(tenant) ?? -1, 8)),
    bucket(inventory.of('task', tenant).length),
    bucket(inventory.keys(tenant).length),
    bucket(inventory.notifications(tenant, true).length),
    bucket(inventory.folders(tenant).length),
    target ? bucket(target.runs) : '-',
    target && target.in < inventory.case ? 'old' : 'new',
  ]
}
