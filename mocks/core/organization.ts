/** One organization: its rows, its ledger, its agent. Pure and synchronous; it is always looked at *at* a time. */
import { Rows } from '../rows.ts'
import type { Chance } from '../world.ts'
import { Agent, type Outcome, type Run } from './agent.ts'
import { Ledger } from './ledger.ts'
import { type RateLimit, RateLimiter } from './rate-limit.ts'
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

/** How runs of an organization go, unless a provider state says otherwise. */
export interface RunPolicy {
  /** Length of a run, ms. */
  readonly duration_ms: number
  /** Share of runs that fail, 0 to 1. */
  readonly failure_rate: number
}

/** What provider states have arranged for an organization. */
export interface Arranged {
  nextRunFails: boolean
  nextCreativeFails: boolean
  unavailable: boolean
  rateLimit: RateLimit | undefined
}

export class Organization {
  readonly id: string
  readonly name: string
  readonly account: Account
  readonly keys = new Rows<Key>()
  readonly tasks = new Rows<Task>()
  readonly documents = new Rows<Document>()
  readonly notifications = new Rows<Notification>()
  readonly prospects = new Rows<Prospect>()
  readonly creatives = new Rows<Creative>()
  readonly landingPages = new Rows<LandingPage>()
  readonly campaigns = new Rows<Campaign>()
  readonly limiter = new RateLimiter()
  readonly arranged: Arranged = {
    nextRunFails: false,
    nextCreativeFails: false,
    unavailable: false,
    rateLimit: undefined,
  }
  readonly ledger: Ledger
  readonly agent: Agent
  readonly runPolicy: RunPolicy
  readonly #ids: Chance
  readonly #luck: Chance
  #unread = 0

  constructor(
    identity: { id: string; name: string; account: Account },
    policy: RunPolicy,
    chance: (scope: string) => Chance,
  ) {
    this.id = identity.id
    this.name = identity.name
    this.account = identity.account
    this.runPolicy = policy
    this.#ids = chance('ids')
    this.#luck = chance('outcomes')
    this.ledger = new Ledger(() => this.newId('entry'))
    this.agent = new Agent({ outcomeOf: () => this.#nextOutcome(), ended: (run) => this.endRun(run) })
  }

  /** The next identifier of a kind: `task_…`, `run_…`. */
  newId(kind: string): string {
    return this.#ids.id(kind)
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
    this.agent.settle(now)
  }

  /** How many notifications are unread. */
  get unread(): number {
    return this.#unread
  }

  /** Adds an unread notification. */
  notify(type: string, title: string, body: string, task_id: string | null, at: number): Notification {
    this.#unread++
    return this.notifications.append({
      id: this.newId('notification'),
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

  #nextOutcome(): Outcome {
    const unlucky = this.runPolicy.failure_rate > 0 && this.#luck.fraction() < this.runPolicy.failure_rate
    const fails = unlucky || this.arranged.nextRunFails
    this.arranged.nextRunFails = false
    return fails ? 'failed' : 'completed'
  }

  /** The effects of the end of a run: the refund of a failed one (§3.2), and a notification. */
  endRun(run: Run): void {
    run.ended = true
    const at = run.ends_at ?? run.accepted_at
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

function excerpt(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text
}
