/** Who pays for what the search runs. */
import { field, idOf } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import type { StateName } from '../harness/terms.ts'
import { credentialsOf } from './fill-in.ts'
import type { Tenant } from './step.ts'

/** What an organization had before it was arranged. */
interface Before {
  readonly org_id: string
  readonly credits: number
}

export type CreditSource = ReturnType<typeof createCreditSource>

export function createCreditSource(t: TestContext) {
  const { budget, states, target, settings } = t
  /** The balance of each organization that can be arranged. */
  const arranged = new Map<Tenant, Before>()
  const ids = new Map<Tenant, string>()

  /** Who an organization is and what it has; undefined: it does not say. */
  async function read(tenant: Tenant): Promise<Before | undefined> {
    const { caller, credentials } = credentialsOf(t, tenant, 'key')
    const { json } = await t.as(caller, credentials).call('whoami')
    const [org_id, credits] = [idOf(field(json, 'org', 'id')), field(json, 'credits')]
    if (org_id === undefined) return undefined
    ids.set(tenant, org_id)
    return typeof credits === 'number' ? { org_id, credits } : undefined
  }

  /** Sets a balance; false: it could not be. */
  const set = ({ org_id, credits }: Before) =>
    states.setup('credits', { org_id, credits }).then(
      () => true,
      () => false,
    )

  /** Whether a balance that is set is shown, at the latest when it must be; it is put back. */
  async function takesEffect(tenant: Tenant, before: Before): Promise<boolean> {
    const credits = before.credits + 1
    if (!(await set({ ...before, credits }))) return false
    const shows = async () => (await read(tenant))?.credits === credits
    const isShown = (await shows()) || (await target.sleep(settings.consistency).then(shows))
    await set(before)
    return isShown
  }

  /** Whether paid requests may be sent; `payers`: whose credit each takes. */
  function allows(payers: readonly Tenant[]): boolean {
    const own = payers.filter((tenant) => !arranged.has(tenant)).length
    return own === 0 || budget.spent + own <= budget.limit
  }

  return {
    allows,
    /** Takes the credit of a request that is about to be sent; false: it may not be. */
    take(tenant: Tenant): boolean {
      if (!allows([tenant])) return false
      if (!arranged.has(tenant)) budget.spend(1)
      return true
    },
    /** Gives the credit of a request back that was refused. */
    giveBack(tenant: Tenant): void {
      if (!arranged.has(tenant)) budget.spend(-1)
    },
    canArrange: (tenant: Tenant) => arranged.has(tenant),
    /** The `org_id` of an organization for provider states. */
    idOf: (tenant: Tenant) => ids.get(tenant),
    /**
     * Reads who the organizations are and what they have, and whether that can be arranged; `like`: it can where those can
     * that were opened before.
     */
    async open(
      tenants: readonly Tenant[],
      like?: { readonly canArrange: (tenant: Tenant) => boolean },
    ): Promise<void> {
      for (const tenant of tenants) {
        const before = await read(tenant)
        if (!before || !(like?.canArrange(tenant) ?? states.mayOffer('credits'))) continue
        if (like || (await takesEffect(tenant, before))) arranged.set(tenant, before)
      }
    },
    /** Sets up or tears down a state; false: it is not offered. */
    async arrange(
      tenant: Tenant,
      state: StateName,
      params: Readonly<Record<string, unknown>>,
      action: 'setup' | 'teardown' = 'setup',
    ): Promise<boolean> {
      if (!states.mayOffer(state) || (state === 'credits' && !arranged.has(tenant))) return false
      return states[action](state, { org_id: ids.get(tenant), ...params }).then(
        () => true,
        () => false,
      )
    },
    /** Puts the balances back. */
    async close(): Promise<void> {
      for (const before of arranged.values()) await set(before)
    },
  }
}
