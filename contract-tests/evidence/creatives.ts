/** Paid generations with the balance before and after, shared among requirements. */
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import { providerFault } from '../harness/provider-states.ts'
import { assumeCredits, creditsOnceSpent, lastingCredits, restingCredits, settledCredits } from './credits.ts'
import { throwIfAbsent } from './resources.ts'

/** One generation, with the balance before and after. */
export const generation = (t: TestContext) =>
  t.evidence('creative', async () => {
    t.budget.allow(1)
    const before = await assumeCredits(t, 1)
    const exchange = await generate(t)
    const resting = () => restingCredits(t)
    const after = isAccepted(exchange)
      ? await creditsOnceSpent(t, 1, before, exchange, resting)
      : await resting()
    return { before, exchange, after }
  })

/** A generation that a provider state made fail. */
export const failedGeneration = (t: TestContext) =>
  t.evidence('failed creative', async () => {
    t.budget.allow(1)
    const before = await assumeCredits(t, 1)
    const exchange = await t.during('next_creative_fails', {}, () => generate(t))
    if (isAccepted(exchange)) throw providerFault('with "next_creative_fails" the generation succeeds')
    const after = await settledCredits(t, before, 'the refund of a generation')
    return { before, exchange, after, finalBalance: await lastingCredits(t) }
  })

/** Requests a generation and counts its cost. */
export async function generate(t: TestContext): Promise<Exchange> {
  const exchange = await t.call('generateCreative', { body: { prompt: t.name('A blue square') } })
  throwIfAbsent(t, exchange)
  if (isAccepted(exchange)) t.budget.spend(1)
  return exchange
}
