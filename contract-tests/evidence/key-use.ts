/** Keys that are used, that exist side by side, and that were deleted: what each is answered. */
import { type Exchange, field, idOf, isAbsent, isAccepted } from '#traffic/exchange.ts'
import { requestedId } from '#traffic/odd-input.ts'
import { skip } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import { bearer, isSendable, type TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeNoError, assumePresent, becauseOf } from '../harness/expect.ts'
import type { MadeKey } from '../harness/run-state.ts'
import { assumeCredits, creditsOnceSpent, restingCredits } from './credits.ts'
import { assumeOwnSecret, deleteKey, entryIn, keyOf, type NewKey, newKey, requestKey } from './keys.ts'
import { afterDeletion, keyListWith } from './late-effects.ts'
import { newDocument, newTask, sharedDocument, sharedTask, unknownLike } from './resources.ts'
import {
  endedRun,
  finishedTask,
  isTaken,
  readTask,
  requestRun,
  waitForEnd,
  waitForIdleAgent,
} from './runs.ts'
import { assumePositiveControl, positiveControl, validRequests } from './valid-requests.ts'

/** Its letters mean the same in either case (RFC 9562). */
const isUuid = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** Texts that are no key, although they are like one. */
export function similarTo(value: string): string[] {
  // Of base64 the last letter may hold but two bits, its first ones.
  const last = /[A-Za-f]$/.test(value) ? '9' : 'A'
  const half = Math.floor(value.length / 2)
  const middle = value.slice(0, half) + (value[half] === 'a' ? 'b' : 'a') + value.slice(half + 1)
  const otherCase = isUuid(value) ? value : swapCase(value)
  const similar = [value.slice(0, -1) + last, `${value}=`, value.slice(0, -1), otherCase, middle]
  return similar.filter((one) => one !== value)
}

/** A text with capitals in place of small letters, and the other way round. */
export function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

/**
 * The first string of a createKey response that works as a key, with the response of whoami to it. One other than
 * `secret` is kept out of reports, too, and what is requested with it is of the same organization.
 */
async function workingBearer(
  t: TestContext,
  { candidates, id, exchange: { number } }: Pick<NewKey, 'candidates' | 'id' | 'exchange'>,
): Promise<{ value: string; exchange: Exchange } | undefined> {
  for (const value of candidates) {
    if (!isSendable(value)) continue
    const exchange = await t.as('created key', bearer(value)).call('whoami')
    if (isAccepted(exchange)) {
      if (!t.secrets.some(({ secret, others }) => [secret, ...others].includes(value)))
        t.secrets.push({ id, secret: value, others: [], shownBy: number })
      return { value, exchange }
    }
    assumeNoError(exchange)
  }
  return undefined
}

/** The string of a created key that works. KEY-WORKS tests that there is one. */
export async function workingKey(t: TestContext, key: NewKey) {
  return assumePresent(await workingBearer(t, key), 'a created key that works')
}

/** A new key, used at once, and the list of keys afterwards; `refused`: the answer to an unusual name, if a plain one was taken instead. No requirement deletes it. */
export const usedKey = (t: TestContext) =>
  t.evidence('key', async () => {
    const answer = await requestKey(t, {
      name: t.name("=Zoë's  “key” +&amp; e\u0301 %20 🚀"),
    })
    const refused = isAccepted(answer) ? undefined : answer
    const key = refused ? await newKey(t) : keyOf(t, answer)
    const working = await workingBearer(t, key)
    return { key, working, refused, list: await keyListWith(t, [key]) }
  })

/** That key. Continues only if it works. */
export async function assumeUsedKey(t: TestContext) {
  const { key, working, list } = await usedKey(t)
  return { key, list, ...assumePresent(working, 'a created key that works') }
}

/** That key. Continues only if it works and is of the organization under test. */
export async function assumeOwnKey(t: TestContext) {
  const used = await assumeUsedKey(t)
  if (await isOfOwnOrganization(t, used.exchange)) return used
  throw becauseOf('KEY-WORKS', 'the created key belongs to another organization')
}

/** A client with another key of the organization, if the run has created one that works; otherwise the main one. */
export async function anotherKey(t: TestContext): Promise<Client> {
  const { working } = (t.run.evidence.has('key') && (await usedKey(t).catch(skip))) || {}
  const isOwn = working && (await isOfOwnOrganization(t, working.exchange))
  return isOwn ? t.as('created key', bearer(working.value)) : t.main
}

