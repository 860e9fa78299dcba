/** §2 API key, §5: a key works from its creation until its deletion. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { field, idOf } from '#traffic/exchange.ts'
import { type Answered, isSuccess } from '../event.ts'
import {
  brief,
  identified,
  intervalOf,
  isBefore,
  isSameTrimmed,
  mayFall,
  show,
  textAt,
  withoutMask,
} from '../matching.ts'
import type { Interval, Key, Organization } from '../state.ts'
import { asTold, ofEach, type Rule, required, rule } from '../violation.ts'

/** The operations that a key is sent to. */
export const keyRoutes = operationIds.filter((operation) => routeOf(operation).auth === 'key')

/** The key that a request carries, if the history shows its creation. */
export const used = ({ keys }: Organization, { key }: Answered) =>
  key === undefined ? undefined : keys.get(key)

/** The key that a path or an entry names. */
const named = ({ keys }: Organization, id: string | undefined): Key | undefined =>
  id === undefined ? undefined : [...keys.values()].findLast((key) => key.id === id)

/** Whether a deletion, by whomever, may have come after the key was made and before a moment. */
const mayBeDeleted = ({ deletions, foreign, born }: Key, at: Interval) =>
  [...deletions, ...foreign].some((one) => mayFall(one, born, at))

/** Whether two prefixes are of one key: as long as they may be, and masked at the end or not. */
function agree(a: string, b: string): boolean {
  const [one, other] = [withoutMask(a), withoutMask(b)]
  return one.startsWith(other) || other.startsWith(one)
}

