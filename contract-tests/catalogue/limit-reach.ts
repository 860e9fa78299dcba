/** §8.1: how far the limit of a key reaches: to routes that cost a credit too, and to no other key. */
import { throwIfAbsent } from '../evidence/calls.ts'
import { needCredits } from '../evidence/credits.ts'
import { workingKey } from '../evidence/key-use.ts'
import { newKey } from '../evidence/keys.ts'
import { newTask } from '../evidence/resources.ts'
import { isTaken, rest, waitForEnd } from '../evidence/runs.ts'
import { brief, type Exchange } from '../exchange.ts'
import { NotExercised, Violation } from '../finding.ts'
import { bearer, type Kit } from '../kit.ts'
import { probe, type Requirement } from '../requirement.ts'
import { waitOf } from '../retry-after.ts'
import { expectThat } from '../words.ts'
import { exceed, longWindow, needLimited, refused, tookEffect } from './limits.ts'

const takes = [429] as const

/** Valid requests after which a limit of one must have been felt; each may cost a credit. */
const most = 3

type Paid = (at: number) => Promise<Exchange>

/** What a valid request that costs a credit is answered beyond a limit of one. */
async function beyondOne(kit: Kit, ask: Paid): Promise<Exchange> {
  return kit.during('rate_limit', { limit: 1, window_s: longWindow }, async () => {
    for (let at = 0; ; at++) {
      kit.budget.allow(1)
      const exchange = await ask(at)
      if (isTaken(exchange)) kit.budget.spend(1)
      throwIfAbsent(kit, exchange.operation, exchange)
      if (exchange.status === 429 || at === most - 1) return exchange
      if (at === 0 && !isTaken(exchange))
        throw new NotExercised(`${exchange.operation} was not accepted (${brief(exchange)})`)
    }
  })
}

/** Judges that a request that costs a credit is limited as well. */
async function expectLimited(kit: Kit, ask: Paid): Promise<void> {
  await rest(kit)
  await needCredits(kit, most)
  const last = await beyondOne(kit, ask)
  if (last.status === 429) return
  if (!(await tookEffect(kit)))
    throw new NotExercised(
      `the provider's set-up is at fault: with the state "rate_limit" nothing is limited`,
    )
  throw new Violation(`429 by request ${most}, with a limit of 1`, brief(last), last)
}

const traits = { writes: true, alone: true, cost: most, needs: ['state:rate_limit'] } as const

export const limitReach: Requirement[] = [
  probe(
    'LIMIT-runTask',
    'MUST',
    '§8.1',
    'runTask',
    'runTask is rate-limited: beyond the limit of the key it answers 429.',
    async (kit) => {
      const tasks = [await newTask(kit), await newTask(kit), await newTask(kit)] as const
      const started: string[] = []
      try {
        await expectLimited(kit, async (at) => {
          const { id } = tasks[at % most] ?? tasks[0]
          const exchange = await kit.call('runTask', { id, takes })
          if (isTaken(exchange)) started.push(id)
          return exchange
        })
      } finally {
        for (const id of started) await waitForEnd(kit, id)
      }
    },
    traits,
  ),

  probe(
    'LIMIT-generateCreative',
    'MUST',
    '§8.1',
    'generateCreative',
    'generateCreative is rate-limited: beyond the limit of the key it answers 429.',
    (kit) =>
      expectLimited(kit, () =>
        kit.call('generateCreative', { body: { prompt: kit.name('A blue square') }, takes }),
      ),
    traits,
  ),

  probe(
    'LIMIT-RETRY-AFTER',
    'MUST',
    '§8.1',
    null,
    'Every 429 carries Retry-After, in seconds or as an HTTP date (RFC 9110 §10.2.3).',
    async (kit) => {
      await refused(kit)
      for (const exchange of kit.recorder.exchanges.filter(({ status }) => status === 429)) {
        const value = exchange.headers['retry-after']
        expectThat(
          waitOf(value, exchange.headers.date) !== undefined,
          'Retry-After: whole seconds, or an HTTP date',
          value ?? 'no such header',
          exchange,
        )
      }
    },
    { alone: true },
  ),

  probe(
    'LIMIT-SAME-ORGANIZATION',
    'MUST',
    '§8.1',
    null,
    'The limit is for each key: another key of the same organization is answered meanwhile.',
    async (kit) => {
      const { value } = await workingKey(kit, await newKey(kit))
      const sibling = kit.as('created key', bearer(value))
      const { last, answer } = await kit.during(
        'rate_limit',
        { limit: 3, window_s: longWindow },
        async () => ({
          last: await exceed(kit.main, 'whoami', {}),
          answer: await sibling.call('whoami', { takes }),
        }),
      )
      needLimited(last)
      expectThat(answer.status !== 429, 'any answer but 429', brief(answer), last, answer)
    },
    { alone: true, quiet: true, writes: true, needs: ['session', 'state:rate_limit'] },
  ),
]