/** Whether a response of whoami shows the organization under test. */
export const isOfOwnOrganization = async (t: TestContext, whoami: Exchange) =>
  idOf(field(whoami.json, 'org', 'id')) === (await t.orgId())

/** The main caller and one with another key of the organization, in turn. */
export async function callersInTurn(t: TestContext): Promise<(nth: number) => Client> {
  const other = await anotherKey(t)
  return (nth) => (nth % 2 === 0 ? t.main : other)
}

/** A new key that works, the response of whoami to it, and a client with it. */
export async function newClient(t: TestContext) {
  const key = await newKey(t)
  const { value, exchange } = await workingKey(t, key)
  return { key, exchange, client: t.as('created key', bearer(value)) }
}

/** How long another client that deletes keys may leave one, ms. */
const shortLife = 1_500

/** Whether somebody else deletes keys: a new one is refused and listed no more, although nothing has deleted it here. */
const keysVanish = (t: TestContext) =>
  t.evidence('keys that vanish', async () => {
    const { key, client } = await newClient(t)
    await t.target.sleep(shortLife)
    const [list, last] = [await t.session.call('listKeys'), await client.call('whoami')]
    return isAccepted(list) && entryIn(list, key) === undefined && last.status === 401
  })

/** Whether a created key that nothing has deleted here may be refused because somebody else deletes keys. */
export async function isDeletedByOthers(t: TestContext, refusal: Exchange | undefined): Promise<boolean> {
  const { authorization } = refusal?.status === 401 ? refusal.requestHeaders : {}
  const isKept = ({ secret, others }: MadeKey) =>
    [secret, ...others].some((value) => bearer(value).authorization === authorization)
  return authorization !== undefined && t.keys.some(isKept) && keysVanish(t).catch(() => false)
}

/** One that several requirements share until one of them deletes it. */
export const spareClient = (t: TestContext) => t.evidence('spare key', () => newClient(t))

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

/** Calls each of them that accepts the main key with another key. `look`: makes a call, again if it must. */
export async function callEverywhere(
  t: TestContext,
  value: string,
  look = (call: () => Promise<Exchange>) => call(),
): Promise<Exchange[]> {
  const client = t.as('created key', bearer(value))
  const call = async (operation: (typeof harmless)[number]) => {
    const seen = await positiveControl(t, operation).catch(skip)
    if (!seen || !isAccepted(seen)) return undefined
    const options = await validRequests[operation](t)
    return look(() => client.call(operation, options))
  }
  const answers = await Promise.all(harmless.map(call))
  return answers.filter((one) => one !== undefined)
}

/** Requests a run that cannot be: the response shows whether the key is accepted. */
export async function runInVain(t: TestContext, value: string): Promise<Exchange> {
  const id = unknownLike((await sharedTask(t)).id)
  return t.as('created key', bearer(value)).call('runTask', { id })
}

/** Requests paid work that cannot be done: the responses show whether the key is accepted. */
async function askInVain(
  t: TestContext,
  value: string,
  look: (call: () => Promise<Exchange>) => Promise<Exchange>,
): Promise<Exchange[]> {
  const client = t.as('created key', bearer(value))
  const run = await look(() => runInVain(t, value))
  const creative = await look(() => client.call('generateCreative', { body: {} }))
  return [run, ...(isAbsent(creative) ? [] : [creative])]
}

/** A key that works, with the value that does. */
interface WorkingKey {
  readonly key: NewKey
  readonly value: string
}

async function createWorking(t: TestContext, make = newKey): Promise<WorkingKey> {
  const key = await make(t)
  return { key, value: (await workingKey(t, key)).value }
}

/** The key that the positive control created, and nothing else uses; alone, a new one. */
const unusedKey = async (t: TestContext) =>
  t.run.exclusive ? newKey(t) : keyOf(t, await positiveControl(t, 'createKey'))

/** Keys created before and after one that is to be deleted, and under its name, all of which worked; the list before anything used the last. */
export const fellowKeys = (t: TestContext) =>
  t.evidence('fellow keys', async () => {
    const [older, gone] = [await createWorking(t, unusedKey), await createWorking(t)]
    // At once, so that neither creation undoes the other.
    const [answer, newest] = await Promise.all([requestKey(t, { name: gone.key.name }), newKey(t)])
    const after = await t.as('created key', bearer(gone.value)).call('whoami')
    const twin = t.secrets.some(({ shownBy }) => shownBy === answer.number) ? keyOf(t, answer) : undefined
    const working = twin && (await workingBearer(t, twin))
    const list = await keyListWith(t, [older.key, newest]).catch(() => undefined)
    const newer = { key: newest, value: (await workingKey(t, newest)).value }
    return { older, gone, newer, namesake: { answer, after, twin, working: working?.value }, list }
  })

