/** What a check works with: callers, states, a budget, evidence that is shared, and words for time. */
import { randomUUID } from 'node:crypto'
import type { OperationId } from '#contract/operation.ts'
import { Budget } from './budget.ts'
import { type Ask, Client, type ClientSettings, Recorder } from './client.ts'
import { type Exchange, field, idOf } from './exchange.ts'
import { NotExercised } from './finding.ts'
import type { StateName } from './requirement.ts'
import type { Settings } from './settings.ts'
import { States } from './states.ts'
import type { Target } from './transport.ts'

/** A key that the run has made. */
export interface MadeKey {
  readonly id: string | undefined
  readonly secret: string
  /** Strings beside the secret that may open routes too. */
  readonly others: readonly string[]
  readonly shownBy: number
}

export class Kit {
  readonly settings: Settings
  readonly target: Target
  readonly recorder = new Recorder()
  readonly budget: Budget
  readonly states: States
  /** Marks everything that the run creates. */
  readonly runId: string
  /** The organization under test. */
  readonly main: Client
  /** No credentials at all. */
  readonly nobody: Client
  /** Keys that the run has made and not yet deleted, and all secrets it was shown. */
  readonly keys: MadeKey[] = []
  readonly secrets: MadeKey[] = []
  /** What the run has created, as `operation id`, in order. */
  readonly created: { readonly operation: OperationId; readonly id: string }[] = []
  /** 1 while a check is repeated because the organization may not have been quiet; evidence is taken anew. */
  attempt = 0
  readonly #evidence = new Map<string, Promise<unknown>>()
  #orgId: string | undefined
  readonly #signal: AbortSignal | undefined
  #named = 0

  constructor(settings: Settings, target: Target, signal?: AbortSignal) {
    this.settings = settings
    this.target = target
    this.#signal = signal
    this.runId = settings.runId ?? `verify-${randomUUID().slice(0, 8)}`
    this.budget = new Budget(settings.readOnly ? 0 : settings.maxCredits)
    this.states = new States(settings.statesUrl, target, settings.timeout)
    this.main = this.as('main', bearer(settings.apiKey))
    this.nobody = this.as('nobody', {})
  }

  /** A caller with credentials of its own. */
  as(caller: Exchange['caller'], credentials: Record<string, string>): Client {
    const settings: ClientSettings = {
      runId: this.runId,
      timeout: this.settings.timeout,
      userAgent: this.settings.userAgent,
    }
    return new Client(caller, credentials, this.target, settings, this.recorder)
  }

  /** The second organization. @throws NotExercised without its key. */
  get other(): Client {
    if (!this.settings.otherApiKey)
      throw new NotExercised('it needs the key of a second organization', '--other-api-key K')
    return this.as('other', bearer(this.settings.otherApiKey))
  }

  /** The browser session. @throws NotExercised without its cookie. */
  get session(): Client {
    if (!this.settings.sessionCookie)
      throw new NotExercised('it needs a browser session', "--session-cookie 'name=value'")
    return this.as('session', { cookie: this.settings.sessionCookie })
  }

  /** Asks as the organization under test. */
  call(operation: OperationId, ask?: Ask): Promise<Exchange> {
    return this.main.call(operation, ask)
  }

  /** Takes evidence once and shares it among all requirements that ask for it by name. */
  evidence<T>(name: string, take: () => Promise<T>): Promise<T> {
    const key = `${name}#${this.attempt}`
    const known = this.#evidence.get(key) as Promise<T> | undefined
    if (known) return known
    const taken = take()
    this.#evidence.set(key, taken)
    return taken
  }

  /** What `whoami` reports as the organization's id: the `org_id` of provider states. */
  async orgId(): Promise<string> {
    if (this.#orgId === undefined) {
      const id = idOf(field((await this.call('whoami')).json, 'org', 'id'))
      if (id === undefined) throw new NotExercised('whoami tells no org.id')
      this.#orgId = id
    }
    return this.#orgId
  }

  /** Does something while a provider state is arranged. */
  async during<T>(state: StateName, params: Record<string, unknown>, action: () => Promise<T>): Promise<T> {
    return this.states.during(state, { org_id: await this.orgId(), ...params }, action)
  }

  /** A text of its own, marked with the run id. */
  name(what: string): string {
    return `${what} (${this.runId}-${++this.#named})`
  }

  /** Looks again and again until it finds something; undefined where it has not by `within` ms. */
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

/** The header of a key. */
export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}
