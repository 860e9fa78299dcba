/** Notifications: they come, are listed, and are marked as read, once or again. */
import { type Draw, type Move, many, move } from '../draw.ts'
import type { Thing } from '../inventory.ts'
import type { CallStep, Ref, Step } from '../step.ts'

const list = (d: Draw) => d.call('listNotifications')
const mark = (d: Draw, of: Ref | string) => d.call('readNotification', { of })

export const notifications: readonly Move[] = [
  move('list notifications', 1, (d) => [list(d)]),
  move('new notifications', 1.5, (d) => [
    ...many(d.times(6), () => d.state('unread_notification')).flat(),
    list(d),
  ]),
  move('many notifications', 0.15, (d) => {
    const come = () => many(5 + d.random.below(40), () => d.state('unread_notification'))
    return [list(d), ...come().flat(), list(d), ...d.state('unread_notification'), list(d)]
  }),
  move('mark as read', 3, (d) => {
    const unread = d.inventory.notifications(d.tenant, true)
    const marked = many(Math.min(d.times(5), unread.length), () => d.random.pick(unread))
    return [...marked.map((one) => mark(d, one as Ref)), list(d)]
  }),
  move('mark again', 1, (d): readonly Step[] => {
    const one = d.random.pick(d.inventory.notifications(d.tenant, d.random.chance(0.5)))
    if (!one) return []
    return [list(d), ...many(d.times(4), () => mark(d, one)), list(d)]
  }),
  move('mark unknown', 0.3, (d) => [mark(d, 'no-such-notification')]),
]

/** Most keys that exist at once. */
const mostKeys = 12

/** A request that creates a key; now and then with the name of another one. */
export function newKey(d: Draw): CallStep {
  const namesake = d.random.chance(0.3) ? d.random.pick(d.inventory.of('key', d.tenant)) : undefined
  const name = namesake?.name ?? `key ${d.random.below(1_000)} {tag}`
  return d.call('createKey', { as: 'session', body: { name } })
}

export const deletion = (d: Draw, key: Thing): CallStep =>
  d.call('deleteKey', { as: 'session', of: { made: key.made } })

/** A request with a created key, which may be deleted. */
export const use = (d: Draw, key: Pick<Thing, 'made'>): CallStep =>
  d.call(d.random.pick(['whoami', 'whoami', 'listTasks', 'listDocuments'] as const) ?? 'whoami', {
    as: { made: key.made },
  })

const living = (d: Draw) => d.inventory.keys(d.tenant)
const withSession = (id: string, weight: number, draw: Move['draw']): Move =>
  move(id, weight, (d) => (d.offers.session(d.tenant) ? draw(d) : []))

export const keys: readonly Move[] = [
  withSession('new keys', 2, (d) => {
    const room = mostKeys - living(d).length
    const made = many(Math.min(room, d.times(4)), () => newKey(d))
    return [...made, ...made.filter(() => d.random.chance(0.6)).map(({ at }) => use(d, { made: at }))]
  }),
  withSession('use keys', 2, (d) => {
    const key = d.random.pick(d.inventory.of('key', d.tenant).slice(-10))
    return key ? many(d.times(4), () => use(d, key)) : []
  }),
  withSession('wear out a key', 0.3, (d) => {
    const key = d.random.pick(living(d))
    return key ? many(10 + d.random.below(30), () => use(d, key)) : []
  }),
  withSession('delete keys', 2, (d) => {
    const all = living(d)
    const key = d.random.pick([all[0], all.at(-1), d.random.pick(all)])
    if (!key) return []
    return [deletion(d, key), use(d, key), ...all.slice(-3).map((one) => use(d, one))]
  }),
  withSession('delete keys again', 1, (d) => {
    const gone = d.random.pick(d.inventory.of('key', d.tenant).filter((one) => one.deleted))
    const call = () =>
      gone && d.random.chance(0.6)
        ? deletion(d, gone)
        : d.call('deleteKey', { as: 'session', of: 'no-such-key' })
    const tries = many(d.times(3), call)
    const last = living(d).slice(-2)
    return [...tries, ...last.map((one) => use(d, one))]
  }),
  withSession('same key again', 1, (d) => {
    const key = d.random.pick(living(d))
    if (!key) return []
    const again = d.call('createKey', { as: 'session', body: { name: key.name } })
    return [deletion(d, key), again, use(d, key), use(d, { made: again.at })]
  }),
  withSession('list keys', 1, (d) => [d.call('listKeys', { as: 'session' })]),
]
