/** What a check works with: callers, provider states, the credit budget, shared evidence and time. */
import { randomUUID } from 'node:crypto'
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import { type CallOptions, Client, type ClientSettings } from '../client/client.ts'
import { identified } from '../client/identified.ts'
import { Recorder } from '../client/recorder.ts'
import type { Target } from '../client/target.ts'
import { Budget } from './budget.ts'
import { type CreatedResource, createdIn } from './created.ts'
import { Lateness } from './lateness.ts'
import { supplied } from './operator-inputs.ts'
import { type AwaitedEvent, Patience } from './patience.ts'
import { ProviderStates } from './provider-states.ts'
import type { Settings } from './settings.ts'
import type { StateName } from './terms.ts'

/** A key that the run has created. */
export interface MadeKey {
  readonly id: string | undefined
  readonly secret: string
  /** Other strings of the response that may work as a key. */
  readonly others: readonly string[]
  /** The number of the exchange that returned it. */
  readonly shownBy: number
}

export class TestContext {
  readonly settings: Settings
  readonly target: Target
  readonly recorder = new Recorder()
  readonly budget: Budget
  readonly states: ProviderStates
  readonly patience: Patience
  /** Marks everything that the run creates. */
  readonly runId: string
  /** The organization under test. */
  readonly main: Client
  /** No credentials at all. */
  readonly nobody: Client
  /** Keys that the run has created and not yet deleted, and all secrets it has received. */
  readonly keys: MadeKey[] = []
  readonly secrets: MadeKey[] = []
  /** Why the service became unreachable; undefined: it answers. */
  unreachable: string | undefined
  /** The balance before credits were set by a state, and what the run had spent by then. */
  balanceBefore: { readonly org_id: string; readonly credits: number; readonly spent: number } | undefined
  readonly lateness = new Lateness()
  /** The violations so far: what follows from one is no violation of its own. */
  readonly violations: { readonly id: string; readonly evidence: readonly Exchange[] }[] = []
  /** Activity of others was seen in the organization. */
  disturbed = false
  /** How often the current check has been repeated because others may interfere; evidence is then taken anew. */
  attempt = 0
  readonly #evidence = new Map<string, Promise<unknown>>()
  #orgId: string | undefined
  /** The target with waits that an interruption does not end. */
  readonly #uninterrupted: Target
  readonly #signal: AbortSignal | undefined
  readonly #onWait: ((ms: number) => void) | undefined
  #named = 0

  /** planned: credits that the selected requirements may spend together. */
  constructor(
    settings: Settings,
    target: Target,
    signal?: AbortSignal,
    onWait?: (ms: number) => void,
    planned?: number,
  ) {
    this.settings = settings
    this.#signal = signal
    this.#onWait = onWait
    this.runId = settings.runId ?? `verify-${randomUUID().slice(0, 8)}`
    this.budget = new Budget(settings.readOnly ? 0 : settings.maxCredits, planned)
    this.patience = new Patience(settings.runTimeout)
    const nextId = () => `${this.runId}-${this.recorder.nextNumber()}`
    this.#uninterrupted = identified(target, settings.userAgent, nextId)
    this.target = { ...this.#uninterrupted, sleep: (ms) => this.#uninterrupted.sleep(ms, signal) }
    const longest = Math.max(settings.timeout, settings.runTimeout)
    const statesUrl = settings.readOnly ? undefined : settings.statesUrl
    this.states = new ProviderStates(statesUrl, this.target, longest, settings.statesHeaders, this.recorder)
    this.main = this.as('main', bearer(settings.apiKey))
    this.nobody = this.as('nobody', {})
  }

  /** A caller with the given credentials. */
  as(caller: Exchange['caller'], credentials: Record<string, string>): Client {
    return this.#client(caller, credentials, this.target, this.#signal)
  }

  #client(
    caller: Exchange['caller'],
    credentials: Record<string, string>,
    target: Target,
    signal: AbortSignal | undefined,
  ): Client {
    const { timeout, runTimeout, userAgent, headers } = this.settings
    const paidTimeout = Math.max(timeout, runTimeout)
    const onLost = (credits: number) => this.budget.spend(credits)
    const onWait = this.#onWait
    const settings: ClientSettings = {
      runId: this.runId,
      timeout,
      paidTimeout,
      userAgent,
      headers,
      signal,
      onLost,
      onWait,
    }
    return new Client(caller, credentials, target, settings, this.recorder)
  }

