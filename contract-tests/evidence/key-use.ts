/** Requests that show whether a key works. */
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised } from '../client/check-errors.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { assumeNoError, assumePresent } from '../harness/expect.ts'
import { unknownLike } from './ids.ts'
import type { NewKey } from './keys.ts'
import { newKey } from './keys.ts'
import { keyListWith } from './late-effects.ts'
import { sharedTask } from './resources.ts'
import { positiveControl, validRequests } from './valid-requests.ts'

/** The first string of a createKey response that works as a key, with the response of whoami to it. */
export async function workingBearer(
  t: TestContext,
  key: Pick<NewKey, 'candidates'>,
): Promise<{ value: string; exchange: Exchange } | undefined> {
  for (const value of key.candidates) {
    if (!/^[\x21-\x7e]+$/.test(value)) continue
    const exchange = await t.as('created key', bearer(value)).call('whoami')
    if (isAccepted(exchange)) return { value, exchange }
    assumeNoError(exchange)
  }
  return undefined
}

/** The string of a created key that works. KEY-WORKS tests that there is one. */
export async function workingKey(t: TestContext, key: NewKey) {
  return assumePresent(await workingBearer(t, key), 'a created key that works')
}

/** A new key, used at once, and the list of keys afterwards. No requirement deletes it. */
export const usedKey = (t: TestContext) =>
  t.evidence('key', async () => {
    const key = await newKey(t)
    const working = await workingBearer(t, key)
    return { key, working, list: await keyListWith(t, [key]) }
  })

/** That key. Continues only if it works. */
export async function assumeUsedKey(t: TestContext) {
  const { key, working, list } = await usedKey(t)
  return { key, list, ...assumePresent(working, 'a created key that works') }
}

/** Harmless operations that show whether a key is accepted. */
const harmless = [
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

/** Calls each of them that accepts the main key with another key. */
export async function callEverywhere(t: TestContext, value: string): Promise<Exchange[]> {
  const client = t.as('created key', bearer(value))
  const call = async (operation: (typeof harmless)[number]) => {
    const seen = await positiveControl(t, operation).catch(absent)
    return seen && isAccepted(seen) ? client.call(operation, await validRequests[operation](t)) : undefined
  }
  const answers = await Promise.all(harmless.map(call))
  return answers.filter((one) => one !== undefined)
}

/** Skips what is not offered or cannot be exercised. */
function absent(error: unknown): undefined {
  if (error instanceof NotApplicable || error instanceof NotExercised) return undefined
  throw error
}

/** Requests a run of a task that does not exist: the response shows whether the key is accepted. */
export async function runUnknown(t: TestContext, value: string): Promise<Exchange> {
  const id = unknownLike((await sharedTask(t)).id)
  return t.as('created key', bearer(value)).call('runTask', { id })
}
