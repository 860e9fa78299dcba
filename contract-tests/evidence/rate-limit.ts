/** Responses beyond a rate limit, set by a provider state or reached by many requests. */
import type { OperationId } from '#contract/operation.ts'
import { brief, type Exchange } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { CallOptions, Client } from '../client/client.ts'
import { waitOf } from '../client/retry-after.ts'
import type { TestContext } from '../harness/context.ts'
import { expectThat } from '../harness/expect.ts'
import { freeKeyOperations } from '../harness/operation-groups.ts'
import { providerFault } from '../harness/provider-states.ts'
import { assumePositiveControl, validRequests } from './valid-requests.ts'

export const limit = 3
/** Seconds; long enough that no window ends during a check. */
const longWindow = 60
/** Seconds; short enough to wait for, and long enough to exceed the limit meanwhile. */
const shortWindow = (t: TestContext) => (t.recorder.usualTime() < quick ? 1 : 2)
/** ms for an answer of a service that can exceed a limit in a moment. */
const quick = 60

/** ms by which our timers may be early compared with the clock of the service. */
const timersAreEarly = 50

/** Requests after which a limit must take effect: many counters are not exact. */
export const most = 3 * limit

const takes = [429] as const

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

type Limited = (typeof freeKeyOperations)[number]

/** The response of an operation beyond a limit set by the provider state. */
export const beyondLimit = (t: TestContext, operation: Limited) =>
  t.evidence(`beyond limit ${operation}`, async () => {
    await assumePositiveControl(t, operation)
    const shared = t.run.overlapped ? (await beyondOneLimit(t)).get(operation) : undefined
    if (shared) return shared
    const options = await validRequests[operation](t)
    return duringLimit(t, limit, () => exceedNew(t.main, operation, options))
  })

/** The responses of all operations while one limit is exceeded; routes may be counted each for itself. */
const beyondOneLimit = (t: TestContext) =>
  t.evidence('beyond one limit', async () => {
    const prepared = freeKeyOperations.map(
      (operation): Promise<[Limited, CallOptions] | undefined> =>
        assumePositiveControl(t, operation)
          .then(async () => [operation, await validRequests[operation](t)] as [Limited, CallOptions])
          .catch(() => undefined),
    )
    const requests = (await Promise.all(prepared)).filter((one) => one !== undefined)
    return duringLimit(t, 1, async () => {
      assumeLimited(await exceedNew(t.main))
      return new Map(
        await Promise.all(
          requests.map(async ([one, options]) => [one, await exceed(t.main, one, options)] as const),
        ),
      )
    })
  })

/** Continues only if the state took effect on some operation: otherwise the provider is at fault. */
export async function assumeLimitTookEffect(t: TestContext): Promise<void> {
  for (const operation of ['whoami', 'listTasks', 'listDocuments'] as const) {
    if ((await beyondLimit(t, operation).catch(() => undefined))?.status === 429) return
  }
  throw providerFault('the state "rate_limit" limits nothing')
}

/** A 429, provoked by a state, or by many requests if those are allowed. */
export const refused = (t: TestContext) =>
  t.evidence('429', async () => {
    const arranged = t.states.mayOffer('rate_limit') && (await beyondLimit(t, 'whoami').catch(absent))
    if (arranged) return assumeLimited(arranged)
    const times = t.settings.probeRateLimit
    if (times < 1)
      throw new NotExercised(
        'it needs a 429',
        'the state "rate_limit" at the states URL, or --probe-rate-limit N',
      )
    const last = await exceed(t.main, 'whoami', {}, times)
    if (last.status !== 429)
      throw new NotExercised(`${times} requests met no 429`, `--probe-rate-limit ${times * 2}`)
    return last

    function absent(error: unknown): undefined {
      if (error instanceof NotExercised && !t.states.mayOffer('rate_limit')) return undefined
      throw error
    }
  })

/** Continues only with a 429. */
export function assumeLimited(exchange: Exchange): Exchange {
  if (exchange.status === 429) return exchange
  throw new NotExercised(`${exchange.operation} is not limited (${brief(exchange)})`)
}

/** The response to the same request after a 429 and the wait given in Retry-After. */
export const waitedOut = (t: TestContext) =>
  t.evidence('429 waited out', async () => {
    const arranged = t.states.mayOffer('rate_limit')
    const retry = async () => {
      const last = assumeLimited(arranged ? await exceedNew(t.main) : await refused(t))
      const wait = waitOf(last.headers['retry-after'], last.headers.date)
      if (wait === undefined) throw new NotExercised('Retry-After is missing or has no valid form')
      if (wait > t.settings.runTimeout)
        throw new NotExercised(`Retry-After is ${wait / 1_000} s, longer than --run-timeout`)
      await t.target.sleep(wait + timersAreEarly)
      return t.call('whoami', { takes })
    }
    return arranged ? duringLimit(t, limit, retry, shortWindow(t)) : retry()
  })

/** Requires another key to be answered while the limit of the main key is exceeded. */
export async function expectUnlimited(t: TestContext, other: Client): Promise<void> {
  const { last, answer } = await duringLimit(t, limit, async () => ({
    last: await exceedNew(t.main),
    answer: await other.call('whoami', { takes }),
  }))
  assumeLimited(last)
  expectThat(answer.status !== 429, 'any status but 429', brief(answer), last, answer)
}
