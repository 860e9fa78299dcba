/** What a key opens, and what it must not. */
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised } from '../client/finding.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { need } from '../harness/expect.ts'
import { firstTwin, validAsks } from './calls.ts'
import { unknownLike } from './ids.ts'
import type { NewKey } from './keys.ts'
import { sharedTask } from './resources.ts'

/** The first string of a key creation that opens a key route, with the answer that it got. */
export async function workingBearer(
  t: TestContext,
  key: NewKey,
): Promise<{ value: string; exchange: Exchange } | undefined> {
  for (const value of key.candidates) {
    if (!/^[\x21-\x7e]+$/.test(value)) continue
    const exchange = await t.as('created key', bearer(value)).call('whoami')
    if (isAccepted(exchange)) return { value, exchange }
  }
  return undefined
}

/** A created key that works. What is wrong where it does not is KEY-WORKS's business. */
export async function workingKey(t: TestContext, key: NewKey) {
  return need(await workingBearer(t, key), 'a created key that works')
}

/** Operations that tell whether a key is taken, and do no harm. */
const everywhere = [
  'listTasks',
  'createTask',
  'getTask',
  'listDocuments',
  'getDocument',
  'createDocument',
  'listNotifications',
  'listLeads',
  'listLandingPages',
  'listCampaigns',
  'getInsights',
  'getWallet',
  'getBilling',
] as const

/** Asks those of them that accept the key of the run with another key. */
export async function askEverywhere(t: TestContext, value: string): Promise<Exchange[]> {
  const client = t.as('created key', bearer(value))
  const answers: Exchange[] = []
  for (const operation of everywhere) {
    const seen = await firstTwin(t, operation).catch(absent)
    if (seen && isAccepted(seen)) answers.push(await client.call(operation, await validAsks[operation](t)))
  }
  return answers
}

/** What is not offered, or not to be had, is not asked for. */
function absent(error: unknown): undefined {
  if (error instanceof NotApplicable || error instanceof NotExercised) return undefined
  throw error
}

/** A run of a task that nobody has: what it answers tells whether the key is taken. */
export async function runUnknown(t: TestContext, value: string): Promise<Exchange> {
  const id = unknownLike((await sharedTask(t)).id)
  return t.as('created key', bearer(value)).call('runTask', { id })
}

/** Keys that differ from one by little, and are nobody's. */
export function similarTo(value: string): string[] {
  const last = value.at(-1) === 'a' ? 'b' : 'a'
  const swapped = value.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  const half = Math.floor(value.length / 2)
  const middle = value.slice(0, half) + (value[half] === 'a' ? 'b' : 'a') + value.slice(half + 1)
  const similar = [value.slice(0, -1) + last, `${value}x`, value.slice(0, -1), swapped, middle]
  return similar.filter((one) => one !== value)
}
