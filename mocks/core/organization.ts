/** One organization: its rows, its ledger, its agent and its keys. Synchronous, and always read as of a given time. */

import { Agent } from './agent.ts'
import {
  type AppendOnlyResource,
  type ChangeHistory,
  eventByLedgerEntryKind,
  type HistoricalRowReader,
  type OrganizationEvent,
  type OrganizationEventType,
  readCurrentRow,
  rowsAtTime,
} from './changes.ts'
import type { Clock } from './clock.ts'
import { Ledger } from './ledger.ts'
import { createRandomStreams, type RandomStreams, type SeededRandom } from './random.ts'
import { RateLimiter } from './rate-limit.ts'
import type * as rows from './resources.ts'
import {
  type Key,
  noProviderStateOverrides,
  type OrganizationState,
  type PredictedIdsAndRuns,
  type ProviderStateOverrides,
  type RunPolicy,
} from './resources.ts'
import { NotificationRows, Rows } from './rows.ts'

const createdKeyKind = 'wak_live'
/** The beginning of every key that is created through the API. */
export const createdKeyPrefix = `${createdKeyKind}_`

/**
 * The state of one organization. `settle` brings it up to the time of its clock, and must be called before it is read.
 * Times are ms since the epoch.
 */
export class Organization {
  readonly id: string
  readonly name: string
  readonly account: rows.OrganizationAccount
  /** Operations whose responses use another variant than those of the rest, or have the fields of both variants. */
  variants: OrganizationState['variants'] = {}
  /** Its slot in a fleet, which its keys and addresses carry; undefined if there is none. */
  readonly slot: number | undefined
  /** The clock follows that of the mock until it is changed. */
  readonly clock: Clock
  readonly changes: ChangeHistory
  readonly keys = this.#rows<rows.Key>('keys')
  readonly tasks = this.#rows<rows.Task>('tasks')
  readonly documents = this.#rows<rows.Document>('documents')
  readonly notifications = new NotificationRows(() => this.changes)
  readonly prospects = new Rows<rows.Prospect>()
  readonly creatives = this.#rows<rows.Creative>('creatives')
  readonly landingPages = this.#rows<rows.LandingPage>('landing_pages')
  readonly campaigns = new Rows<rows.Campaign>()
  /** The rows of each resource, by the name that a snapshot gives it. */
  readonly lists = {
    keys: this.keys,
    tasks: this.tasks,
    documents: this.documents,
    notifications: this.notifications,
    prospects: this.prospects,
    creatives: this.creatives,
    landing_pages: this.landingPages,
    campaigns: this.campaigns,
  }
  readonly limiter: RateLimiter
  readonly overrides: ProviderStateOverrides = { ...noProviderStateOverrides }
  readonly ledger: Ledger
  readonly agent: Agent
  runPolicy: RunPolicy = { duration_ms: 0, failure_rate: 0, progress: 'time' }
  readonly random: RandomStreams
  /**
   * When each key was last used before the organization was restored, ms since the epoch; other keys had not been used.
   */
  readonly usedBefore = new Map<string, number | null>()
  readonly #init: OrganizationInit
  #topUp: Policies['topUp']
  #newId: Policies['newId']

  constructor(init: OrganizationInit) {
    this.#init = init
    this.id = init.id
    this.name = init.name
    this.account = init.account
    this.slot = init.slot
    this.clock = init.clock
    this.changes = init.changes
    this.random = createRandomStreams(init.random, this.changes)
    this.limiter = new RateLimiter(this.changes)
    this.ledger = new Ledger(
      () => this.newId('entry'),
      (entry) => {
        const { kind, amount, at, subject, id } = entry
        this.changes.added('ledger', entry)
        this.emit(eventByLedgerEntryKind[kind], at, subject ?? id, amount)
      },
    )
    this.agent = new Agent(this.changes, {
      outcomeOf: (run) => this.#outcomeOf(run),
      started: (run) => this.emit('run_started', run.started_at ?? run.accepted_at, run.id),
      ended: (run) => this.endRun(run),
    })
  }

