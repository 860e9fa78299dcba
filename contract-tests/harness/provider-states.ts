/** The client of the provider-state protocol, which sets up states that no API client can reach. */
import type { ProviderState } from '#contract/provider-state.ts'
import {
  connectionRefusedReason,
  isConnectionReset,
  readResponseBody,
  requestFailureReason,
  timeoutReason,
} from '../client/answer.ts'
import { NotExercised, ProviderStateError } from '../client/check-errors.ts'
import { firstRetryPauseMs } from '../client/rate-limits.ts'
import type { RecordedProviderState, Recorder } from '../client/recorder.ts'
import type { Target } from '../client/target.ts'

/** A client of the states URL, which sets provider states up and tears them down. */
export type ProviderStatesClient = ReturnType<typeof createProviderStatesClient>

/**
 * Creates a client of the provider-states URL. `timeout`: the longest wait for an answer, ms; `outage`: the longest
 * time for which connections may be refused, ms; `recorder` records each state of `tenant`; `given`: further headers.
 */
export function createProviderStatesClient(
  url: string | undefined,
  target: Target,
  { timeout, outage }: { readonly timeout: number; readonly outage: number },
  recorder: Recorder,
  tenant: RecordedProviderState['tenant'],
  given: Readonly<Record<string, string>> = {},
) {
  const absent = new Set<ProviderState>()
  const ineffective = new Map<ProviderState, string>()
  let unresponsive = false

  const states = {
    /** Records that a state, or its teardown, answers 2xx without effect, so that it is not used again. */
    giveUp(
      state: ProviderState,
      what = `the state "${state}" answered 2xx and did not take effect`,
    ): NotExercised {
      ineffective.set(state, what)
      return new ProviderStateError(what)
    },
    /** True if a state may be offered: there is a URL, and the state was not found missing or without effect. */
    mayOffer(state: ProviderState): boolean {
      return url !== undefined && !unresponsive && !absent.has(state) && !ineffective.has(state)
    },
    /**
     * Sets up a state, runs the action, and tears the state down whether or not the action fails.
     * @throws NotExercised, naming the state, if the provider does not offer it or fails to set it up.
     */
    async during<T>(
      state: ProviderState,
      params: Record<string, unknown>,
      action: () => Promise<T>,
    ): Promise<T> {
      await states.setup(state, params)
      try {
        return await action()
      } finally {
        await states.teardown(state, params).catch(() => undefined)
      }
    },
    async setup(state: ProviderState, params: Record<string, unknown>): Promise<void> {
      const known = ineffective.get(state)
      if (known !== undefined) throw new ProviderStateError(known)
      const status = await send(state, params, 'setup')
      if (status >= 200 && status < 300) return
      if (status === 404) {
        absent.add(state)
        throw new NotExercised(
          `the provider does not offer the state "${state}"`,
          `the state "${state}" at the states URL`,
        )
      }
      throw new ProviderStateError(`the state "${state}" answered ${status}`)
    },
    async teardown(state: ProviderState, params: Record<string, unknown>): Promise<void> {
      await send(state, params, 'teardown')
    },
  }
  return states

  async function send(
    state: ProviderState,
    params: Record<string, unknown>,
    action: 'setup' | 'teardown',
  ): Promise<number> {
    if (url === undefined)
      throw new NotExercised(`it needs the provider state "${state}"`, '--states-url URL')
    if (unresponsive) throw new ProviderStateError('the states URL does not answer')
    const body = JSON.stringify({ state, params, action })
    const sent = recorder.begin(target.now())
    let isRefused = false
    try {
      const response = await post(url, body, mayBeRepeated(state))
      await readResponseBody(response)
      isRefused = response.status >= 400 && response.status < 500
      return response.status
    } catch (error) {
      if (!mayBeRepeated(state) && isConnectionReset(error))
        throw new NotExercised(`the states URL closed the connection for "${state}"`)
      // A run without an end keeps this one from answering, and no other.
      if (state === 'agent_idle' && requestFailureReason(error) === timeoutReason)
        throw states.giveUp(
          state,
          'the state "agent_idle" did not answer in time: something runs or waits without an end',
        )
      // Do not wait for an unresponsive states URL again.
      unresponsive = true
      throw new ProviderStateError(`the states URL did not answer for "${state}"`)
    } finally {
      const received = recorder.moment(target.now())
      const arranged = { tenant, state, params, action, sent, received }
      if (!isRefused) recorder.arranged.push(arranged)
      recorder.ended(sent)
    }
  }

  /**
   * Sends a request on a new connection; again if connections were refused, so that nothing has received it and, if it
   * `mayBeRepeated`, also if its connection was closed.
   */
  async function post(url: string, body: string, mayBeRepeated: boolean): Promise<Response> {
    const headers = { ...given, 'content-type': 'application/json', accept: 'application/json' }
    const until = target.now() + outage
    for (;;) {
      const { stopped, revoked } = recorder
      // True if setting a state up twice has the same effect as once.
      const ends = revoked.size > 0 ? [] : [stopped]
      const signal = AbortSignal.any([AbortSignal.timeout(timeout), ...ends])
      try {
        return await target.transport(url, { method: 'POST', headers, body, signal, fresh: true })
      } catch (error) {
        const isWorthAgain =
          requestFailureReason(error) === connectionRefusedReason ||
          (mayBeRepeated && isConnectionReset(error))
        if (!isWorthAgain || target.now() >= until) throw error
        await target.sleep(firstRetryPauseMs, recorder.stopped)
      }
    }
  }
}

/** True if a state is the same set up once or twice. */
const mayBeRepeated = (state: ProviderState) => state !== 'unread_notification'