  /** What the run has created, in order. */
  get created(): CreatedResource[] {
    return createdIn(this.recorder.exchanges)
  }

  /** The second organization. @throws NotExercised without its key. */
  get other(): Client {
    return this.as('other', bearer(supplied(this.settings, 'other_key')))
  }

  /** The browser session. @throws NotExercised without its cookie. */
  get session(): Client {
    return this.as('session', { cookie: supplied(this.settings, 'session') })
  }

  /** The browser session of the second organization. @throws NotExercised without its cookie. */
  get otherSession(): Client {
    return this.as('other', { cookie: supplied(this.settings, 'other_session') })
  }

  /** The browser session for the clean-up, usable after an interruption. */
  get cleanUpSession(): Client {
    return this.#client(
      'session',
      { cookie: this.settings.sessionCookie ?? '' },
      this.#uninterrupted,
      undefined,
    )
  }

  /** Calls an operation as the organization under test. */
  call(operation: OperationId, ask?: CallOptions): Promise<Exchange> {
    return this.main.call(operation, ask)
  }

  /**
   * Takes evidence once and shares it among all requirements that use its name; a repeated check takes it anew,
   * unless it is to last for the whole run.
   */
  evidence<T>(name: string, take: () => Promise<T>, lasts: 'attempt' | 'run' = 'attempt'): Promise<T> {
    const key = lasts === 'run' ? name : `${name}#${this.attempt}`
    const known = this.#evidence.get(key) as Promise<T> | undefined
    if (known) return known
    const taken = take()
    this.#evidence.set(key, taken)
    return taken
  }

  /** The organization id that `whoami` reports, read twice: the `org_id` of provider states. */
  async orgId(): Promise<string> {
    if (this.#orgId === undefined) {
      const [id, again] = [await this.#reportedOrgId(), await this.#reportedOrgId()]
      if (id !== again)
        throw new NotExercised(
          'whoami returns a different org.id each time, because of AUTH-STABLE-ORGANIZATION',
        )
      this.#orgId = id
    }
    return this.#orgId
  }

  async #reportedOrgId(): Promise<string> {
    const exchange = await this.call('whoami')
    const id = isAccepted(exchange) ? idOf(field(exchange.json, 'org', 'id')) : undefined
    if (id === undefined) throw new NotExercised('whoami returns no org.id')
    return id
  }

  /** Runs an action while a provider state is set up for the organization. */
  async during<T>(state: StateName, params: Record<string, unknown>, action: () => Promise<T>): Promise<T> {
    return this.states.during(state, { org_id: await this.orgId(), ...params }, action)
  }

  /** A unique text, marked with the run id. */
  name(what: string): string {
    return `${what} (${this.runId}-${++this.#named})`
  }

  /** Polls until `look` returns something; undefined if the event has not come, which is waited for in full once. */
  async waitFor<T>(event: AwaitedEvent, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const started = this.target.now()
    const found = await this.until(this.patience.for(event), look)
    this.patience.record(event, found !== undefined, this.target.now() - started)
    return found
  }

  /** Polls until `look` returns something; undefined if it has not within that many ms. */
  async until<T>(within: number, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const deadline = this.target.now() + within
    let pause = 25
    for (;;) {
      if (this.#signal?.aborted) throw new NotExercised('the run was interrupted')
      const found = await look()
      if (found !== undefined || this.target.now() >= deadline) return found
      await this.target.sleep(Math.max(1, Math.min(pause, deadline - this.target.now())))
      pause = Math.min(pause * 1.5, 1_000)
    }
  }
}

/** The Authorization header with a key. */
export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}
