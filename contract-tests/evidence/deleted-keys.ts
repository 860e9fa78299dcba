/** Keys that were created, used and deleted, and what they are answered afterwards. */
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { assumeAccepted } from '../harness/expect.ts'
import { oldestAndNewest, type WorkingKey } from './fellow-keys.ts'
import { callEverywhere, runUnknown, workingKey } from './key-use.ts'
import { assumeOwnSecret, deleteKey, type NewKey, newKey } from './keys.ts'
import { afterDeletion, keyListWith } from './late-effects.ts'

/**
 * The oldest of several keys and then the newest are deleted: each deletion, with the responses to the key after it,
 * and the list after the second.
 */
export const deletedKeys = (t: TestContext) =>
  t.evidence('deleted keys', async () => {
    const [oldest, newest] = await oldestAndNewest(t)
    const deletion = assumeAccepted(await deleteKey(t, oldest.key))
    const first = { key: oldest.key, deletion, answers: [await lookAfter(t, oldest, deletion)] }
    if (first.answers.some(isAccepted)) return [first] as const
    const then = assumeAccepted(await deleteKey(t, newest.key))
    const list = await keyListWith(t, [newest.key], 'unlisted').catch(() => undefined)
    const answer = await lookAfter(t, newest, then)
    const everywhere = [...(await callEverywhere(t, newest.value)), await runUnknown(t, newest.value)]
    return [first, { key: newest.key, deletion: then, list, answers: [answer, ...everywhere] }] as const
  })

/** A key that is created when others were deleted, with the name of one of them if any were. */
export const laterKey = (t: TestContext) =>
  t.evidence('later key', async () => {
    const gone = await deletedKeys(t).catch(() => undefined)
    return { isNamesake: gone !== undefined, key: await newKey(t, gone?.[0].key.name) }
  })

/** The response of whoami to a deleted key, which it may still accept for a moment. */
function lookAfter(t: TestContext, { key, value }: WorkingKey, deletion: Exchange): Promise<Exchange> {
  assumeOwnSecret(t, key)
  return afterDeletion(t, deletion, () => t.as('created key', bearer(value)).call('whoami'))
}

/** Deletes a key that works, and once more when it is refused. */
export async function deleteTwice(t: TestContext, key: NewKey): Promise<void> {
  const { value } = await workingKey(t, key)
  const deletion = assumeAccepted(await deleteKey(t, key))
  await afterDeletion(t, deletion, () => t.as('created key', bearer(value)).call('whoami'))
  await deleteKey(t, key)
}
