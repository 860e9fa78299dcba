/** A wait that the service asks for and that is longer than anybody would wait. */
import type { OperationId } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { NotExercised } from './check-errors.ts'
import type { ClientSettings } from './client-settings.ts'

/** The error for a request that is not sent again: what needs its answer is not exercised. */
export function notWaitedFor(
  { operation, method, url, headers }: Pick<Exchange, 'operation' | 'method' | 'url' | 'headers'>,
  { retryLimit, onNoWait }: Pick<ClientSettings, 'retryLimit' | 'onNoWait'>,
  notWaited: Set<OperationId>,
): NotExercised {
  const asked = `Retry-After: ${headers['retry-after']?.slice(0, longestShown)}`
  const why = `not waited for as long as the service asks after ${method} ${new URL(url).pathname} (${asked}), which is longer than --retry-limit ${retryLimit / 1_000}s`
  if (!notWaited.has(operation)) onNoWait?.(why)
  notWaited.add(operation)
  return new NotExercised(why, '--retry-limit DURATION')
}

/** Of a header so many characters are shown. */
const longestShown = 40
