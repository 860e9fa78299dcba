/** How long the client waits before it retries, and for an answer. */
import type { Exchange } from '#traffic/exchange.ts'
import { waitOf } from './retry-after.ts'

/** ms between tries. */
export const pause = 500
const longestPause = 30_000
/** Longest timer Node supports, ms; longer ones fire at once. */
const longestTimer = 2 ** 31 - 1

/** ms to wait after a 429 or a 503: `Retry-After`, or longer if that did not help, or a growing pause without it. */
export function pauseAfter({ headers }: Pick<Exchange, 'headers'>, times: number): number {
  const requested = waitOf(headers['retry-after'], headers.date)
  return requested === undefined
    ? Math.min(pause * 2 ** (times - 1), longestPause)
    : Math.min(Math.max(requested, pause * (times - 1)), longestTimer)
}

/** The time that a request may take. */
interface TimeLimit {
  readonly signal: AbortSignal
  /** Ends the limit with the request: its timer would keep all of the exchange in memory. */
  end(): void
}

/** A limit whose signal aborts after that many ms, or with the given one. */
export function inTime(ms: number, signal: AbortSignal | undefined): TimeLimit {
  const timeout = new AbortController()
  const late = () =>
    timeout.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  const timer = setTimeout(late, ms).unref()
  return {
    signal: signal ? AbortSignal.any([timeout.signal, signal]) : timeout.signal,
    end: () => clearTimeout(timer),
  }
}