/** The deletion of that key, and the responses to the others after it, that to the main key last. */
export const oneDeleted = (t: TestContext) =>
  t.evidence('one key deleted', async () => {
    const { older, gone, newer, namesake } = await fellowKeys(t)
    // What is created with a key outlives it, and others of the same text, which come later.
    if (await isOfOwnOrganization(t, namesake.after)) {
      const client = t.as('created key', bearer(gone.value))
      const [{ text }, { title }] = [await sharedTask(t), await sharedDocument(t)]
      await Promise.all([newTask(t, text, client), newDocument(t, { title }, client)]).catch(skip)
    }
    const deletion = await deleteKey(t, gone.key)
    const kept = [older.value, newer.value, ...(namesake.working === undefined ? [] : [namesake.working])]
    const answers: Exchange[] = []
    for (const value of kept) answers.push(await t.as('created key', bearer(value)).call('whoami'))
    return { gone: gone.key, deletion, answers: [...answers, await t.call('whoami')] }
  })

/** The keys before and after it, if both have survived its deletion, else two new ones with a third between them. */
async function oldestAndNewest(t: TestContext): Promise<readonly [WorkingKey, WorkingKey]> {
  const { answers } = await oneDeleted(t).catch(() => ({ answers: undefined }))
  if (answers?.every(isAccepted)) {
    const { older, newer } = await fellowKeys(t)
    return [older, newer]
  }
  const oldest = await createWorking(t)
  await newKey(t)
  return [oldest, await createWorking(t)]
}

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
    // A request that is under way must not bring the key back.
    const going = t.as('created key', bearer(newest.value)).call('whoami').catch(skip)
    const then = assumeAccepted(await deleteKey(t, newest.key))
    await going
    const list = await keyListWith(t, [newest.key], 'unlisted').catch(() => undefined)
    const answer = await lookAfter(t, newest, then)
    // A replica may accept it when another one has refused it.
    const look = (call: () => Promise<Exchange>) => afterDeletion(t, then, call)
    const everywhere = await callEverywhere(t, newest.value, look)
    everywhere.push(...(await askInVain(t, newest.value, look)))
    return [first, { key: newest.key, deletion: then, list, answers: [answer, ...everywhere] }] as const
  })

/** A key that was deleted before anything used it, and the response to it; undefined: none was. */
export async function deletedUnused(t: TestContext) {
  const deletion = await assumePositiveControl(t, 'deleteKey').catch(skip)
  const gone = deletion && t.secrets.find(({ id }) => id !== undefined && id === requestedId(deletion))
  if (!gone || t.secrets.filter(({ secret }) => secret === gone.secret).length > 1) return undefined
  const ask = () => t.as('created key', bearer(gone.secret)).call('whoami')
  return { deletion, answers: [await afterDeletion(t, deletion, ask)] }
}

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

/** Deletes a key that works, and once more when it is refused, unless another requirement does that. */
export async function deleteTwice(t: TestContext, key: NewKey): Promise<void> {
  const { value } = await workingKey(t, key)
  const deletion = assumeAccepted(await deleteKey(t, key))
  await afterDeletion(t, deletion, () => t.as('created key', bearer(value)).call('whoami'))
  if (!t.run.wants('KEY-DELETE-AGAIN')) await deleteKey(t, key)
}

/** A finished task run again, with another key of the organization. */
export const secondRun = (t: TestContext) =>
  t.evidence('second run', async () => {
    const first = await endedRun(t)
    await finishedTask(t)
    await waitForIdleAgent(t)
    t.budget.allow(1)
    const [client, before] = [await anotherKey(t), await assumeCredits(t, 1)]
    // A request that stores what it has read before would undo the reservation.
    const beside = [
      client.call('whoami'),
      t.call('createTask', { body: { text: t.name('Task') } }),
      t.call('createDocument', { body: { title: t.name('Document') } }),
    ]
    const [answer] = await Promise.all([requestRun(t, first.id, client), Promise.allSettled(beside)])
    const early = isTaken(answer) ? await readTask(t, first.id) : undefined
    const end = early && (early.finished ? early : await waitForEnd(t, first.id, 'a second run to end'))
    const resting = () => restingCredits(t)
    const after = await (isTaken(answer) ? creditsOnceSpent(t, 1, before, answer, resting) : resting())
    return { first, before, answer, early, end, after }
  })
