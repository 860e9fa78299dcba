/** Credits for paid requests: from balances that provider states arrange, or from the operator's budget. */
import type { ProviderState } from '#contract/provider-state.ts'
import { field, idOf } from '#traffic/exchange.ts'
import type { TestContext } from '../../harness/context.ts'
import type { Tenant } from '../step.ts'
import { credentialsOf } from './bind-request.ts'

/** The balance of an organization before the search arranged another. */
interface InitialBalance {
  readonly org_id: string
  readonly credits: number
}

export type CreditSource = ReturnType<typeof createCreditSource>

/** Creates what keeps the organizations of a search in credits, by provider states or within the budget. */
export function createCreditSource(t: TestContext) {
  const { budget, states, target, settings } = t
  /** The balance of each organization that can be arranged. */
  const arrangeable = new Map<Tenant, InitialBalance>()
  const ids = new Map<Tenant, string>()

  /** The id and balance of an organization, or undefined if whoami does not show them. */
  async function read(tenant: Tenant): Promise<InitialBalance | undefined> {
    const { caller, credentials } = credentialsOf(t, tenant, 'key')
    const { json } = await t.as(caller, credentials).call('whoami')
    const [org_id, credits] = [idOf(field(json, 'org', 'id')), field(json, 'credits')]
    if (org_id === undefined) return undefined
    ids.set(tenant, org_id)
    return typeof credits === 'number' ? { org_id, credits } : undefined
  }

  /** Sets a balance; false: it could not be. */
  const set = ({ org_id, credits }: InitialBalance) =>
    states.setup('credits', { org_id, credits }).then(
      () => true,
      () => false,
    )

  /** Checks that an arranged balance shows within the consistency time, and restores the old one. */
  async function takesEffect(tenant: Tenant, before: InitialBalance): Promise<boolean> {
    const credits = before.credits + 1
    if (!(await set({ ...before, credits }))) return false
    const shows = async () => (await read(tenant))?.credits === credits
    const isShown = (await shows()) || (await target.sleep(settings.consistency).then(shows))
    await set(before)
    return isShown
  }

  /** Checks whether arranged balances or the budget cover paid requests. `payers` has one entry per credit. */
  function canAfford(payers: readonly Tenant[]): boolean {
    const own = payers.filter((tenant) => !arrangeable.has(tenant)).length
    return own === 0 || budget.spent + own <= budget.limit
  }

  return {
    allows: canAfford,
    /** Takes the credit of a request that is about to be sent; false: it may not be. */
    takeCredit(tenant: Tenant): boolean {
      if (!canAfford([tenant])) return false
      if (!arrangeable.has(tenant)) budget.spend(1)
      return true
    },
    /** Returns the credit of a refused request. */
    returnCredit(tenant: Tenant): void {
      if (!arrangeable.has(tenant)) budget.spend(-1)
    },
    canArrange: (tenant: Tenant) => arrangeable.has(tenant),
    /** The `org_id` of an organization for provider states. */
    idOf: (tenant: Tenant) => ids.get(tenant),
    /**
     * Reads the organizations' ids and balances, and tests whether balances can be arranged, unless `basedOn` already
     * knows.
     */
    async openAccounts(
      tenants: readonly Tenant[],
      basedOn?: { readonly canArrange: (tenant: Tenant) => boolean },
    ): Promise<void> {
      for (const tenant of tenants) {
        const before = await read(tenant)
        if (!before || !(basedOn?.canArrange(tenant) ?? states.mayOffer('credits'))) continue
        if (basedOn || (await takesEffect(tenant, before))) arrangeable.set(tenant, before)
      }
    },
    /** Sets up or tears down a state; false: it is not offered. */
    async setState(
      tenant: Tenant,
      state: ProviderState,
      params: Readonly<Record<string, unknown>>,
      action: 'setup' | 'teardown' = 'setup',
    ): Promise<boolean> {
      if (!states.mayOffer(state) || (state === 'credits' && !arrangeable.has(tenant))) return false
      return states[action](state, { org_id: ids.get(tenant), ...params }).then(
        () => true,
        () => false,
      )
    },
    /** Puts the balances back. */
    async restoreBalances(): Promise<void> {
      for (const before of arrangeable.values()) await set(before)
    },
  }
}
