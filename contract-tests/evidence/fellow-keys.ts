/** Keys that exist side by side, two of them with one name, and what the deletion of one does to the others. */
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { workingBearer, workingKey } from './key-use.ts'
import { deleteKey, type NewKey, newKey, requestKey } from './keys.ts'
import { keyListWith } from './late-effects.ts'

/** A key that works, with the value that does. */
export interface WorkingKey {
  readonly key: NewKey
  readonly value: string
}

async function createWorking(t: TestContext): Promise<WorkingKey> {
  const key = await newKey(t)
  return { key, value: (await workingKey(t, key)).value }
}

/** Keys created before and after one that is to be deleted, and under its name; all of them worked. */
export const fellowKeys = (t: TestContext) =>
  t.evidence('fellow keys', async () => {
    const [older, gone] = [await createWorking(t), await createWorking(t)]
    const answer = await requestKey(t, { name: gone.key.name })
    const after = await t.as('created key', bearer(gone.value)).call('whoami')
    const twin = t.secrets.find(({ shownBy }) => shownBy === answer.number)
    const working = twin && (await workingBearer(t, { candidates: [twin.secret, ...twin.others] }))
    const newer = await createWorking(t)
    const list = await keyListWith(t, [older.key, newer.key]).catch(() => undefined)
    return { older, gone, newer, namesake: { answer, after, working: working?.value }, list }
  })

/** The deletion of that key, and the responses to the others after it, that to the main key last. */
export const oneDeleted = (t: TestContext) =>
  t.evidence('one key deleted', async () => {
    const { older, gone, newer, namesake } = await fellowKeys(t)
    const deletion = await deleteKey(t, gone.key)
    const kept = [older.value, newer.value, ...(namesake.working === undefined ? [] : [namesake.working])]
    const answers: Exchange[] = []
    for (const value of kept) answers.push(await t.as('created key', bearer(value)).call('whoami'))
    return { gone: gone.key, deletion, answers: [...answers, await t.call('whoami')] }
  })

/** The keys before and after it, if both have survived its deletion, else two new ones with a third between them. */
export async function oldestAndNewest(t: TestContext): Promise<readonly [WorkingKey, WorkingKey]> {
  const { answers } = await oneDeleted(t).catch(() => ({ answers: undefined }))
  if (answers?.every(isAccepted)) {
    const { older, newer } = await fellowKeys(t)
    return [older, newer]
  }
  const oldest = await createWorking(t)
  await newKey(t)
  return [oldest, await createWorking(t)]
}
