/** Credits for paid requests: from balances that provider states arrange, or from the operator's budget. */
import type { ProviderState } from '#contract/provider-state.ts'
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import type { TestContext } from '../../harness/context.ts'
import type { StepTenant } from '../step.ts'
import { callerWithCredentials } from './bind-request.ts'

/** The balance of an organization before the search arranged another. */
interface InitialBalance {
  readonly org_id: string
  readonly credits: number
}

/** Provides the credits that a search spends, by provider states or within the budget. */
export class CreditSource {
  readonly #t: TestContext
  /** The initial balance of each organization whose balance provider states can set. */
  readonly #arrangeable = new Map<StepTenant, InitialBalance>()
  readonly #ids = new Map<StepTenant, string>()

  constructor(t: TestContext) {
    this.#t = t
  }

  /**
   * True if balances that provider states set, or else the budget, cover paid requests. `payers`: the paying
   * organization of each credit.
   */
  allows(payers: readonly StepTenant[]): boolean {
    const { budget } = this.#t
    const own = payers.filter((tenant) => !this.canArrange(tenant)).length
    return own === 0 || budget.spent + own <= budget.limit
  }

  /** Takes the credit of a request that is about to be sent; false: it may not be. */
  takeCredit(tenant: StepTenant): boolean {
    if (!this.allows([tenant])) return false
    if (!this.canArrange(tenant)) this.#t.budget.spend(1)
    return true
  }

  /** Returns the credit of a refused request. */
  returnCredit(tenant: StepTenant): void {
    if (!this.canArrange(tenant)) this.#t.budget.spend(-1)
  }

  /** True if provider states can set the balance of an organization, so that what it spends does not count. */
  canArrange(tenant: StepTenant): boolean {
    return this.#arrangeable.has(tenant)
  }

  /** The `org_id` of an organization for provider states. */
  idOf(tenant: StepTenant): string | undefined {
    return this.#ids.get(tenant)
  }

  /**
   * Reads the organizations' ids and balances, and tests whether provider states can set balances, unless `known` shows
   * it.
   */
  async openAccounts(
    tenants: readonly StepTenant[],
    known?: Pick<CreditSource, 'canArrange'>,
  ): Promise<void> {
    for (const tenant of tenants) {
      const before = await this.#read(tenant)
      if (!before || !(known?.canArrange(tenant) ?? this.#t.states.mayOffer('credits'))) continue
      if (known || (await this.#takesEffect(tenant, before))) this.#arrangeable.set(tenant, before)
    }
  }

  /** Sets up or tears down a state; false: it is not offered. */
  async setState(
    tenant: StepTenant,
    state: ProviderState,
    params: Readonly<Record<string, unknown>>,
    action: 'setup' | 'teardown' = 'setup',
  ): Promise<boolean> {
    const { states } = this.#t
    if (!states.mayOffer(state) || (state === 'credits' && !this.canArrange(tenant))) return false
    return isDone(states[action](state, { org_id: this.idOf(tenant), ...params }))
  }

  /** Puts the balances back. */
  async restoreBalances(): Promise<void> {
    for (const before of this.#arrangeable.values()) await this.#set(before)
  }

  /** The id and balance of an organization, or undefined if whoami does not show them. */
  async #read(tenant: StepTenant): Promise<InitialBalance | undefined> {
    const { caller, credentials } = callerWithCredentials(this.#t, tenant, 'key')
    const { json } = await this.#t.as(caller, credentials).call('whoami')
    const [org_id, credits] = [idAsText(valueAtPath(json, 'org', 'id')), valueAtPath(json, 'credits')]
    if (org_id === undefined) return undefined
    this.#ids.set(tenant, org_id)
    return typeof credits === 'number' ? { org_id, credits } : undefined
  }

  /** Sets a balance; false: it could not be. */
  #set({ org_id, credits }: InitialBalance): Promise<boolean> {
    return isDone(this.#t.states.setup('credits', { org_id, credits }))
  }

  /** Checks that an arranged balance shows within the consistency time, and restores the old one. */
  async #takesEffect(tenant: StepTenant, before: InitialBalance): Promise<boolean> {
    const { target, settings } = this.#t
    const credits = before.credits + 1
    if (!(await this.#set({ ...before, credits }))) return false
    const shows = async () => (await this.#read(tenant))?.credits === credits
    const isShown = (await shows()) || (await target.sleep(settings.consistency).then(shows))
    await this.#set(before)
    return isShown
  }
}

/** True once an action has succeeded, false if it has failed. */
const isDone = (action: Promise<unknown>) =>
  action.then(
    () => true,
    () => false,
  )
