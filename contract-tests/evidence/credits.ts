/** Balances: what can be spent, as `whoami` tells it. */
import type { Client } from '../client.ts'
import { type Exchange, field } from '../exchange.ts'
import type { Kit } from '../kit.ts'
import { need, needAccepted } from '../words.ts'

/** `credits` of an answer. */
export function creditsIn(exchange: Exchange): number {
  const credits = field(exchange.json, 'credits')
  return need(typeof credits === 'number' ? credits : undefined, 'credits')
}

/** What the organization of a caller can spend now. */
export async function readCredits(kit: Kit, client: Client = kit.main): Promise<number> {
  return creditsIn(needAccepted(await client.call('whoami')))
}

/** Waits until the balance is that, as long as a refund may take; answers the last one seen. */
export async function settledCredits(kit: Kit, wanted: number): Promise<number> {
  let seen = await readCredits(kit)
  await kit.until(kit.settings.runTimeout, async () => {
    if (seen === wanted) return true
    seen = await readCredits(kit)
    return undefined
  })
  return seen
}

/** The balance when it has come to rest: read until it is told twice. */
export async function restingCredits(kit: Kit): Promise<number> {
  let last = await readCredits(kit)
  for (let i = 0; i < 5; i++) {
    await kit.target.sleep(30)
    const now = await readCredits(kit)
    if (now === last) return now
    last = now
  }
  return last
}

/** Sees to it that the organization can pay, by a state where it cannot and the state is offered. */
export async function ensureCredits(kit: Kit, wanted: number): Promise<number> {
  const before = await readCredits(kit)
  if (before >= wanted || !kit.states.mayOffer('credits')) return before
  await kit.states.setup('credits', { org_id: await kit.orgId(), credits: wanted })
  return readCredits(kit)
}
