/** Keys: made, used, deleted, used again, and made again under the same name. */
import type { Draw, Move } from '../draw.ts'
import type { Thing } from '../inventory.ts'
import type { CallStep, Step } from '../step.ts'

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
const withSession = (draw: (d: Draw) => readonly Step[]) => (d: Draw) =>
  d.offers.session(d.tenant) ? draw(d) : []

export const keys: readonly Move[] = [
  {
    id: 'new keys',
    weight: 2,
    draw: withSession((d) => {
      const room = mostKeys - living(d).length
      const made = Array.from({ length: Math.min(room, d.times(4)) }, () => newKey(d))
      return [...made, ...made.filter(() => d.random.chance(0.6)).map(({ at }) => use(d, { made: at }))]
    }),
  },
  {
    id: 'use keys',
    weight: 2,
    draw: withSession((d) => {
      const key = d.random.pick(d.inventory.of('key', d.tenant).slice(-10))
      return key ? Array.from({ length: d.times(4) }, () => use(d, key)) : []
    }),
  },
  {
    id: 'wear out a key',
    weight: 0.3,
    draw: withSession((d) => {
      const key = d.random.pick(living(d))
      return key ? Array.from({ length: 10 + d.random.below(30) }, () => use(d, key)) : []
    }),
  },
  {
    id: 'delete keys',
    weight: 2,
    draw: withSession((d) => {
      const all = living(d)
      const key = d.random.pick([all[0], all.at(-1), d.random.pick(all)])
      if (!key) return []
      return [deletion(d, key), use(d, key), ...all.slice(-3).map((one) => use(d, one))]
    }),
  },
  {
    id: 'delete keys again',
    weight: 1,
    draw: withSession((d) => {
      const gone = d.random.pick(d.inventory.of('key', d.tenant).filter((one) => one.deleted))
      const call = () =>
        gone && d.random.chance(0.6)
          ? deletion(d, gone)
          : d.call('deleteKey', { as: 'session', of: 'no-such-key' })
      return [
        ...Array.from({ length: d.times(3) }, call),
        ...living(d)
          .slice(-2)
          .map((one) => use(d, one)),
      ]
    }),
  },
  {
    id: 'same key again',
    weight: 1,
    draw: withSession((d) => {
      const key = d.random.pick(living(d))
      if (!key) return []
      const again = d.call('createKey', { as: 'session', body: { name: key.name } })
      return [deletion(d, key), again, use(d, key), use(d, { made: again.at })]
    }),
  },
  { id: 'list keys', weight: 1, draw: withSession((d) => [d.call('listKeys', { as: 'session' })]) },
]
