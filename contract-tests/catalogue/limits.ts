/** §7.2, §7.3, §8.1: rate limits for each key, and temporary unavailability. */
import type { OperationId } from '#contract/operation.ts'
import type { Ask, Client } from '../client.ts'
import { type FreeOperation, twin, validAsks } from '../evidence/calls.ts'
import { sharedKey } from '../evidence/resources.ts'
import { brief, type Exchange, isAccepted } from '../exchange.ts'
import { NotExercised, Violation } from '../finding.ts'
import { bearer, type Kit } from '../kit.ts'
import { probe, type Requirement } from '../requirement.ts'
import { waitOf } from '../retry-after.ts'
import { expectAccepted, expectRefused, expectThat, refusals } from '../words.ts'
import { creates, freeOperations, keyOperations } from './families.ts'

const limit = 3
/** Long enough, s, that no window turns while a check counts. */
const longWindow = 600
/** Short enough, s, to wait for. */
const shortWindow = 2

/** Asks until a 429, at most so often; answers the last. */
async function exceed(client: Client, operation: OperationId, ask: Ask, most: number): Promise<Exchange> {
  let last = await client.call(operation, { ...ask, asIs: true })
  for (let i = 1; i < most && last.status !== 429; i++)
    last = await client.call(operation, { ...ask, asIs: true })
  return last
}

/** Free operations that a key opens; a run or a generation is no request to repeat for a limit's sake. */
const limited = freeOperations.filter((operation) => keyOperations.includes(operation))

/** What each operation answers beyond the limit, under one arranged limit after the other. */
const beyondLimit = (kit: Kit, operation: FreeOperation) =>
  kit.evidence(`beyond limit ${operation}`, async () => {
    await twin(kit, operation)
    const ask = await validAsks[operation](kit)
    return kit.during('rate_limit', { limit, window_s: longWindow }, () =>
      exceed(kit.main, operation, ask, limit + 1),
    )
  })

/** Whether the arranged limit took effect on any operation: else the provider's set-up is at fault. */
async function tookEffect(kit: Kit): Promise<boolean> {
  for (const operation of ['whoami', 'listTasks', 'listDocuments'] as const) {
    if ((await beyondLimit(kit, operation).catch(() => undefined))?.status === 429) return true
  }
  return false
}

const eachRoute = limited.map((operation) => {
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
    async (kit) => {
      const last = await beyondLimit(kit, operation)
      if (last.status === 429) return
      if (!(await tookEffect(kit)))
        throw new NotExercised(
          `the provider's set-up is at fault: with the state "rate_limit" nothing is limited`,
        )
      throw new Violation(`429 by request ${limit + 1} of ${limit}`, brief(last), last)
    },
    { alone: true, writes: creates(operation), needs },
  )
})

/** A 429, met by a state, or by asking often where that is allowed. */
const refused = (kit: Kit) =>
  kit.evidence('429', async () => {
    if (kit.states.mayOffer('rate_limit')) {
      const last = await beyondLimit(kit, 'whoami')
      if (last.status !== 429) throw new NotExercised(`whoami is not limited (${brief(last)})`)
      return last
    }
    const most = kit.settings.probeRateLimit
    if (most < 1)
      throw new NotExercised(
        'it needs a 429',
        'the state "rate_limit" at the states URL, or --probe-rate-limit N',
      )
    const last = await exceed(kit.main, 'whoami', {}, most)
    if (last.status !== 429)
      throw new NotExercised(`${most} requests met no 429`, `--probe-rate-limit ${most * 2}`)
    return last
  })

/** A 429 whose window is short, and the same request after waiting as long as it says. */
const waited = (kit: Kit) =>
  kit.evidence('429 waited out', async () => {
    const meet = async () => {
      const arranged = kit.states.mayOffer('rate_limit')
      const last = arranged ? await exceed(kit.main, 'whoami', {}, limit + 1) : await refused(kit)
      if (last.status !== 429) throw new NotExercised(`whoami is not limited (${brief(last)})`)
      const wait = waitOf(last.headers['retry-after'], last.headers.date)
      if (wait === undefined) throw new NotExercised('Retry-After is missing or of no form')
      if (wait > kit.settings.runTimeout)
        throw new NotExercised(`Retry-After is ${wait / 1_000} s, longer than --run-timeout`)
      await kit.target.sleep(wait)
      return kit.call('whoami', { asIs: true })
    }
    return kit.states.mayOffer('rate_limit')
      ? kit.during('rate_limit', { limit, window_s: shortWindow }, meet)
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
    async (kit) => {
      expectRefused(await refused(kit), refusals.rateLimited)
    },
    { alone: true },
  ),

  probe(
    'LIMIT-RETRY-AFTER',
    'MUST',
    '§8.1',
    null,
    'A 429 carries Retry-After, in seconds or as an HTTP date (RFC 9110 §10.2.3).',
    async (kit) => {
      const exchange = await refused(kit)
      const value = exchange.headers['retry-after']
      expectThat(
        waitOf(value, exchange.headers.date) !== undefined,
        'Retry-After: whole seconds, or an HTTP date',
        value ?? 'no such header',
        exchange,
      )
    },
    { alone: true },
  ),

  probe(
    'LIMIT-WAITED-OUT',
    'MUST',
    '§7.2',
    null,
    'After waiting as long as Retry-After says, the same request is answered.',
    async (kit) => {
      const later = await waited(kit)
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
    async (kit) => {
      const other = kit.settings.otherApiKey
        ? kit.other
        : kit.as('created key', bearer((await sharedKey(kit)).secret))
      const { last, answer } = await kit.during('rate_limit', { limit, window_s: longWindow }, async () => ({
        last: await exceed(kit.main, 'whoami', {}, limit + 1),
        answer: await other.call('whoami', { asIs: true }),
      }))
      if (last.status !== 429) throw new NotExercised(`whoami is not limited (${brief(last)})`)
      expectThat(answer.status !== 429, 'any answer but 429', brief(answer), last, answer)
    },
    { alone: true, writes: true, needs: ['state:rate_limit'] },
  ),

  probe(
    'UNAVAILABLE-CODE',
    'MUST',
    '§7',
    null,
    'While the service is unavailable, key routes answer 503 unavailable.',
    async (kit) => {
      const answers = await outage(kit)
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
    async (kit) => {
      await outage(kit)
      expectAccepted(await kit.call('whoami'))
    },
    { alone: true, needs: ['state:unavailable'] },
  ),
]

const outage = (kit: Kit) =>
  kit.evidence('outage', () =>
    kit.during('unavailable', {}, async () => [
      await kit.call('whoami', { asIs: true }),
      await kit.call('listTasks', { asIs: true }),
      await kit.call('listDocuments', { asIs: true }),
    ]),
  )
