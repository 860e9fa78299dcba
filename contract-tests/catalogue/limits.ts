/** §7.2, §7.3, §8.1: rate limits for each key, and temporary unavailability. */
import type { OperationId } from '#contract/operation.ts'
import { brief, type Exchange, isAccepted } from '#traffic/exchange.ts'
import type { Ask, Client } from '../client/client.ts'
import { NotExercised, Violation } from '../client/finding.ts'
import { waitOf } from '../client/retry-after.ts'
import { type FreeOperation, firstTwin, twin, validAsks } from '../evidence/calls.ts'
import { newKey } from '../evidence/keys.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { expectAccepted, expectRefused, expectThat, needAccepted, refusals } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'
import { creates, freeKeyOperations } from './families.ts'

const limit = 3
/** Long enough, s, that no window turns while a check counts. */
export const longWindow = 600
/** Short enough, s, to wait for. */
const shortWindow = 2

/** ms by which a timer of ours may be early against the service's clock. */
const timersAreEarly = 50

/** Requests after which an arranged limit must have been felt: many counters are not exact. */
const most = 3 * limit

const takes = [429] as const

/** Asks until a 429, at most so often; answers the last. */
export async function exceed(
  client: Client,
  operation: OperationId,
  ask: Ask,
  times = most,
): Promise<Exchange> {
  let last = await client.call(operation, { ...ask, takes })
  for (let i = 1; i < times && last.status !== 429; i++)
    last = await client.call(operation, { ...ask, takes })
  return last
}

/** What each operation answers beyond the limit, under one arranged limit after the other. */
const beyondLimit = (t: TestContext, operation: (typeof freeKeyOperations)[number]) =>
  t.evidence(`beyond limit ${operation}`, async () => {
    await twin(t, operation)
    const ask = await validAsks[operation](t)
    return t.during('rate_limit', { limit, window_s: longWindow }, () => exceed(t.main, operation, ask))
  })

/** Whether the arranged limit took effect on any operation: else the provider's set-up is at fault. */
export async function tookEffect(t: TestContext): Promise<boolean> {
  for (const operation of ['whoami', 'listTasks', 'listDocuments'] as const) {
    if ((await beyondLimit(t, operation).catch(() => undefined))?.status === 429) return true
  }
  return false
}

const eachRoute = freeKeyOperations.map((operation) => {
  const needs =
    operation === 'readNotification'
      ? (['state:rate_limit', 'state:unread_notification'] as const)
      : (['state:rate_limit'] as const)
  return probe(
    `LIMIT-${operation}`,
    'MUST',
    '§8.1',
    operation,
    `${operation} is rate-limited: beyond the limit of the key it answers 429.`,
    async (t) => {
      const last = await beyondLimit(t, operation)
      if (last.status === 429) return
      if (!isAccepted(last) && isAccepted(await t.call('whoami')))
        throw new Violation('429 rate_limited', brief(last), last)
      if (!(await tookEffect(t)))
        throw new NotExercised(
          `the provider's set-up is at fault: with the state "rate_limit" nothing is limited`,
        )
      throw new Violation(`429 by request ${most}, with a limit of ${limit}`, brief(last), last)
    },
    { alone: true, writes: creates(operation), needs },
  )
})

/** A 429, met by a state, or by asking often where that is allowed. */
export const refused = (t: TestContext) =>
  t.evidence('429', async () => {
    const arranged = t.states.mayOffer('rate_limit') && (await beyondLimit(t, 'whoami').catch(absent))
    if (arranged) return needLimited(arranged)
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

export function needLimited(exchange: Exchange): Exchange {
  if (exchange.status === 429) return exchange
  throw new NotExercised(`${exchange.operation} is not limited (${brief(exchange)})`)
}

/** A 429 whose window is short, and the same request after waiting as long as it says. */
const waited = (t: TestContext) =>
  t.evidence('429 waited out', async () => {
    const meet = async () => {
      const arranged = t.states.mayOffer('rate_limit')
      const last = needLimited(arranged ? await exceed(t.main, 'whoami', {}) : await refused(t))
      const wait = waitOf(last.headers['retry-after'], last.headers.date)
      if (wait === undefined) throw new NotExercised('Retry-After is missing or of no form')
      if (wait > t.settings.runTimeout)
        throw new NotExercised(`Retry-After is ${wait / 1_000} s, longer than --run-timeout`)
      await t.target.sleep(wait + timersAreEarly)
      return t.call('whoami', { takes })
    }
    return t.states.mayOffer('rate_limit')
      ? t.during('rate_limit', { limit, window_s: shortWindow }, meet)
      : meet()
  })

export const limits: Requirement[] = [
  ...eachRoute,

  probe(
    'LIMIT-CODE',
    'MUST',
    '§7, §8.1',
    null,
    'Beyond the limit the error is rate_limited.',
    async (t) => {
      expectRefused(await refused(t), refusals.rateLimited)
    },
    { alone: true },
  ),

  probe(
    'LIMIT-WAITED-OUT',
    'MUST',
    '§7.2',
    null,
    'After waiting as long as Retry-After says, the same request is answered.',
    async (t) => {
      const later = await waited(t)
      expectThat(later.status !== 429, 'any answer but 429', brief(later), later)
    },
    { alone: true },
  ),

  probe(
    'LIMIT-OTHER-KEY',
    'MUST',
    '§8.1',
    null,
    'The limit is for each key: another key is answered meanwhile.',
    async (t) => {
      const other = t.settings.otherApiKey ? t.other : t.as('created key', bearer((await newKey(t)).secret))
      needAccepted(await other.call('whoami'))
      const { last, answer } = await t.during('rate_limit', { limit, window_s: longWindow }, async () => ({
        last: await exceed(t.main, 'whoami', {}),
        answer: await other.call('whoami', { takes }),
      }))
      needLimited(last)
      expectThat(answer.status !== 429, 'any answer but 429', brief(answer), last, answer)
    },
    { alone: true, quiet: true, writes: true, needs: ['state:rate_limit'] },
  ),

  probe(
    'UNAVAILABLE-CODE',
    'MUST',
    '§7',
    null,
    'While the service is unavailable, key routes answer 503 unavailable.',
    async (t) => {
      const answers = await outage(t)
      if (answers.every(isAccepted))
        throw new NotExercised(
          `the provider's set-up is at fault: with the state "unavailable" all is answered`,
        )
      for (const exchange of answers) expectRefused(exchange, refusals.unavailable)
    },
    { alone: true, needs: ['state:unavailable'] },
  ),

  probe(
    'UNAVAILABLE-OVER',
    'MUST',
    '§7.3',
    null,
    'When the outage is over, requests are answered again.',
    async (t) => {
      await outage(t)
      expectAccepted(await t.call('whoami'))
    },
    { alone: true, needs: ['state:unavailable'] },
  ),
]

/** Operations that are asked during an outage: all that need no notification arranged first. */
const suffering = freeKeyOperations.filter((operation) => operation !== 'readNotification')

const outage = (t: TestContext) =>
  t.evidence('outage', async () => {
    const asks: [FreeOperation, Ask][] = []
    for (const operation of suffering) {
      const seen = await firstTwin(t, operation).catch(() => undefined)
      if (seen && isAccepted(seen)) asks.push([operation, await validAsks[operation](t)])
    }
    return t.during('unavailable', {}, async () => {
      const answers: Exchange[] = []
      for (const [operation, ask] of asks) answers.push(await t.call(operation, { ...ask, takes: [503] }))
      return answers
    })
  })
