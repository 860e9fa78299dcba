/** Paid generations, each with the balance before and after, shared among all that ask about it. */
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/finding.ts'
import type { TestContext } from '../harness/context.ts'
import { throwIfAbsent } from './calls.ts'
import { lastingCredits, needCredits, readCredits, restingCredits, settledCredits } from './credits.ts'

/** One generation, with the balance before and after. */
export const generation = (t: TestContext) =>
  t.evidence('creative', async () => {
    t.budget.allow(1)
    await needCredits(t, 1)
    const before = await readCredits(t)
    const exchange = await generate(t)
    return { before, exchange, after: await restingCredits(t) }
  })

/** A generation that was made to fail. */
export const failedGeneration = (t: TestContext) =>
  t.evidence('failed creative', async () => {
    t.budget.allow(1)
    await needCredits(t, 1)
    const before = await readCredits(t)
    const exchange = await t.during('next_creative_fails', {}, () => generate(t))
    if (isAccepted(exchange))
      throw new NotExercised(
        `the provider's set-up is at fault: with "next_creative_fails" the generation succeeds`,
      )
    const after = await settledCredits(t, before)
    return { before, exchange, after, later: await lastingCredits(t) }
  })

/** Asks for a generation, and counts what it costs. */
export async function generate(t: TestContext): Promise<Exchange> {
  const exchange = await t.call('generateCreative', { body: { prompt: t.name('A blue square') } })
  throwIfAbsent(t, 'generateCreative', exchange)
  if (isAccepted(exchange)) t.budget.spend(1)
  return exchange
}
