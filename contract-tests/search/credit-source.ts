/** Who pays for what the search runs, and when to look at the runs that go on. */

import { idOf } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import type { StateName } from '../harness/terms.ts'
import type { ModelViolation } from '../model/index.ts'
import { credentialsOf } from './fill-in.ts'
import type { CallStep, Tenant } from './step.ts'

/** How a run is awaited. Times in ms on the clock of the target. */
interface Awaited {
  /** When it was accepted: a task may run again before its end was seen. */
  readonly since: number
  readonly deadline: number
  /** How long it may take from the first look on. */
  readonly within: number
  /** When it was looked at first, and how many were going then. */
  readonly from: number
  readonly going: number
  /** Until the next look. */
  pause: number
  /** And from there until the one after it. */
  next: number
  /** How long it had been going at the last look; undefined: there was none. */
  seen?: number
}

/** First guess how long a run takes, and the shortest and longest pause between two looks, ms. */
const pauses = { first: 40, shortest: 10, longest: 1_000 } as const
/** How much later each look is than the one before: the second, as a share of a run, and the others. */
const later = { second: 0.2, others: 1.5 } as const
/** How many times as long as runs took lately one takes that is taken for lost. */
const muchLonger = 4
/** How fast the estimate follows: down where a run is over at the first look, and towards what was seen otherwise. */
const learning = { down: 0.9, seen: 0.3 } as const

const nameOf = (tenant: Tenant, id: string) => `${tenant} ${id}`

export interface Pace {
  /** How long runs took lately, ms. */
  run: number
  /** How long any run may take before it is taken for lost, ms. */
  unusual: number
  /** When paid work was last made to fail, ms on the clock of the target. */
  failed: number
}

export const newPace = (): Pace => ({ run: pauses.first, unusual: 1_000, failed: Number.NEGATIVE_INFINITY })

/** A run that was accepted, and is not known to be over. */
interface Accepted {
  /** When, ms on the clock of the target. */
  readonly at: number
  /** The number of its request. */
  readonly by: number
  /** How many were going before it. */
  readonly ahead: number
  /** The numbers of its request and of those of runs that went on at the same time. */
  readonly beside: number[]
  /** It is taken for lost: what shows that, the request that looks at it again, and until when it may end after all. */
  lost?: Lost
}

interface Lost {
  readonly overdue: ModelViolation
  readonly look: CallStep
  /** ms on the clock of the target. */
  readonly deadline: number
}

export class GoingRuns {
  /** The runs that were accepted, by task. */
  readonly #accepted = new Map<string, Accepted>()
  /** By the step that awaits it. */
  readonly #awaited = new Map<number, Awaited>()
  readonly #pace: Pace

  constructor(pace: Pace) {
    this.#pace = pace
  }

  accept(tenant: Tenant, id: string, now: number, by = Number.NaN): void {
    const going = this.#goingOf(tenant)
    for (const { beside } of going) beside.push(by)
    const beside = [...going.map((one) => one.by), by]
    this.#accepted.set(nameOf(tenant, id), { at: now, by, ahead: going.length, beside })
  }

  /** Whether a run takes much longer than others did. */
  isUnusual({ from, going }: Awaited, now: number): boolean {
    return now - from >= Math.max(this.#pace.unusual, muchLonger * this.#pace.run * (1 + going))
  }

  /** The tasks whose runs are not known to have ended, nor taken for lost. */
  get all(): { readonly tenant: Tenant; readonly id: string }[] {
    return [...this.#accepted].flatMap(([name, { lost }]) => {
      const at = name.indexOf(' ')
      return lost ? [] : { tenant: name.slice(0, at) as Tenant, id: name.slice(at + 1) }
    })
  }

  /** The runs that are taken for lost. */
  get lost(): Lost[] {
    return [...this.#accepted.values()].flatMap(({ lost }) => lost ?? [])
  }

  /** How a step awaits the run of a task; undefined: none is going. `isFirst`: it has not looked yet. */
  await(at: number, tenant: Tenant, id: string, now: number, patience: number) {
    const accepted = this.#accepted.get(nameOf(tenant, id))
    const known = this.#awaited.get(at)
    if (accepted === undefined || accepted.lost) return undefined
    if (known?.since === accepted.at) return { awaited: known, isFirst: false }
    const going = this.#goingOf(tenant).length
    const within = patience * (1 + going)
    const pause = Math.max(1, this.#pace.run * (1 + accepted.ahead) - (now - accepted.at))
    const next = this.#pace.run * later.second
    const awaited: Awaited = {
      since: accepted.at,
      deadline: now + within,
      within,
      from: now,
      going,
      pause,
      next,
    }
    this.#awaited.set(at, awaited)
    return { awaited, isFirst: true }
  }

  /** The run goes on: the next pause is longer. */
  goesOn(awaited: Awaited, now: number): void {
    awaited.seen = now - awaited.since
    awaited.pause = Math.min(Math.max(awaited.next, pauses.shortest), pauses.longest)
    awaited.next = awaited.pause * later.others
  }

  /** The run is over. */
  end(at: number, tenant: Tenant, id: string, now: number): undefined {
    const accepted = this.#accepted.get(nameOf(tenant, id))
    if (accepted?.ahead === 0) this.#learn(now - accepted.at, this.#awaited.get(at)?.seen)
    this.giveUp(at, tenant, id)
  }

  /** The run is not waited for any more. */
  giveUp(at: number, tenant: Tenant, id: string): void {
    this.#accepted.delete(nameOf(tenant, id))
    this.#awaited.delete(at)
  }

  /** The requests of a run and of those that went on at the same time. */
  besideOf(tenant: Tenant, id: string): readonly number[] {
    return this.#accepted.get(nameOf(tenant, id))?.beside ?? []
  }

  /** The run is taken for lost: it is not waited for, but others may still be behind it. */
  lose(at: number, tenant: Tenant, id: string, lost: Lost): void {
    const accepted = this.#accepted.get(nameOf(tenant, id))
    if (accepted) accepted.lost = lost
    this.#awaited.delete(at)
  }

  /** A run took at most `most` ms, and longer than `least`; undefined: it may have been over long before. */
  #learn(most: number, least: number | undefined): void {
    const { run } = this.#pace
    const next =
      least === undefined
        ? Math.min(run, most) * learning.down
        : run + ((least + most) / 2 - run) * learning.seen
    this.#pace.run = Math.min(next, pauses.longest)
  }

  #goingOf(tenant: Tenant): Accepted[] {
    return [...this.#accepted].flatMap(([name, one]) => (name.startsWith(`${tenant} `) ? one : []))
  }
}

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
