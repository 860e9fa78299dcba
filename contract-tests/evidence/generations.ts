/** Generations: accepted, refused and failed ones, shared among requirements. */

import { type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted } from '../harness/expect.ts'
import { providerFault } from '../harness/provider-states.ts'
import {
  assumeCredits,
  creditsOnceSpent,
  ensureCredits,
  lastingCredits,
  readCredits,
  restingCredits,
  settledCredits,
} from './credits.ts'
import { anotherKey } from './key-use.ts'
import { throwIfAbsent } from './resources.ts'
import { isBusy } from './runs.ts'

/** One generation, with the balance before and after. */
export const generation = (t: TestContext) =>
  t.evidence('creative', async () => {
    t.budget.allow(1)
    const before = await assumeCredits(t, 1)
    const exchange = await generate(t)
    const after = isAccepted(exchange)
      ? await creditsOnceSpent(t, 1, before, exchange)
      : await restingCredits(t)
    return { before, exchange, after }
  })

/** A generation without a prompt, after one that was accepted, with the balance before and after. */
export const refusedGeneration = (t: TestContext) =>
  t.evidence('refused creative', async () => {
    assumeAccepted((await generation(t)).exchange)
    const before = await assumeCredits(t, 1)
    t.budget.allow(1)
    const exchange = await t.call('generateCreative', { body: {} })
    if (isAccepted(exchange)) t.budget.spend(1)
    return { before, exchange, after: await restingCredits(t) }
  })

/** Generations of the failed one's evidence: it, one beside it, and the same again. */
const several = 3

/**
 * A generation that a provider state made fail, with another key, beside one and before a third with the main key if there are credits for them;
 * `before`: the balance less what was accepted.
 */
export const failedGeneration = (t: TestContext) =>
  t.evidence('failed creative', async () => {
    t.budget.allow(1)
    const balance = await assumeCredits(t, 1)
    const isAlone = t.budget.left < several || (await ensureCredits(t, several)) < several
    const at = isAlone ? balance : await readCredits(t)
    const other = await anotherKey(t)
    const answers = await t.during('next_creative_fails', {}, () =>
      Promise.all(Array.from({ length: isAlone ? 1 : 2 }, () => generate(t, other))),
    )
    const exchange = answers.find((one) => !isAccepted(one))
    if (!exchange) throw providerFault('with "next_creative_fails" the generation succeeds')
    const beside = answers.find(isAccepted)
    if (beside) answers.push(await generate(t, t.main, promptOf(beside)))
    if (answers.some(isBusy)) throw new NotExercised('a generation had to wait')
    const kept = answers.filter(isAccepted)
    const after = await settledCredits(t, at - kept.length, 'the refund of a generation')
    return { before: at, exchange, kept, after, finalBalance: await lastingCredits(t, after) }
  })

const promptOf = ({ requestBody = '{}' }: Exchange) => String(field(JSON.parse(requestBody), 'prompt'))

/** Requests a generation and counts its cost. */
export async function generate(
  t: TestContext,
  client: Pick<Client, 'call'> = t.main,
  prompt = t.name("A baker's blue square 🚀, 青い四角"),
): Promise<Exchange> {
  const exchange = await client.call('generateCreative', { body: { prompt } })
  throwIfAbsent(t, exchange)
  if (isAccepted(exchange)) t.budget.spend(1)
  return exchange
}
