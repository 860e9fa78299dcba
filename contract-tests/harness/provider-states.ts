/** The provider-state protocol, seen from the suite: arranges what no client can. */
import { NotExercised } from '../client/finding.ts'
import type { Target } from '../client/target.ts'
import type { StateName } from './terms.ts'

export class States {
  readonly #url: string | undefined
  readonly #target: Target
  readonly #timeout: number
  readonly #absent = new Set<StateName>()
  readonly #idle = new Set<StateName>()
  #dead = false

  constructor(url: string | undefined, target: Target, timeout: number) {
    this.#url = url
    this.#target = target
    this.#timeout = timeout
  }

  /** Notes that a state is answered 2xx and does nothing, so that it is not waited for again. */
  giveUp(state: StateName): NotExercised {
    this.#idle.add(state)
    return new NotExercised(
      `the provider's set-up is at fault: the state "${state}" answered 2xx and did not take effect`,
    )
  }

  /** Whether a state may be tried: there is a URL, and it was not found missing. */
  mayOffer(state: StateName): boolean {
    return this.#url !== undefined && !this.#dead && !this.#absent.has(state) && !this.#idle.has(state)
  }

  /**
   * Arranges a state for the organization, does something, and takes the state down again, whatever happens.
   * @throws NotExercised, naming the state, where the provider does not offer it or fails to arrange it.
   */
  async during<T>(state: StateName, params: Record<string, unknown>, action: () => Promise<T>): Promise<T> {
    await this.setup(state, params)
    try {
      return await action()
    } finally {
      await this.teardown(state, params).catch(() => undefined)
    }
  }

  async setup(state: StateName, params: Record<string, unknown>): Promise<void> {
    if (this.#idle.has(state)) throw this.giveUp(state)
    const status = await this.#send(state, params, 'setup')
    if (status >= 200 && status < 300) return
    if (status === 404) {
      this.#absent.add(state)
      throw new NotExercised(
        `the provider does not offer the state "${state}"`,
        `the state "${state}" at the states URL`,
      )
    }
    throw new NotExercised(`the provider's set-up is at fault: the state "${state}" answered ${status}`)
  }

  async teardown(state: StateName, params: Record<string, unknown>): Promise<void> {
    await this.#send(state, params, 'teardown')
  }

  async #send(
    state: StateName,
    params: Record<string, unknown>,
    action: 'setup' | 'teardown',
  ): Promise<number> {
    if (this.#url === undefined)
      throw new NotExercised(`it needs the provider state "${state}"`, '--states-url URL')
    if (this.#dead)
      throw new NotExercised("the provider's set-up is at fault: the states URL does not answer")
    const body = JSON.stringify({ state, params, action })
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    try {
      const signal = AbortSignal.timeout(this.#timeout)
      const response = await this.#target.transport(this.#url, { method: 'POST', headers, body, signal })
      await response.arrayBuffer()
      return response.status
    } catch {
      // Where it is silent once, it is not waited for again.
      this.#dead = true
      throw new NotExercised(`the provider's set-up is at fault: the states URL did not answer to "${state}"`)
    }
  }
}
