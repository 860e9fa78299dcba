/** How long a client waits: for a service that asks for it, between tries, and for an answer. */
import type { Exchange } from '#traffic/exchange.ts'
import { waitOf } from './retry-after.ts'

/** ms between tries. */
export const pause = 500
const longestPause = 30_000
/** A timer that is set to more ms rings at once. */
const longestTimer = 2 ** 31 - 1

/** ms to wait after a 429 or a 503: as it says; longer where that did not help, or where it says nothing. */
export function pauseAfter({ headers }: Exchange, times: number): number {
  const told = waitOf(headers['retry-after'], headers.date)
  return told === undefined
    ? Math.min(pause * 2 ** (times - 1), longestPause)
    : Math.min(Math.max(told, pause * (times - 1)), longestTimer)
}

/** Aborted after so many ms, or with the signal. */
export function inTime(ms: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(ms)
  return signal ? AbortSignal.any([timeout, signal]) : timeout
}
