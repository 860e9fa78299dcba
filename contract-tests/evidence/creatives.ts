/** Paid generations, each with the balance before and after, shared among all that ask about it. */
import { type Exchange, isAccepted } from '../exchange.ts'
import { NotExercised } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { throwIfAbsent } from './calls.ts'
import { lastingCredits, needCredits, readCredits, restingCredits, settledCredits } from './credits.ts'

/** One generation, with the balance before and after. */
export const generation = (kit: Kit) =>
  kit.evidence('creative', async () => {
    kit.budget.allow(1)
    await needCredits(kit, 1)
    const before = await readCredits(kit)
    const exchange = await generate(kit)
    return { before, exchange, after: await restingCredits(kit) }
  })

/** A generation that was made to fail. */
export const failedGeneration = (kit: Kit) =>
  kit.evidence('failed creative', async () => {
    kit.budget.allow(1)
    await needCredits(kit, 1)
    const before = await readCredits(kit)
    const exchange = await kit.during('next_creative_fails', {}, () => generate(kit))
    if (isAccepted(exchange))
      throw new NotExercised(
        `the provider's set-up is at fault: with "next_creative_fails" the generation succeeds`,
      )
    const after = await settledCredits(kit, before)
    return { before, exchange, after, later: await lastingCredits(kit) }
  })

/** Asks for a generation, and counts what it costs. */
export async function generate(kit: Kit): Promise<Exchange> {
  const exchange = await kit.call('generateCreative', { body: { prompt: kit.name('A blue square') } })
  throwIfAbsent(kit, 'generateCreative', exchange)
  if (isAccepted(exchange)) kit.budget.spend(1)
  return exchange
}
