/** Before a run: the states endpoint answers the protocol of provider states, and changes something. */
import { field } from '#traffic/exchange.ts'
import { reasonOf } from '../client/answer.ts'
import type { Target } from '../client/target.ts'
import { bearer } from '../harness/context.ts'
import type { Need, Settings, StateName } from '../harness/terms.ts'
import { UnusableInput } from './preflight-input.ts'
import { type Ask, briefly, type Received, silence } from './preflight-request.ts'

/** Every state with valid parameters; tearing one down that is not set up does no harm. */
const params: Readonly<Record<StateName, object>> = {
  agent_idle: {},
  credits: { credits: 1 },
  agent_busy: { duration_ms: 1 },
  next_run_fails: {},
  next_creative_fails: {},
  unavailable: {},
  rate_limit: { limit: 600, window_s: 60 },
  unread_notification: {},
}

/** How far the balance is moved to see whether the states take effect, and moved back. */
const step = 3
const pause = 100

export class States {
  readonly #ask: Ask
  readonly #target: Target
  readonly #settings: Settings
  readonly #org: string

  constructor(ask: Ask, target: Target, settings: Settings, org: string) {
    this.#ask = ask
    this.#target = target
    this.#settings = settings
    this.#org = org
  }

  /** `needs`: what the selected requirements need. @throws UnusableInput if the endpoint cannot be used. */
  async prove(needs: ReadonlySet<Need>): Promise<void> {
    await this.#proveProtocol()
    if (needs.has('state:unavailable')) await this.#proveEndOfOutage()
    if (!(await this.#proveEffect('credits', '/whoami', 'credits', step)))
      await this.#proveEffect('unread_notification', '/notifications', 'unread', 1)
  }

  /** A state that does not exist is 404, and some state that does is not. */
  async #proveProtocol(): Promise<void> {
    const unknown = await this.#send('no_such_state', {}, 'setup')
    if (unknown.status >= 200 && unknown.status < 300)
      throw this.#unusable(`it answers ${briefly(unknown)} to a state that does not exist, not 404`)
    if (unknown.status !== 404 && unknown.status !== 400)
      throw this.#unusable(`it answers ${briefly(unknown)}`)
    let refused: string | undefined
    for (const [state, given] of Object.entries(params)) {
      const received = await this.#send(state, given, 'teardown')
      if (received.status >= 200 && received.status < 300) return
      if (received.status !== 404) refused ??= `it answers ${briefly(received)} to the state "${state}"`
    }
    const none = `it offers none of the ${Object.keys(params).length} states: it answers ${briefly(unknown)}`
    throw this.#unusable(refused ?? none)
  }

  /** Whether a state moved a number that a client can read; false: not offered, or nothing to read. */
  async #proveEffect(state: StateName, path: string, name: string, by: number): Promise<boolean> {
    const before = await this.#read(path, name)
    if (before === undefined) return false
    const change = state === 'credits' ? { credits: before + by } : {}
    const set = await this.#send(state, change, 'setup')
    if (set.status === 404) return false
    try {
      if (set.status < 200 || set.status >= 300)
        throw this.#unusable(`it answers ${briefly(set)} to the state "${state}"`)
      const deadline = this.#target.now() + this.#settings.consistency
      while ((await this.#read(path, name)) === before) {
        if (this.#target.now() >= deadline)
          throw this.#unusable(
            `the state "${state}" answered ${set.status} and changed nothing: ${name} is still ${before}`,
          )
        await this.#target.sleep(pause)
      }
      return true
    } finally {
      if (state === 'credits') await this.#send(state, { credits: before }, 'setup')
    }
  }

  /** An outage that is torn down ends: otherwise all that follows would be refused. */
  async #proveEndOfOutage(): Promise<void> {
    const set = await this.#send('unavailable', {}, 'setup')
    const torn = await this.#send('unavailable', {}, 'teardown')
    if (set.status < 200 || set.status >= 300) return
    const options = { headers: bearer(this.#settings.apiKey) }
    const deadline = this.#target.now() + this.#settings.consistency
    while ((await this.#ask(`${this.#target.baseUrl}/api/cli/whoami`, options)).status === 503) {
      if (this.#target.now() >= deadline)
        throw this.#unusable(
          `the teardown of the state "unavailable" answered ${torn.status} and changed nothing: whoami still answers 503`,
        )
      await this.#target.sleep(pause)
    }
  }

  async #read(path: string, name: string): Promise<number | undefined> {
    const { baseUrl } = this.#target
    const { json } = await this.#ask(`${baseUrl}/api/cli${path}`, { headers: bearer(this.#settings.apiKey) })
    const value = field(json, name)
    return typeof value === 'number' ? value : undefined
  }

  async #send(state: string, given: object, action: 'setup' | 'teardown'): Promise<Received> {
    const { statesUrl: url = '' } = this.#settings
    const body = { state, params: { org_id: this.#org, ...given }, action }
    return this.#ask(url, { method: 'POST', body }).catch((error) => {
      throw this.#unusable(silence(url, reasonOf(error)))
    })
  }

  #unusable = (what: string) => new UnusableInput('statesUrl', what)
}
