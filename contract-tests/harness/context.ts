/** Context of a check: callers, provider states, the credit budget, shared evidence and time. */

import type { OperationId } from '#contract/operation.ts'
import type { ProviderState } from '#contract/provider-state.ts'
import { type Exchange, hasSuccessStatus, idAsText, valueAtPath } from '#traffic/exchange.ts'
import type { LostChargeTracker } from '../client/charges.ts'
import { NotExercised } from '../client/check-errors.ts'
import {
  type CallOptions,
  type Client,
  type ClientSettings,
  createClient,
  withIdentifyingHeaders,
} from '../client/client.ts'
import { sendAndLoseAnswer } from '../client/lost-answer.ts'
import type { Recorder } from '../client/recorder.ts'
import type { RequestParts } from '../client/request.ts'
import type { Target } from '../client/target.ts'
import { type AwaitedEvent, type Deadlines, type OnLongWait, poll, pollUntilDeadline } from './deadlines.ts'
import { createProviderStatesClient, type ProviderStatesClient } from './provider-states.ts'
import type { CreatedKey, CreditBudget, SuiteRunState } from './run-state.ts'
import { assumeSuppliedInput, type SuiteSettings } from './terms.ts'

/** The organization id in a response of `whoami`. @throws NotExercised if there is none. */
function reportedOrgId(whoami: Exchange): string {
  const id = hasSuccessStatus(whoami) ? idAsText(valueAtPath(whoami.json, 'org', 'id')) : undefined
  if (id === undefined) throw new NotExercised('whoami returns no org.id')
  return id
}

/** States in which an organization refuses requests. */
const refusing: readonly ProviderState[] = ['rate_limit', 'unavailable']

interface ContextOptions {
  readonly settings: SuiteSettings
  readonly target: Target
  readonly run: SuiteRunState
  readonly signal?: AbortSignal | undefined
  /** Called with each wait, ms; `isAsked`: by `Retry-After`. */
  readonly onWait?: ((ms: number, isAsked: boolean) => void) | undefined
  /** Called with the reason when a wait that the service asks for is too long. */
  readonly onNoWait?: ((why: string) => void) | undefined
  readonly onAwait?: OnLongWait | undefined
}

/** The context of checks of one organization: its clients, budget, deadlines and shared fixtures. */
export class TestContext {
  readonly settings: SuiteSettings
  readonly target: Target
  readonly run: SuiteRunState
  readonly recorder: Recorder
  readonly budget: CreditBudget
  readonly deadlines: Deadlines
  readonly runId: string
  readonly states: ProviderStatesClient
  /** Client with the key of the organization under test. */
  readonly main: Client
  /** Client without credentials. */
  readonly nobody: Client
  /**
   * Keys that the run has created in this organization and not yet deleted; `secrets`: all whose secret was shown,
   * deleted ones too.
   */
  readonly keys: CreatedKey[] = []
  readonly secrets: CreatedKey[] = []
  /**
   * The balance before a provider state first set it, and how many credits the run had spent by then; the clean-up
   * restores it.
   */
  balanceBefore: { readonly org_id: string; readonly credits: number; readonly spent: number } | undefined
  /** The answers to runs that did not end while a check waited for them, by the ids of their tasks. */
  readonly unended = new Map<string, Exchange>()
  /** Ids of the tasks whose runs may never start, since another run has taken the only credit. */
  readonly waitingForCredit = new Set<string>()
  /**
   * The context of the second organization while its checks run at the same time as those of the first; undefined
   * otherwise.
   */
  elsewhere: TestContext | undefined
  readonly #contexts: TestContext[]
  readonly #evidence = new Map<string, Promise<unknown>>()
  readonly #options: ContextOptions
  /** The context of the first organization, if this is the second. */
  readonly first: TestContext | undefined
  #orgId: string | undefined
  /** The target whose waits go on when the run is interrupted. */
  readonly #uninterrupted: Target