  #rows<Row extends { readonly id: string }>(resource: AppendOnlyResource): Rows<Row> {
    return new Rows((row) => this.changes.added(resource, row))
  }

  emit(type: OrganizationEventType, at: number, subject: string, detail?: number | string): void {
    const event: OrganizationEvent = { type, org_id: this.id, at, subject }
    this.#init.emit(detail === undefined ? event : { ...event, detail })
  }

  /** Returns the next identifier of a kind: `task_…`, `run_…`. */
  newId(kind: string): string {
    return this.#newId?.(this.random.ids, kind) ?? this.random.ids.id(kind)
  }

  /**
   * For a mock rebuilt from a recording: returns the recorded data (such as the id) for something that is created now,
   * and removes it from what is foretold. Undefined: the recording has none.
   */
  takeForetold<K extends keyof PredictedIdsAndRuns>(
    kind: K,
    isMeant: (row: PredictedIdsAndRuns[K][number]) => boolean = () => true,
  ) {
    const { foretold } = this.overrides
    const rows: readonly PredictedIdsAndRuns[K][number][] = foretold?.[kind] ?? []
    const row = rows.find(isMeant)
    if (foretold && row)
      this.override({ foretold: { ...foretold, [kind]: rows.filter((one) => one !== row) } })
    return row
  }

  newSecret(): string {
    const secret = `${this.random.ids.id(createdKeyKind)}${this.random.ids.id('').slice(1)}`
    return this.slot === undefined ? secret : `${secret}_${this.slot}`
  }

  /** Applies every event that is due by `now`. Every access to an organization starts with this call. */
  settle(now: number): void {
    const topUp = this.overrides.top_up
    if (topUp && topUp.at <= now) {
      this.agent.settle(topUp.at)
      this.override({ top_up: null })
      this.ledger.topUp(topUp.credits, topUp.at)
    }
    this.agent.settle(now)
  }

  /** Applies every event that is due by the time of its clock, which it returns. */
  settled(): number {
    const now = this.clock.now()
    this.settle(now)
    return now
  }

  /** Returns the time of the next scheduled event; undefined if none is scheduled. */
  nextEvent(): number | undefined {
    const moments = [this.agent.nextEvent(), this.overrides.top_up?.at].filter((at) => at !== undefined)
    return moments.length > 0 ? Math.min(...moments) : undefined
  }

  /** Reserves one credit; if there is none, schedules the configured top-up and returns undefined. */
  reserve(subject: string, now: number): rows.LedgerEntry | undefined {
    const entry = this.ledger.reserve(subject, now)
    if (!entry && this.#topUp && !this.overrides.top_up)
      this.override({ top_up: { at: now + this.#topUp.after_ms, credits: this.#topUp.credits } })
    return entry
  }

  override(change: Partial<ProviderStateOverrides>): void {
    this.changes.change('overrides', this.overrides, change)
  }

  notify(type: string, title: string, body: string, task_id: string | null, created_at: number) {
    const known = this.takeForetold('notifications', (one) => (one.task_id ?? task_id) === task_id)
    const id = known?.id ?? this.newId('notification')
    const row = this.notifications.append({
      id,
      type: known?.type ?? type,
      title: known?.title ?? title,
      body: known?.body ?? body,
      task_id,
      created_at,
      read: false,
    })
    this.emit('notification_added', created_at, id)
    return row
  }

  /** Returns the whole state for a snapshot. It shares rows with the organization: copy it before the next change. */
  dump(was: HistoricalRowReader = readCurrentRow): OrganizationState {
    const { chance, ...apart } = this.dumpApart(was)
    const rows = Object.entries(this.lists).map(([name, list]) => [name, rowsAtTime<object>(list.all(), was)])
    const lists = Object.fromEntries(rows) as Pick<OrganizationState, keyof typeof this.lists>
    lists.tasks = lists.tasks.map((task) => {
      const run = task.run && was(task.run)
      return run === task.run ? task : { ...task, run }
    })
    return {
      ...apart,
      ledger: rowsAtTime(this.ledger.entries, was),
      ...lists,
      agent: this.agent.dump(),
      chance,
    }
  }

  /** Returns the part of the state that does not grow with use: everything but the rows and the runs of the agent. */
  dumpApart(was: HistoricalRowReader = readCurrentRow) {
    return {
      id: this.id,
      name: this.name,
      variants: this.variants,
      account: this.account,
      policy: this.runPolicy,
      clock: this.clock.dump(),
      arranged: { ...(was(this.overrides) ?? this.overrides) },
      windows: this.limiter.dump(was),
      chance: this.random.dump(was),
    }
  }

  /** Sets the policies for runs, ids, top-ups and variants; existing resources stay. */
  adopt({ topUp, newId, policy, variants }: Policies): void {
    this.#topUp = topUp
    this.#newId = newId
    this.runPolicy = policy
    this.variants = variants
  }

  /** Loads a saved state into a new organization, which takes ownership of the rows. */
  load(state: OrganizationState): void {
    Object.assign(this.overrides, state.arranged)
    this.variants = state.variants
    this.runPolicy = state.policy
    this.limiter.restore(state.windows)
    this.ledger.restore(state.ledger)
    for (const [name, list] of Object.entries(this.lists))
      (list as unknown as Rows<{ id: string }>).load(Reflect.get(state, name))
    for (const { id, last_used_at } of state.keys) this.usedBefore.set(id, last_used_at)
    this.agent.restore(state.agent, (task) => this.tasks.get(task)?.run ?? undefined)
    this.random.restore(state.chance)
  }

  #outcomeOf(run: rows.Run): rows.RunOutcome {
    if (run.destined) return run.destined
    const { failure_rate } = this.runPolicy
    const drawn = failure_rate > 0 && this.random.outcomes.fraction() < failure_rate
    const fails = drawn || this.overrides.next_run_fails
    if (this.overrides.next_run_fails) this.override({ next_run_fails: false })
    return fails ? 'failed' : 'completed'
  }

  /** Ends a run: refunds it if it failed (§3.2), and adds a notification. */
  endRun(run: rows.Run): void {
    this.changes.change('runs', run, { ended: true })
    const at = run.ends_at ?? run.accepted_at
    const outcome = run.outcome ?? 'completed'
    this.emit('run_ended', at, run.id, outcome)
    if (outcome === 'failed') this.ledger.refund(run.reserve, at)
    const text = this.tasks.get(run.task_id)?.text ?? ''
    const excerpt = text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text
    const [type, title, says] = notices[outcome]
    this.notify(type, title, `“${excerpt}” ${says}`, run.task_id, at)
  }
}

/** Policies of an organization by its settings. */
interface Policies {
  readonly policy: RunPolicy
  /** Credits to add some time (ms) after a request failed with `no_credits`; undefined if there are none. */
  readonly topUp: { readonly credits: number; readonly after_ms: number } | undefined
  /** Creates an identifier in a custom format; undefined: the default format. */
  readonly newId: ((random: SeededRandom, kind: string) => string) | undefined
  readonly variants: OrganizationState['variants']
}

interface OrganizationInit
  extends Pick<Organization, 'id' | 'name' | 'account' | 'slot' | 'clock' | 'changes'> {
  random(scope: string): SeededRandom
  emit(event: OrganizationEvent): void
}

const notices: Record<rows.RunOutcome, readonly [type: string, title: string, body: string]> = {
  completed: ['run_completed', 'Run completed', 'has completed.'],
  failed: ['run_failed', 'Run failed', 'failed; its Work Credit was refunded.'],
}

/** Creates the row of a key that was never used. */
export function newKeyRow(id: string, name: string, secret: string, created_at: number): Key {
  return { id, name, secret, created_at, last_used_at: null, deleted: false }
}

/** Creates an API key of an organization; `now`: ms since the epoch. */
export function createKey(org: Organization, name: string, secret: string, now: number): Key {
  const known = org.takeForetold('keys', (one) => one.name === name)
  return org.keys.append(newKeyRow(known?.id ?? org.newId('key'), name, known?.secret ?? secret, now))
}

/** The beginning of a key that lists show: its kind and a few characters, never enough to use it. */
export function visibleKeyPrefixOf({ secret }: Key): string {
  return secret.slice(0, secret.startsWith(createdKeyPrefix) ? 13 : Math.min(9, secret.length >> 1))
}
