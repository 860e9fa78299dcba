/** One organization: its rows, its ledger, its agent. Pure and synchronous; it is always looked at *at* a time. */

import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { Agent, type Outcome, type Run } from './agent.ts'
import type { Clock } from './clock.ts'
import type { EventType, OrganizationEvent } from './events.ts'
import { Ledger, type LedgerKind } from './ledger.ts'
import type { OrganizationInit, RunPolicy, StateOverrides } from './organization-init.ts'
import type { SeededRandom } from './random.ts'
import { RateLimiter } from './rate-limit.ts'
import type {
  Account,
  Campaign,
  Creative,
  Document,
  Key,
  LandingPage,
  Notification,
  Prospect,
  Task,
} from './resources.ts'
import { Rows } from './rows.ts'
import type { OrganizationState } from './state.ts'

export class Organization {
  readonly id: string
  readonly name: string
  readonly account: Account
  /** Operations answered in another variant than the rest, or with the fields of both. */
  readonly variants: Partial<Record<OperationId, Variant | 'both'>> = {}
  readonly clock: Clock
  readonly keys = new Rows<Key>()
  readonly tasks = new Rows<Task>()
  readonly documents = new Rows<Document>()
  readonly notifications = new Rows<Notification>()
  readonly prospects = new Rows<Prospect>()
  readonly creatives = new Rows<Creative>()
  readonly landingPages = new Rows<LandingPage>()
  readonly campaigns = new Rows<Campaign>()
  readonly limiter = new RateLimiter()
  readonly overrides: StateOverrides = {
    nextRunFails: false,
    nextCreativeFails: false,
    unavailable: false,
    rateLimit: undefined,
    topUp: undefined,
  }
  readonly ledger: Ledger
  readonly agent: Agent
  runPolicy: RunPolicy
  readonly #emit: (event: OrganizationEvent) => void
  readonly #topUp: OrganizationInit['topUp']
  readonly #newId: OrganizationInit['newId']
  readonly #ids: SeededRandom
  readonly #luck: SeededRandom
  /** Chance for delays. */
  readonly delays: SeededRandom
  #unread = 0

  constructor({ id, name, account, policy, topUp, newId, clock, random, emit }: OrganizationInit) {
    this.id = id
    this.name = name
    this.account = account
    this.#topUp = topUp
    this.#newId = newId
    this.clock = clock
    this.runPolicy = policy
    this.#ids = random('ids')
    this.#luck = random('outcomes')
    this.delays = random('delays')
    this.#emit = emit
    this.ledger = new Ledger(
      () => this.newId('entry'),
      ({ kind, amount, at, subject, id: entry }) =>
        this.emit(ledgerEvents[kind], at, subject ?? entry, amount),
    )
    this.agent = new Agent({
      outcomeOf: (run) => this.#outcomeOf(run),
      started: (run) => this.emit('run_started', run.started_at ?? run.accepted_at, run.id),
      ended: (run) => this.endRun(run),
    })
  }

  /** Emits an event. */
  emit(type: EventType, at: number, subject: string, detail?: number | string): void {
    this.#emit({ type, org_id: this.id, at, subject, ...(detail === undefined ? {} : { detail }) })
  }

  /** The next identifier of a kind: `task_…`, `run_…`. */
  newId(kind: string): string {
    return this.#newId?.(this.#ids, kind) ?? this.#ids.id(kind)
  }

  /** A secret of so many characters, from the seeded world. */
  newSecret(): string {
    return `${this.#ids.id('wak_live')}${this.#ids.id('').slice(1)}`
  }

