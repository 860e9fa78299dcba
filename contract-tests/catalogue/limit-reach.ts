/** §8.1: the limit of a key applies to paid routes too, and to no other key. */

import { brief, type Exchange } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/check-errors.ts'
import { assumeLimitTookEffect } from '../evidence/beyond-limit.ts'
import { assumeCredits } from '../evidence/credits.ts'
import { workingKey } from '../evidence/key-use.ts'
import { newKey } from '../evidence/keys.ts'
import { oneLimit } from '../evidence/one-limit.ts'
import { assumeNewCounters, duringLimit, expectNotLimited, expectUnlimited } from '../evidence/rate-limit.ts'
import { newTask, throwIfAbsent } from '../evidence/resources.ts'
import { isTaken, spendingElsewhere, waitForEnd, waitForIdleAgent } from '../evidence/runs.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { must, type Requirement } from '../harness/requirement.ts'

const takes = [429] as const

/** Valid requests after which a limit of one must take effect; each may cost a credit. */
const most = 3

type Paid = (at: number) => Promise<Exchange>

/** The response to a valid paid request beyond a limit of one. */
async function beyondOne(t: TestContext, send: Paid): Promise<Exchange> {
  return duringLimit(t, 1, async () => {
    for (let at = 0; ; at++) {
      t.budget.allow(1)
      const exchange = await send(at)
      if (isTaken(exchange)) t.budget.spend(1)
      throwIfAbsent(t, exchange)
      if (at === 0) assumeNewCounters(exchange)
      if (exchange.status === 429 || at === most - 1) return exchange
      if (at === 0 && !isTaken(exchange))
        throw new NotExercised(`${exchange.operation} was not accepted (${brief(exchange)})`)
    }
  })
}

/** Requires a paid request to be limited too. */
async function expectLimited(t: TestContext, send: Paid): Promise<void> {
  const last = await spendingElsewhere(t, async () => {
    await waitForIdleAgent(t)
    await assumeCredits(t, most)
    return beyondOne(t, send)
  })
  if (last.status === 429) return
  await assumeLimitTookEffect(t)
  throw new Violation(`429 by request ${most}, with a limit of 1`, brief(last), last)
}

const traits = { writes: true, alone: true, cost: most, needs: ['state:rate_limit'] } as const

export const limitReach: Requirement[] = [
  must('LIMIT-runTask', '§8.1', 'runTask', traits)
    .states('runTask is rate-limited: it returns 429 once the key has exceeded its limit.')
    .check(async (t) => {
      const shared = t.run.overlapped ? (await oneLimit(t)).run : undefined
      if (shared?.answer.status === 429) return
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
        // Nothing follows in the second organization.
        if (!t.first) for (const id of started) await waitForEnd(t, id)
      }
    }),

  must('LIMIT-generateCreative', '§8.1', 'generateCreative', traits)
    .states('generateCreative is rate-limited: it returns 429 once the key has exceeded its limit.')
    .check(async (t) => {
      const shared = t.run.overlapped ? (await oneLimit(t)).creative : undefined
      if (shared) throwIfAbsent(t, shared)
      if (shared?.status === 429) return
      await expectLimited(t, () =>
        t.call('generateCreative', { body: { prompt: t.name('A blue square') }, takes }),
      )
    }),

  must('LIMIT-SAME-ORGANIZATION', '§8.1', null, {
    alone: true,
    quiet: true,
    writes: true,
    needs: ['session', 'state:rate_limit'],
  })
    .states('Exceeding the limit of one key does not limit another key of the same organization.')
    .check(async (t) => {
      const { limited, sameOrganization } = t.run.overlapped ? await oneLimit(t) : {}
      if (limited && sameOrganization) return expectNotLimited(limited, sameOrganization)
      const { value } = await workingKey(t, await newKey(t))
      return expectUnlimited(t, t.as('created key', bearer(value)))
    }),
]
