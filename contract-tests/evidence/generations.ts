/** Generations: accepted, refused and failed ones, shared among requirements. */

import { type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import { parsed } from '#traffic/json-bounds.ts'
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
import { acceptedIn, throwIfAbsent } from './resources.ts'
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

/**
 * Generations with every field, or with a label alone where that is refused as bad input: the answer to each. One that
 * fails is requested again, since any may fail.
 */
export const fullGenerations = (t: TestContext) =>
  t.evidence('full creatives', async () => {
    const label = t.name('Label')
    const fields = { size: '1024x1024', quality: 'high', angle: 'front', format: 'png' }
    const answers: Exchange[] = []
    for (const more of [{ ...fields, label }, { label }]) {
      const ask = () => {
        t.budget.allow(1)
        return generate(t, t.main, { prompt: t.name('A blue square'), ...more })
      }
      const first = await ask()
      const answer = first.status >= 500 ? await ask() : first
      // Somebody else may have spent the credits.
      if (answer.status === 402) await assumeCredits(t, 1)
      answers.push(answer)
      if (![400, 422].includes(answer.status)) break
    }
    return answers
  })

/** Generations of the failed one's evidence: it, one beside it, and one with every field. */
const several = 3

/**
 * A generation that a provider state made fail, with another key, beside one with a prompt that was sent before, and
 * before a third with the main key if there are credits for them; `before`: the balance less what was accepted.
 */
export const failedGeneration = (t: TestContext) =>
  t.evidence('failed creative', async () => {
    t.budget.allow(1)
    const balance = await assumeCredits(t, 1)
    const isAlone = t.budget.left < several || (await ensureCredits(t, several)) < several
    const at = isAlone ? balance : await readCredits(t)
    const other = await anotherKey(t)
    const made = acceptedIn(t, 'generateCreative').map(({ requestBody }) => parsed(requestBody))
    const known = made.map((body) => field(body, 'prompt')).find((one) => typeof one === 'string')
    const bodies = [{}, ...(isAlone ? [] : [known === undefined ? {} : { prompt: known }])]
    const answers = await t.during('next_creative_fails', {}, () =>
      Promise.all(bodies.map((body) => generate(t, other, body))),
    )
    const exchange = answers.find((one) => !isAccepted(one))
    if (!exchange) throw providerFault('with "next_creative_fails" the generation succeeds')
    if (answers.some(isAccepted)) answers.push(...(await fullGenerations(t)))
    if (answers.some(isBusy)) throw new NotExercised('a generation had to wait')
    const kept = answers.filter(isAccepted)
    const after = await settledCredits(t, at - kept.length, 'the refund of a generation')
    return { before: at, exchange, kept, after, finalBalance: await lastingCredits(t, after) }
  })

/** Requests a generation and counts its cost. */
export async function generate(
  t: TestContext,
  client: Pick<Client, 'call'> = t.main,
  body: Readonly<Record<string, string>> = {},
): Promise<Exchange> {
  const prompt = t.name("A baker's blue square 🚀, 青い四角")
  const exchange = await client.call('generateCreative', { body: { prompt, ...body } })
  throwIfAbsent(t, exchange)
  if (isAccepted(exchange)) t.budget.spend(1)
  return exchange
}
