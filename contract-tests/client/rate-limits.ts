/**
 * The queues by which requests keep to a limit that is exceeded, and the waits of the client before a retry and for an
 * answer.
 */
import type { Exchange } from '#traffic/exchange.ts'
import type { Target } from './target.ts'

/**
 * The queue of a credential. `tail`: settles when its last request is done; `until`: when the next may be sent, ms on
 * the clock of the target.
 */
const newQueue = () => ({ tail: Promise.resolve(), length: 0, until: 0 })

/** Creates queues, one for each credential: after a 429 its requests are sent one by one when the wait is over. */
export function createRateLimitQueues() {
  const queues = new Map<string, ReturnType<typeof newQueue>>()
  const queueOf = (credentials: string) => {
    const queue = queues.get(credentials) ?? newQueue()
    queues.set(credentials, queue)
    return queue
  }
  return {
    /** Holds back all requests with these credentials for `ms`. */
    hold(credentials: string, now: number, ms: number): void {
      const queue = queueOf(credentials)
      queue.until = Math.max(now + ms, queue.until)
    },
    /** True if requests with these credentials have to queue. */
    isLimited(credentials: string, now: number): boolean {
      const queue = queues.get(credentials)
      return queue !== undefined && (queue.length > 0 || queue.until > now)
    },
    /** Waits for the turn of a request, and until it may be sent; returns the function that ends its turn. */
    async turn(credentials: string, { now, sleep }: Pick<Target, 'now' | 'sleep'>): Promise<() => void> {
      const queue = queueOf(credentials)
      const { promise, resolve } = Promise.withResolvers<void>()
      const before = queue.tail
      queue.tail = before.then(() => promise)
      queue.length++
      await before
      if (queue.until > now()) await sleep(queue.until - now())
      return () => {
        queue.length--
        resolve()
      }
    },
  }
}

/** The first pause before a rate-limited request is sent again, ms. */
export const firstRetryPauseMs = 500
const longestPause = 30_000
/** Longest timer Node supports, ms; longer ones fire at once. */
const longestTimer = 2 ** 31 - 1

/**
 * The pause before the next try after a 429 or a 503, ms: `Retry-After`, longer if that did not help, or a growing
 * pause without the header.
 */
export function retryPauseMs({ headers }: Pick<Exchange, 'headers'>, times: number): number {
  const requested = retryAfterMs(headers['retry-after'], headers.date)
  return requested === undefined
    ? Math.min(firstRetryPauseMs * 2 ** (times - 1), longestPause)
    : Math.min(Math.max(requested, firstRetryPauseMs * (times - 1)), longestTimer)
}

/**
 * Creates a signal that aborts after `ms` or together with the given signal; also returns the function that stops its
 * timer.
 */
export function createTimeoutSignal(ms: number, signal: AbortSignal | undefined) {
  const timeout = new AbortController()
  const late = () =>
    timeout.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  const timer = setTimeout(late, ms).unref()
  return {
    signal: signal ? AbortSignal.any([timeout.signal, signal]) : timeout.signal,
    /** Stops the timer, which would otherwise keep the exchange in memory. */
    end: () => clearTimeout(timer),
  }
}

/**
 * The wait that a `Retry-After` header asks for, ms; undefined if it is missing or has neither form. A date is compared
 * with the `Date` header of the same response, since the clock of the service may differ from ours.
 */
export function retryAfterMs(value: string | undefined, date: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const until = instantOf(value)
  if (until === undefined) return undefined
  return Math.max(0, until - (instantOf(date ?? '') ?? Date.now()))
}

/** IMF-fixdate, RFC 850 or asctime; all are in GMT, although asctime does not say so. */
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

/** The time of an HTTP date, ms since the epoch. */
function instantOf(text: string): number | undefined {
  if (!httpDate.test(text)) return undefined
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(instant) ? undefined : instant
}
