/** A rate limit set by a provider state, and requests until it is exceeded. */
import type { OperationId } from '#contract/operation.ts'
import { brief, type Exchange } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { CallOptions, Client } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import { expectThat } from '../harness/expect.ts'
import { providerFault } from '../harness/provider-states.ts'

export const limit = 3
/** Seconds; long enough that no window ends during a check. */
const longWindow = 60
/** Requests after which a limit must take effect: many counters are not exact. */
export const most = 3 * limit

export const takes = [429] as const

/** Runs an action while a limit is set that no window resets. */
export async function duringLimit<T>(
  t: TestContext,
  limit: number,
  action: () => Promise<T>,
  window_s = longWindow,
): Promise<T> {
  const result = await t.during('rate_limit', { limit, window_s }, action)
  await t.evidence('rate limit teardown', () => assumeUnlimited(t))
  return result
}

/** Continues only if the state was torn down; otherwise every later request would wait for the end of its window. */
async function assumeUnlimited(t: TestContext): Promise<void> {
  if ((await t.call('whoami', { takes })).status !== 429) return
  t.states.giveUp('rate_limit')
  throw providerFault('after the teardown of the state "rate_limit", its limit still applies')
}

/** Sends requests under a new limit until a 429. Continues only if the first is answered. */
export async function exceedNew(
  client: Client,
  operation: OperationId = 'whoami',
  options: CallOptions = {},
): Promise<Exchange> {
  assumeNewCounters(await client.call(operation, { ...options, takes }))
  return exceed(client, operation, options, most - 1)
}

/** Continues only if the first request under a new limit is not refused: set-up makes counters fresh. */
export function assumeNewCounters(first: Exchange): void {
  if (first.status === 429)
    throw providerFault('the state "rate_limit" keeps its counters: the first request after set-up got 429')
}

/** Sends requests until a 429, at most that many; returns the last response. */
export async function exceed(
  client: Client,
  operation: OperationId = 'whoami',
  options: CallOptions = {},
  times = most,
): Promise<Exchange> {
  let last = await client.call(operation, { ...options, takes })
  for (let i = 1; i < times && last.status !== 429; i++)
    last = await client.call(operation, { ...options, takes })
  return last
}

/** Continues only with a 429. */
export function assumeLimited(exchange: Exchange): Exchange {
  if (exchange.status === 429) return exchange
  throw new NotExercised(`${exchange.operation} is not limited (${brief(exchange)})`)
}

/** Requires another key to be answered while the limit of the main key is exceeded. */
export async function expectUnlimited(t: TestContext, other: Client): Promise<void> {
  const { last, answer } = await duringLimit(t, limit, async () => ({
    last: await exceedNew(t.main),
    answer: await other.call('whoami', { takes }),
  }))
  expectNotLimited(assumeLimited(last), answer)
}

/** Requires a request not to be limited, although another one is. */
export function expectNotLimited(limited: Exchange, answer: Exchange): void {
  expectThat(answer.status !== 429, 'any status but 429', brief(answer), limited, answer)
}