  /** A whole number below `limit`, from the seeded world. */
  draw(limit: number): number {
    return Math.floor(this.#ids.fraction() * limit)
  }

  /** Lets everything happen that is due by `now` (ms). Every look at an organization begins with it. */
  settle(now: number): void {
    const { topUp } = this.overrides
    if (topUp && topUp.at <= now) {
      this.agent.settle(topUp.at)
      this.overrides.topUp = undefined
      this.ledger.topUp(topUp.credits, topUp.at)
    }
    this.agent.settle(now)
  }

  /** When something happens next, ms; undefined: nothing does by itself. */
  nextEvent(): number | undefined {
    const moments = [this.agent.nextEvent(), this.overrides.topUp?.at].filter((at) => at !== undefined)
    return moments.length > 0 ? Math.min(...moments) : undefined
  }

  /** Takes note that somebody was refused for want of credits: a top-up may be due to follow. */
  lacksCredits(now: number): void {
    const topUp = this.#topUp
    if (topUp) this.overrides.topUp ??= { at: now + topUp.after_ms, credits: topUp.credits }
  }

  /** How many notifications are unread. */
  get unread(): number {
    return this.#unread
  }

  /** Adds an unread notification. */
  notify(type: string, title: string, body: string, task_id: string | null, at: number): Notification {
    this.#unread++
    const id = this.newId('notification')
    this.emit('notification_added', at, id)
    return this.notifications.append({
      id,
      type,
      title,
      body,
      task_id,
      created_at: at,
      read: false,
    })
  }

  /** Marks a notification as read (§3.4); marking it again changes nothing. */
  markRead(notification: Notification): void {
    if (notification.read) return
    notification.read = true
    this.#unread--
  }

  /** All that it is. Shares its rows with it: copy them before anything else happens. */
  dump(): OrganizationState {
    const { nextRunFails, nextCreativeFails, unavailable, rateLimit, topUp } = this.overrides
    return {
      id: this.id,
      name: this.name,
      variants: this.variants,
      account: this.account,
      policy: this.runPolicy,
      clock: this.clock.dump(),
      arranged: {
        next_run_fails: nextRunFails,
        next_creative_fails: nextCreativeFails,
        unavailable,
        rate_limit: rateLimit ?? null,
        top_up: topUp ?? null,
      },
      windows: this.limiter.dump(),
      ledger: this.ledger.entries,
      keys: [...this.keys.all()],
      tasks: [...this.tasks.all()],
      documents: [...this.documents.all()],
      notifications: [...this.notifications.all()],
      prospects: [...this.prospects.all()],
      creatives: [...this.creatives.all()],
      landing_pages: [...this.landingPages.all()],
      campaigns: [...this.campaigns.all()],
      agent: this.agent.dump(),
      chance: { ids: this.#ids.dump(), outcomes: this.#luck.dump(), delays: this.delays.dump() },
    }
  }

  /** Fills an organization that is new with what another was; its rows belong to it from here on. */
  load(state: OrganizationState): void {
    const { next_run_fails, next_creative_fails, unavailable, rate_limit, top_up } = state.arranged
    Object.assign(this.overrides, {
      nextRunFails: next_run_fails,
      nextCreativeFails: next_creative_fails,
      unavailable,
      rateLimit: rate_limit ?? undefined,
      topUp: top_up ?? undefined,
    })
    Object.assign(this.variants, state.variants)
    this.limiter.restore(state.windows)
    this.ledger.restore(state.ledger)
    this.keys.load(state.keys)
    this.tasks.load(state.tasks)
    this.documents.load(state.documents)
    this.notifications.load(state.notifications)
    this.prospects.load(state.prospects)
    this.creatives.load(state.creatives)
    this.landingPages.load(state.landing_pages)
    this.campaigns.load(state.campaigns)
    this.#unread = state.notifications.filter(({ read }) => !read).length
    this.agent.restore(state.agent, (task) => this.tasks.get(task)?.run ?? undefined)
    this.#ids.restore(state.chance.ids)
    this.#luck.restore(state.chance.outcomes)
    this.delays.restore(state.chance.delays)
  }

  #outcomeOf(run: Run): Outcome {
    if (run.destined) return run.destined
    const unlucky = this.runPolicy.failure_rate > 0 && this.#luck.fraction() < this.runPolicy.failure_rate
    const fails = unlucky || this.overrides.nextRunFails
    this.overrides.nextRunFails = false
    return fails ? 'failed' : 'completed'
  }

  /** The effects of the end of a run: the refund of a failed one (§3.2), and a notification. */
  endRun(run: Run): void {
    run.ended = true
    const at = run.ends_at ?? run.accepted_at
    this.emit('run_ended', at, run.id, run.outcome ?? 'completed')
    const text = excerpt(this.tasks.get(run.task_id)?.text ?? '')
    if (run.outcome === 'failed') {
      this.ledger.refund(run.reserve, at)
      this.notify(
        'run_failed',
        'Run failed',
        `“${text}” failed; its Work Credit was given back.`,
        run.task_id,
        at,
      )
    } else {
      this.notify('run_completed', 'Run completed', `“${text}” is done.`, run.task_id, at)
    }
  }
}

const ledgerEvents = {
  top_up: 'credits_added',
  reserve: 'credit_reserved',
  refund: 'credit_refunded',
} as const satisfies Record<LedgerKind, EventType>

function excerpt(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text
}
