/** Who pays for what the search runs. */

import { idOf } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import type { StateName } from '../harness/terms.ts'
import { credentialsOf } from './fill-in.ts'
import type { Tenant } from './step.ts'

export class CreditSource {
  readonly #t: TestContext
  /** The balance of each organization before it was arranged. */
  readonly #before = new Map<Tenant, { readonly org_id: string; readonly credits: number }>()
  readonly #ids = new Map<Tenant, string>()

  constructor(t: TestContext) {
    this.#t = t
  }

  /** Whether paid requests may be sent; `payers`: whose credit each takes. */
  allows(payers: readonly Tenant[]): boolean {
    const { limit, spent } = this.#t.budget
    const own = payers.filter((tenant) => !this.#before.has(tenant)).length
    return own === 0 || spent + own <= limit
  }

  /** Takes the credit of a request that is about to be sent; false: it may not be. */
  take(tenant: Tenant): boolean {
    if (!this.allows([tenant])) return false
    if (!this.#before.has(tenant)) this.#t.budget.spend(1)
    return true
  }

  /** Gives the credit of a request back that was refused. */
  giveBack(tenant: Tenant): void {
    if (!this.#before.has(tenant)) this.#t.budget.spend(-1)
  }

  /** The `org_id` of an organization for provider states. */
  idOf(tenant: Tenant): string | undefined {
    return this.#ids.get(tenant)
  }

  /** Reads who the organizations are and what they have, and whether that can be arranged. */
  async open(tenants: readonly Tenant[]): Promise<void> {
    for (const tenant of tenants) {
      const before = await this.#readBefore(tenant)
      if (!before || !this.#t.states.mayOffer('credits')) continue
      if (await this.#takesEffect(tenant, before)) this.#before.set(tenant, before)
    }
  }

  /** The same for organizations that nobody has used, where that can be arranged which can elsewhere. */
  async openLike(used: CreditSource, tenants: readonly Tenant[]): Promise<void> {
    for (const tenant of tenants) {
      const before = await this.#readBefore(tenant)
      if (before && used.#before.has(tenant)) this.#before.set(tenant, before)
    }
  }

  async #readBefore(tenant: Tenant) {
    const { org_id, credits } = await this.#read(tenant)
    if (org_id === undefined) return undefined
    this.#ids.set(tenant, org_id)
    return typeof credits === 'number' ? { org_id, credits } : undefined
  }

  async #read(tenant: Tenant): Promise<{ org_id: string | undefined; credits: unknown }> {
    const { caller, credentials } = credentialsOf(this.#t, tenant, 'key')
    const { json } = await this.#t.as(caller, credentials).call('whoami')
    const { org, credits } = Object(json) as { org?: { id?: unknown }; credits?: unknown }
    return { org_id: idOf(org?.id), credits }
  }

  /** Whether a balance that is set is shown, at the latest when it must be; it is put back. */
  async #takesEffect(tenant: Tenant, before: { org_id: string; credits: number }): Promise<boolean> {
    const credits = before.credits + 1
    const isSet = await this.#set({ ...before, credits }).catch(() => false)
    if (!isSet) return false
    const shows = async () => (await this.#read(tenant)).credits === credits
    const { target, settings } = this.#t
    const isShown = (await shows()) || (await target.sleep(settings.consistency).then(shows))
    await this.#set(before).catch(() => false)
    return isShown
  }

  /** Sets up or tears down a state; false: it is not offered. */
  async arrange(
    tenant: Tenant,
    state: StateName,
    params: Readonly<Record<string, unknown>>,
    action: 'setup' | 'teardown' = 'setup',
  ): Promise<boolean> {
    const all = { org_id: this.idOf(tenant), ...params }
    if (!this.#t.states.mayOffer(state)) return false
    if (state === 'credits' && !this.#before.has(tenant)) return false
    return this.#t.states[action](state, all).then(
      () => true,
      () => false,
    )
  }

  /** Puts the balances back. */
  async close(): Promise<void> {
    for (const before of this.#before.values()) await this.#set(before).catch(() => false)
  }

  async #set({ org_id, credits }: { org_id: string; credits: number }): Promise<true> {
    await this.#t.states.setup('credits', { org_id, credits })
    return true
  }
}