export const keys: readonly Rule[] = [
  rule('deleted-key-dead', 'KEY-DELETED-DEAD', 'deleted-key', keyRoutes).judge(
    (org, event, { consistency }) => {
      const { deleted, dead } = used(org, event) ?? {}
      if (!deleted || !isBefore(deleted, intervalOf(event), consistency)) return undefined
      if (dead && isBefore(deleted, dead)) return undefined
      return required(!isSuccess(event.answer), '401: the key was deleted', brief(event.answer), deleted.by)
    },
  ),
  rule('refused-key-stays-dead', 'KEY-STAYS-DEAD', 'deleted-key', keyRoutes).judge(
    (org, event, { consistency }) => {
      const { deleted, dead } = used(org, event) ?? {}
      if (!deleted || !dead || !isBefore(deleted, dead) || !isBefore(dead, intervalOf(event), consistency))
        return undefined
      return required(!isSuccess(event.answer), '401, as before', brief(event.answer), deleted.by, dead.by)
    },
  ),
  rule('key-secret-new', 'KEY-UNIQUE', 'key-secret', ['createKey']).judge((_, { id, secret, answer }) => {
    if (!isSuccess(answer) || secret === undefined) return undefined
    return required(secret === id, 'a secret of its own', 'the secret of another key', secret)
  }),
  rule('key-id-new', 'KEY-ID-UNIQUE', 'key-id', ['createKey']).judge(({ keys }, { answer }) => {
    const id = idOf(field(answer.json, 'key', 'id')) ?? idOf(field(answer.json, 'id'))
    if (!isSuccess(answer) || id === undefined) return undefined
    const twin = [...keys.values()].find(
      (key) => key.id === id && key.deletions.length + key.foreign.length === 0,
    )
    return required(!twin, 'a new id for each key', `${id} twice`, twin?.born.by)
  }),
  rule('living-key-works', 'KEY-DELETE-ONE', 'delete-key', keyRoutes, { others: true }).judge(
    (org, event, { refused }) => {
      const key = used(org, event)
      const at = intervalOf(event)
      if (!key?.works || !isBefore(key.works, at)) return undefined
      if (mayBeDeleted(key, at) || refused.has(`401 deleteKey ${key.id}`)) return undefined
      // It may be why.
      const { deleted } =
        [...org.keys.values()].findLast((one) => one.deleted && isBefore(one.deleted, at)) ?? {}
      const isRefused = event.answer.status === 401
      return required(!isRefused, 'a key that nobody deleted', brief(event.answer), key.works.by, deleted?.by)
    },
  ),
  rule('refused-deletion', 'AUTH-REFUSED-DELETION', 'error-unauthorized', keyRoutes, {
    others: true,
  }).judge((org, event, { refused }) => {
    const key = used(org, event)
    const at = intervalOf(event)
    if (!key?.works || !isBefore(key.works, at) || mayBeDeleted(key, at)) return undefined
    const by = refused.get(`401 deleteKey ${key.id}`)
    if (by === undefined) return undefined
    const expected = 'a key whose deletion was refused'
    return required(event.answer.status !== 401, expected, brief(event.answer), key.works.by, by)
  }),
  rule('new-key-works', 'KEY-WORKS', 'create-key', keyRoutes, { others: true }).judge((org, event) => {
    const key = used(org, event)
    const at = intervalOf(event)
    if (!key || key.works || !isBefore(key.born, at)) return undefined
    if (mayBeDeleted(key, at)) return undefined
    // Unless another one worked, what is sent of keys may not be what opens routes.
    const other = [...org.keys.values()].find(({ works }) => works)?.works
    if (!other) return undefined
    return required(
      event.answer.status !== 401,
      'a key that works',
      brief(event.answer),
      key.born.by,
      other.by,
    )
  }),
  rule('key-name-listed', 'KEY-NAME', 'key-name', ['listKeys']).judge((org, event) =>
    ofEach(identified(event.answer.json, 'keys'), event, ({ id, item }) => {
      const { name, born, deleted } = named(org, id) ?? {}
      return born && !deleted ? asTold(field(item, 'name'), name, `name of ${id}`, born.by) : undefined
    }),
  ),
  rule('key-created-once', 'KEY-CREATED-ONCE', 'create-key', ['listKeys'], { others: true }).judge(
    ({ keys, keyList, listedKeys, creating }, event) => {
      const namesakes = Map.groupBy(keys.values(), ({ name }) => name ?? '')
      return ofEach([...namesakes], event, ([name, made]) => {
        const [{ born } = { born: undefined }] = made
        // What was there before may have that name, too.
        if (name === '' || !born || !keyList || !isBefore(keyList, born)) return undefined
        const isOld = (id: string) => isBefore(listedKeys.get(id) ?? { to: null }, born)
        const entries = identified(event.answer.json, 'keys').filter(
          ({ item }) => field(item, 'name') === name,
        )
        const listed = new Set(entries.map(({ id }) => id).filter((id) => !isOld(id)))
        const isOpen = creating.some(
          (one) => isSameTrimmed(one.name, name) && mayFall(one, one, intervalOf(event)),
        )
        const fits = isOpen || listed.size <= made.length
        return required(fits, `${made.length} with the name ${show(name)}`, `${listed.size}`, born.by)
      })
    },
  ),
  rule('key-prefix-listed', 'KEY-PREFIX', 'key-prefix', ['listKeys']).judge((org, event) =>
    ofEach(identified(event.answer.json, 'keys'), event, ({ id, item }) => {
      const { prefix, deleted } = named(org, id) ?? {}
      const shown = textAt(item, 'prefix')
      if (!prefix || deleted || shown === undefined) return undefined
      const is = agree(shown, prefix.value)
      return required(is, `prefix of ${id}: ${show(prefix.value)}`, show(shown), prefix.by)
    }),
  ),
  rule('key-last-used', 'KEY-LAST-USED', 'key-last-used', ['listKeys']).judge((_, event) =>
    ofEach(identified(event.answer.json, 'keys'), event, ({ id, item }) => {
      // What services show for a time that was never set is in the year 1, 1900 or 1970.
      const isZero = /^[01]\d{3}-/.test(textAt(item, 'last_used_at') ?? '')
      return required(
        !isZero,
        'null, or a time at which the key was used',
        `${id}: ${show(field(item, 'last_used_at'))}`,
      )
    }),
  ),
  rule('deleted-key-unlisted', 'KEY-DELETED-UNLISTED', 'delete-key', ['listKeys']).judge(
    (org, event, { consistency }) =>
      ofEach(identified(event.answer.json, 'keys'), event, ({ id, item }) => {
        const { deleted, name } = named(org, id) ?? {}
        if (!deleted || field(item, 'name') !== name || !isBefore(deleted, intervalOf(event), consistency))
          return undefined
        return required(false, 'no entry for the deleted key', `the key ${id}`, deleted.by)
      }),
  ),
  rule('deletion-ok', 'KEY-DELETE-OK', 'delete-key', ['deleteKey']).judge((_, { answer }) => {
    const ok = field(answer.json, 'ok')
    return isSuccess(answer) && typeof ok === 'boolean' ? required(ok, 'ok: true', show(ok)) : undefined
  }),
  rule('deletion-accepted', 'ACCEPTS-deleteKey', 'delete-key', ['deleteKey'], { others: true }).judge(
    (org, event) => {
      const key = named(org, event.resource)
      const at = intervalOf(event)
      if (!key || !isBefore(key.born, at)) return undefined
      if (key.deletions.some((one) => one.by !== event.id && mayFall(one, key.born, at))) return undefined
      return required(event.answer.status !== 404, 'a key that exists', brief(event.answer), key.born.by)
    },
  ),
]
