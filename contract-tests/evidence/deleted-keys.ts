/** Keys that were created, used and deleted, and what they are answered afterwards. */
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { assumeAccepted } from '../harness/expect.ts'
import { callEverywhere, runUnknown, workingKey } from './key-use.ts'
import { assumeOwnSecret, deleteKey, type NewKey, newKey } from './keys.ts'
import { afterDeletion } from './late-effects.ts'

/** The oldest of three keys and then the newest are deleted: each deletion, with the responses to the key after it. */
export const deletedKeys = (t: TestContext) =>
  t.evidence('deleted keys', async () => {
    const [oldest, , newest] = [await newKey(t), await newKey(t), await newKey(t)]
    const old = (await workingKey(t, oldest)).value
    const { value } = await workingKey(t, newest)
    const first = { ...(await deleteUsed(t, oldest, old)), key: oldest }
    if (isAccepted(first.answers[0] as Exchange)) return [first] as const
    const second = await deleteUsed(t, newest, value)
    const everywhere = [...(await callEverywhere(t, value)), await runUnknown(t, value)]
    return [first, { ...second, answers: [...second.answers, ...everywhere] }] as const
  })

/** Deletes a key; continues with the response of whoami to it, which it may still accept for a moment. */
async function deleteUsed(t: TestContext, key: NewKey, value: string) {
  const deletion = assumeAccepted(await deleteKey(t, key))
  assumeOwnSecret(t, key)
  const look = () => t.as('created key', bearer(value)).call('whoami')
  return { deletion, answers: [await afterDeletion(t, deletion, look)] }
}
