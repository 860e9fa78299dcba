import { NotExercised } from '../client/check-errors.ts'
import { notWaitedFor } from '../client/long-wait.ts'
import { waitOf } from '../client/retry-after.ts'
import type { TestContext } from '../harness/context.ts'
import type { freeKeyOperations } from '../harness/operation-groups.ts'
import { providerFault } from '../harness/provider-states.ts'
import { oneLimit } from './one-limit.ts'
import { assumeLimited, duringLimit, exceed, exceedNew, limit, takes } from './rate-limit.ts'
import { assumePositiveControl, validRequests } from './valid-requests.ts'

/** Seconds; short enough to wait for, and long enough to exceed the limit meanwhile. */
const shortWindow = (t: TestContext) => (t.recorder.usualTime() < quick ? 1 : 2)
/** ms for an answer of a service that can exceed a limit in a moment. */
const quick = 60

/** ms by which our timers may be early compared with the clock of the service. */
const timersAreEarly = 50

type Limited = (typeof freeKeyOperations)[number]

/** The response of an operation beyond a limit set by the provider state. */
export const beyondLimit = (t: TestContext, operation: Limited) =>
  t.evidence(`beyond limit ${operation}`, async () => {
    await assumePositiveControl(t, operation)
    const shared = t.run.overlapped ? (await oneLimit(t)).answers.get(operation) : undefined
    if (shared) return shared
    const options = await validRequests[operation](t)
    return duringLimit(t, limit, () => exceedNew(t.main, operation, options))
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

/** The response to the same request after a 429 and the wait given in Retry-After. */
export const waitedOut = (t: TestContext) =>
  t.evidence('429 waited out', async () => {
    const arranged = t.states.mayOffer('rate_limit')
    const retry = async () => {
      const last = assumeLimited(arranged ? await exceedNew(t.main) : await refused(t))
      const wait = waitOf(last.headers['retry-after'], last.headers.date)
      if (wait === undefined) throw new NotExercised('Retry-After is missing or has no valid form')
      if (wait > t.settings.retryLimit) throw notWaitedFor(last, t.settings, new Set())
      await t.target.sleep(wait + timersAreEarly)
      return { limited: last, waited: wait, answer: await t.call('whoami', { takes }) }
    }
    return arranged ? duringLimit(t, 1, retry, shortWindow(t)) : retry()
  })
