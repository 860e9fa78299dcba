/** §8.1: how far the limit of a key reaches: to routes that cost a credit too, and to no other key. */

import { brief, type Exchange } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/finding.ts'
import { waitOf } from '../client/retry-after.ts'
import { throwIfAbsent } from '../evidence/calls.ts'
import { needCredits } from '../evidence/credits.ts'
import { workingKey } from '../evidence/key-use.ts'
import { newKey } from '../evidence/keys.ts'
import { newTask } from '../evidence/resources.ts'
import { isTaken, rest, waitForEnd } from '../evidence/runs.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { expectThat } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'
import { exceed, longWindow, needLimited, refused, tookEffect } from './limits.ts'

const takes = [429] as const

/** Valid requests after which a limit of one must have been felt; each may cost a credit. */
const most = 3

type Paid = (at: number) => Promise<Exchange>

/** What a valid request that costs a credit is answered beyond a limit of one. */
async function beyondOne(t: TestContext, ask: Paid): Promise<Exchange> {
  return t.during('rate_limit', { limit: 1, window_s: longWindow }, async () => {
    for (let at = 0; ; at++) {
      t.budget.allow(1)
      const exchange = await ask(at)
      if (isTaken(exchange)) t.budget.spend(1)
      throwIfAbsent(t, exchange.operation, exchange)
      if (exchange.status === 429 || at === most - 1) return exchange
      if (at === 0 && !isTaken(exchange))
        throw new NotExercised(`${exchange.operation} was not accepted (${brief(exchange)})`)
    }
  })
}

/** Judges that a request that costs a credit is limited as well. */
async function expectLimited(t: TestContext, ask: Paid): Promise<void> {
  await rest(t)
  await needCredits(t, most)
  const last = await beyondOne(t, ask)
  if (last.status === 429) return
  if (!(await tookEffect(t)))
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
    async (t) => {
      const tasks = [await newTask(t), await newTask(t), await newTask(t)] as const
      const started: string[] = []
      try {
        await expectLimited(t, async (at) => {
          const { id } = tasks[at % most] ?? tasks[0]
          const exchange = await t.call('runTask', { id, takes })
          if (isTaken(exchange)) started.push(id)
          return exchange
        })
      } finally {
        for (const id of started) await waitForEnd(t, id)
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
    (t) =>
      expectLimited(t, () =>
        t.call('generateCreative', { body: { prompt: t.name('A blue square') }, takes }),
      ),
    traits,
  ),

  probe(
    'LIMIT-RETRY-AFTER',
    'MUST',
    '§8.1',
    null,
    'Every 429 carries Retry-After, in seconds or as an HTTP date (RFC 9110 §10.2.3).',
    async (t) => {
      await refused(t)
      for (const exchange of t.recorder.exchanges.filter(({ status }) => status === 429)) {
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
    async (t) => {
      const { value } = await workingKey(t, await newKey(t))
      const sibling = t.as('created key', bearer(value))
      const { last, answer } = await t.during('rate_limit', { limit: 3, window_s: longWindow }, async () => ({
        last: await exceed(t.main, 'whoami', {}),
        answer: await sibling.call('whoami', { takes }),
      }))
      needLimited(last)
      expectThat(answer.status !== 429, 'any answer but 429', brief(answer), last, answer)
    },
    { alone: true, quiet: true, writes: true, needs: ['session', 'state:rate_limit'] },
  ),
]
