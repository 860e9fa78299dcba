/** Notifications: they come, are listed, and are marked as read, once or again. */

import type { CallStep, ResourceRef, Step } from '../../step.ts'
import { type Command, declareSearchCommand, repeatDraw, type StepBuilder } from '../generator.ts'
import type { KnownResource } from '../inventory.ts'

const list = (gen: StepBuilder) => gen.call('listNotifications')
const markRead = (gen: StepBuilder, target: ResourceRef | string) => gen.call('readNotification', { target })

/** Commands of the search that list notifications and mark them as read. */
export const notificationCommands: readonly Command[] = [
  declareSearchCommand('list notifications', 1, (gen) => [list(gen)]),
  declareSearchCommand('new notifications', 1.5, (gen) => [
    ...repeatDraw(gen.repetitions(6), () => gen.setState('unread_notification')).flat(),
    list(gen),
  ]),
  declareSearchCommand('many notifications', 0.15, (gen) => {
    const come = () => repeatDraw(5 + gen.random.below(40), () => gen.setState('unread_notification'))
    return [list(gen), ...come().flat(), list(gen), ...gen.setState('unread_notification'), list(gen)]
  }),
  declareSearchCommand('mark as read', 3, (gen) => {
    const unread = gen.inventory.notifications(gen.tenant, true)
    const marked = repeatDraw(Math.min(gen.repetitions(5), unread.length), () => gen.random.pick(unread))
    return [...marked.map((one) => markRead(gen, one as ResourceRef)), list(gen)]
  }),
  declareSearchCommand('mark again', 1, (gen): readonly Step[] => {
    const one = gen.random.pick(gen.inventory.notifications(gen.tenant, gen.random.withProbability(0.5)))
    if (!one) return []
    return [list(gen), ...repeatDraw(gen.repetitions(4), () => markRead(gen, one)), list(gen)]
  }),
  declareSearchCommand('mark unknown', 0.3, (gen) => [markRead(gen, 'no-such-notification')]),
]

/** Most keys that exist at once. */
const maxKeys = 12

/** A request that creates a key; now and then with the name of an existing one. */
export function createKeyCall(gen: StepBuilder): CallStep {
  const namesake = gen.random.withProbability(0.3)
    ? gen.random.pick(gen.inventory.resourcesOf('key', gen.tenant))
    : undefined
  const name = namesake?.name ?? `key ${gen.random.below(1_000)} {tag}`
  return gen.call('createKey', { credential: 'session', body: { name } })
}

/** A request with the session that deletes a created key. */
export const deleteKeyCall = (gen: StepBuilder, key: KnownResource): CallStep =>
  gen.call('deleteKey', { credential: 'session', target: { createdBy: key.createdBy } })

/** A request with a created key, which may be deleted by then. */
export const callWithCreatedKey = (gen: StepBuilder, key: Pick<KnownResource, 'createdBy'>): CallStep =>
  gen.call(gen.random.pick(['whoami', 'whoami', 'listTasks', 'listDocuments'] as const) ?? 'whoami', {
    credential: { createdBy: key.createdBy },
  })

const workingKeys = (gen: StepBuilder) => gen.inventory.workingKeys(gen.tenant)
const withSession = (id: string, weight: number, draw: Command['draw']): Command =>
  declareSearchCommand(id, weight, (gen) => (gen.capabilities.hasSession(gen.tenant) ? draw(gen) : []))

/** Commands of the search that create, use and delete keys. */
export const keyCommands: readonly Command[] = [
  withSession('new keys', 2, (gen) => {
    const room = maxKeys - workingKeys(gen).length
    const createdBy = repeatDraw(Math.min(room, gen.repetitions(4)), () => createKeyCall(gen))
    return [
      ...createdBy,
      ...createdBy
        .filter(() => gen.random.withProbability(0.6))
        .map(({ stepId }) => callWithCreatedKey(gen, { createdBy: stepId })),
    ]
  }),
  withSession('use keys', 2, (gen) => {
    const key = gen.random.pick(gen.inventory.resourcesOf('key', gen.tenant).slice(-10))
    return key ? repeatDraw(gen.repetitions(4), () => callWithCreatedKey(gen, key)) : []
  }),
  withSession('wear out a key', 0.3, (gen) => {
    const key = gen.random.pick(workingKeys(gen))
    return key ? repeatDraw(10 + gen.random.below(30), () => callWithCreatedKey(gen, key)) : []
  }),
  withSession('delete keys', 2, (gen) => {
    const all = workingKeys(gen)
    const key = gen.random.pick([all[0], all.at(-1), gen.random.pick(all)])
    if (!key) return []
    return [
      deleteKeyCall(gen, key),
      callWithCreatedKey(gen, key),
      ...all.slice(-3).map((one) => callWithCreatedKey(gen, one)),
    ]
  }),
  withSession('delete keys again', 1, (gen) => {
    const gone = gen.random.pick(gen.inventory.resourcesOf('key', gen.tenant).filter((one) => one.deleted))
    const call = () =>
      gone && gen.random.withProbability(0.6)
        ? deleteKeyCall(gen, gone)
        : gen.call('deleteKey', { credential: 'session', target: 'no-such-key' })
    const tries = repeatDraw(gen.repetitions(3), call)
    const last = workingKeys(gen).slice(-2)
    return [...tries, ...last.map((one) => callWithCreatedKey(gen, one))]
  }),
  withSession('same key again', 1, (gen) => {
    const key = gen.random.pick(workingKeys(gen))
    if (!key) return []
    const again = gen.call('createKey', { credential: 'session', body: { name: key.name } })
    return [
      deleteKeyCall(gen, key),
      again,
      callWithCreatedKey(gen, key),
      callWithCreatedKey(gen, { createdBy: again.stepId }),
    ]
  }),
  withSession('list keys', 1, (gen) => [gen.call('listKeys', { credential: 'session' })]),
]