  constructor(options: ContextOptions, first?: TestContext) {
    const { settings, target, run, signal } = options
    this.#options = options
    this.#contexts = first ? first.#contexts : []
    this.#contexts.push(this)
    this.first = first
    this.settings = settings
    this.run = run
    this.recorder = run.recorder
    this.budget = run.budget
    this.deadlines = run.deadlines
    this.runId = run.runId
    const nextId = () => `${run.runId}-${run.recorder.nextNumber()}`
    this.#uninterrupted = withIdentifyingHeaders(target, settings.userAgent, nextId)
    this.target = { ...this.#uninterrupted, sleep: (ms) => this.#uninterrupted.sleep(ms, signal) }
    const { outage, statesHeaders } = settings
    const limits = { timeout: Math.max(settings.timeout, settings.runTimeout), outage }
    const statesUrl = settings.readOnly ? undefined : settings.statesUrl
    const tenant = first ? 'other' : 'main'
    this.states = createProviderStatesClient(
      statesUrl,
      this.target,
      limits,
      this.recorder,
      tenant,
      statesHeaders,
    )
    this.main = this.as(tenant, bearerHeader(settings.apiKey))
    this.nobody = this.as('nobody', {})
  }

  /** True if the run was interrupted. */
  get isInterrupted(): boolean {
    return this.#options.signal?.aborted === true
  }

  /** The contexts of all organizations that the run tests. */
  get all(): readonly TestContext[] {
    return this.#contexts
  }

  /** The organization of an exchange, by its main caller; a created key counts to the organization that created it. */
  organizationOf({
    caller,
    requestHeaders,
  }: Pick<Exchange, 'caller' | 'requestHeaders'>): Exchange['caller'] {
    if (caller !== 'created key') return caller
    const isSent = ({ secret }: CreatedKey) =>
      bearerHeader(secret).authorization === requestHeaders.authorization
    return this.all.find(({ secrets }) => secrets.some(isSent))?.main.caller ?? caller
  }

  /** The context in which the second organization is under test; undefined without its key. */
  second(): TestContext | undefined {
    const { apiKey, otherApiKey, sessionCookie, otherSessionCookie } = this.settings
    if (!otherApiKey) return undefined
    const swapped = { apiKey: otherApiKey, otherApiKey: apiKey }
    const sessions = { sessionCookie: otherSessionCookie, otherSessionCookie: sessionCookie }
    const settings = { ...this.settings, ...swapped, ...sessions }
    return new TestContext({ ...this.#options, settings }, this)
  }

  /**
   * Sends a request, as the organization under test, whose answer a provider state loses; returns an answer that came
   * nevertheless.
   */
  sendToBeLost(operation: OperationId, asked: RequestParts): Promise<Exchange | undefined> {
    const { apiKey, userAgent, headers, timeout, runTimeout } = this.settings
    const { caller } = this.main
    const sender = { runId: this.runId, userAgent, headers, caller, credentials: bearerHeader(apiKey) }
    const most = Math.max(timeout, runTimeout)
    return sendAndLoseAnswer({ ...sender, timeout: most }, this.target, this.recorder, operation, asked)
  }

  /** A client with the given credentials; `isUninterrupted`: an interruption does not stop it. */
  as(caller: Exchange['caller'], credentials: Record<string, string>, isUninterrupted = false): Client {
    const { onWait, onNoWait, signal } = this.#options
    const target = isUninterrupted ? this.#uninterrupted : this.target
    const settings: ClientSettings = {
      ...this.settings,
      ...{ runId: this.runId, onWait, onNoWait, signal: isUninterrupted ? undefined : signal },
      charges: this.#chargesOf(caller),
      pass: this.first || caller !== 'other' ? undefined : (call) => this.run.otherOrganization.read(call),
    }
    return createClient(caller, credentials, target, settings, this.recorder)
  }

  /** The tracker of lost charges of this organization. */
  get charges(): LostChargeTracker {
    return this.budget.charges[this.first ? 'other' : 'main']
  }

  #chargesOf(caller: Exchange['caller']): LostChargeTracker | undefined {
    if (caller === 'created key') return this.charges
    return caller === 'main' || caller === 'other' ? this.budget.charges[caller] : undefined
  }

  /** A client of the second organization. @throws NotExercised without its key. */
  get other(): Client {
    return this.as(
      this.first ? 'main' : 'other',
      bearerHeader(assumeSuppliedInput(this.settings, 'other_key')),
    )
  }

  /** A client with the browser session. @throws NotExercised without its cookie. */
  get session(): Client {
    return this.as(this.first ? 'other' : 'session', {
      cookie: assumeSuppliedInput(this.settings, 'session'),
    })
  }

  /** A client with the browser session of the second organization. @throws NotExercised without its cookie. */
  get otherSession(): Client {
    return this.as(this.first ? 'session' : 'other', {
      cookie: assumeSuppliedInput(this.settings, 'other_session'),
    })
  }

  /** A client with the browser session for the clean-up, which an interruption does not stop. */
  get cleanUpSession(): Client {
    return this.as(this.first ? 'other' : 'session', { cookie: this.settings.sessionCookie ?? '' }, true)
  }

  /** Calls an operation as the organization under test. */
  call(operation: OperationId, ask?: CallOptions): Promise<Exchange> {
    return this.main.call(operation, ask)
  }

  /**
   * Takes evidence once and shares it among all requirements that use its name; a repeated check takes it anew,
   * unless it is to last for the whole run. `named`: its name, and what this piece of it is about.
   */
  evidence<T>(
    named: string | readonly [name: string, about: string],
    take: () => Promise<T>,
    lasts: 'attempt' | 'run' = 'attempt',
  ): Promise<T> {
    const [name, about = ''] = typeof named === 'string' ? [named] : named
    const { attempt, exclusive } = this.run
    // What costs credits is taken once for all that are repeated.
    const own = exclusive?.isPaid ? undefined : exclusive?.id
    const repetition = lasts === 'run' || attempt === 0 ? undefined : [own, attempt]
    const key = JSON.stringify([name, about, repetition])
    const known = this.#evidence.get(key) as Promise<T> | undefined
    if (known) return known
    this.run.taken(name, about)
    const taken = take()
    this.#evidence.set(key, taken)
    return taken
  }

  /** The organization id that `whoami` reports twice: the `org_id` of provider states. */
  async orgId(): Promise<string> {
    if (this.#orgId === undefined) {
      const own = bearerHeader(this.settings.apiKey).authorization
      const [first, second] = this.recorder.exchanges.filter(
        (one) =>
          one.operation === 'whoami' && hasSuccessStatus(one) && one.requestHeaders.authorization === own,
      )
      const id = reportedOrgId(first ?? (await this.call('whoami')))
      const again = reportedOrgId(second ?? (await this.call('whoami')))
      if (id !== again)
        throw new NotExercised(
          'whoami returns a different org.id each time, because of AUTH-STABLE-ORGANIZATION',
        )
      this.#orgId = id
    }
    return this.#orgId
  }

  /** Runs an action while a provider state is set up for the organization. */
  async during<T>(
    state: ProviderState,
    params: Record<string, unknown>,
    action: () => Promise<T>,
  ): Promise<T> {
    const org_id = await this.orgId()
    const run = () => this.states.during(state, { org_id, ...params }, action)
    return this.first && refusing.includes(state) ? this.run.otherOrganization.write(run) : run()
  }

  /** The exchanges of the organization under test so far; none while a check is repeated, when only new ones count. */
  get sentSoFar(): readonly Exchange[] {
    const { exchanges } = this.recorder
    return this.run.attempt === 0 ? exchanges.filter(({ caller }) => caller === this.main.caller) : []
  }

  /** A unique text, tagged with the run id. */
  name(what: string): string {
    return this.run.name(what)
  }

  /**
   * Polls until `look` returns something; undefined if the event does not come. Events missed before are waited for
   * briefly.
   */
  waitFor<T>(
    event: AwaitedEvent,
    look: () => Promise<T | undefined>,
    since?: number,
  ): Promise<T | undefined> {
    return pollUntilDeadline(this, event, look, this.#options.onAwait, since)
  }

  /** Polls until `look` returns something; undefined if it has not within that many ms. */
  until<T>(within: number, look: () => Promise<T | undefined>): Promise<T | undefined> {
    return poll(this.target, within, look, this.#options.signal)
  }
}

/** True if a text, such as a key or an id, has only characters that may be sent in a header. */
export const isHeaderSafe = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

/** The `Authorization` header with a key. */
export function bearerHeader(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}
