/** A key that nobody deletes and that stops working when others are created, as where only the newest few are kept. */
import { brief } from '#traffic/exchange.ts'
import { Violation } from '../client/check-errors.ts'
import { newClient } from '../evidence/key-use.ts'
import { newKey } from '../evidence/keys.ts'
import type { TestContext } from '../harness/context.ts'

/** Keys that are created to see whether an earlier one survives. */
const most = 12

/** Looks for it where the run has seen a key refused that it had not deleted: somebody else may have. */
export async function findLostKey(t: TestContext): Promise<Violation | undefined> {
  const objections = await t.run.objections()
  if (!t.settings.sessionCookie || !objections.some(({ rule }) => rule === 'living-key-works'))
    return undefined
  // Nobody else deletes a key at the right moment twice.
  return (await lostKey(t)) && lostKey(t)
}

async function lostKey(t: TestContext): Promise<Violation | undefined> {
  const { key, client } = await newClient(t)
  for (let count = 1; count <= most; count++) {
    const { exchange } = await newKey(t)
    const answer = await client.call('whoami')
    if (answer.status !== 401) continue
    const actual = `${brief(answer)} once ${count} more ${count === 1 ? 'was' : 'were'} created`
    return new Violation('a key that works until it is deleted', actual, key.exchange, exchange, answer)
  }
  return undefined
}
