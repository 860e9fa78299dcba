/** The requests that check the inputs before a run: sent again where they may meet a limit, an outage or a lost connection. */
import type { Exchange } from '#traffic/exchange.ts'
import {
  connectionRefusedReason,
  isConnectionReset,
  readResponseBody,
  requestFailureReason,
} from '../client/answer.ts'
import { withIdentifyingHeaders } from '../client/client.ts'
import { createTimeoutSignal, firstRetryPauseMs, retryPauseMs } from '../client/rate-limits.ts'
import type { Target } from '../client/target.ts'
import type { SuiteSettings } from '../harness/terms.ts'

/** The answer to a request that checks the inputs before a run, with its body as text. */
export type PreflightAnswer = Pick<Exchange, 'status' | 'headers' | 'text' | 'json' | 'excess'>

/**
 * A function that sends one request to check the inputs before a run (no CORS preflight): by default a GET without
 * credentials. `fresh`: on a new connection. Rejects if no answer comes.
 */
export type PreflightSender = (
  url: string,
  options?: {
    readonly headers?: Readonly<Record<string, string>>
    readonly method?: string
    readonly body?: unknown
    readonly fresh?: boolean
  },
) => Promise<PreflightAnswer>

/** Most tries of a request that a rate limit refuses; after an outage, tries go on for as long as one may last. */
const mostTries = 4
/** Longest wait before another try, ms. */
const longestWait = 60_000
const unavailable = [502, 503, 504]

/**
 * Creates the sender of requests that check the inputs before a run; it repeats them after a dropped connection or a
 * temporary refusal.
 */
export function createPreflightSender(
  target: Target,
  { userAgent, runId = 'verify', timeout, outage, headers: always, statesUrl, statesHeaders }: SuiteSettings,
): PreflightSender {
  let requests = 0
  /** Origins that have answered: if one no longer does, it is waited for. */
  const answered = new Set<string>()
  const { transport } = withIdentifyingHeaders(target, userAgent, () => `${runId}-preflight-${++requests}`)
  return async (url, { headers = {}, method = 'GET', body, fresh = false } = {}) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const extra = url === statesUrl ? statesHeaders : always
    const sent = { ...extra, accept: 'application/json', ...type, ...headers }
    const outgoing = { method, headers: sent, fresh, ...content }
    const { origin } = new URL(url)
    const until = target.now() + outage
    /**
     * True if a request is worth another try: nothing has received it, or it creates nothing or sets a state once more.
     */
    const isWorthAgain = (error: unknown, tries: number) => {
      if (!answered.has(origin)) return method === 'GET' && tries === 1 && isConnectionReset(error)
      const isSafe = method !== 'POST' || url === statesUrl
      return (
        (requestFailureReason(error) === connectionRefusedReason || (isSafe && isConnectionReset(error))) &&
        target.now() < until
      )
    }
    for (let tries = 1; ; tries++) {
      const limit = createTimeoutSignal(timeout, undefined)
      try {
        const response = await transport(url, { ...outgoing, signal: limit.signal })
        answered.add(origin)
        const { status } = response
        const received = {
          ...(await readResponseBody(response)),
          status,
          headers: Object.fromEntries(response.headers),
        }
        const wait = retryPauseMs(received, tries)
        const isOut = method === 'GET' && unavailable.includes(status)
        const mayPass = status === 429 ? tries < mostTries : isOut && target.now() + wait <= until
        if (!mayPass || wait > longestWait) return received
        await target.sleep(wait)
      } catch (error) {
        if (!isWorthAgain(error, tries)) throw error
        await target.sleep(firstRetryPauseMs)
      } finally {
        limit.end()
      }
    }
  }
}
