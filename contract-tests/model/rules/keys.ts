/** §2 API key, §5: a key works from its creation until its deletion. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import { type AnsweredRequest, isSuccess } from '../event.ts'
import {
  effectInterval,
  hasEndedBefore,
  isBlank,
  isSameTrimmed,
  itemsWithIds,
  mayFallBetween,
  quotedJson,
  statusAndCode,
  stringAt,
  visibleKeyPrefix,
} from '../matching.ts'
import { documentedErrorStatuses, documentedRefusals, judgeRefusal } from '../refusal.ts'
import type { EffectInterval, KnownKey, KnownOrganization, ModelState } from '../state.ts'
import { declareModelRule, judgeEachItem, judgeFact, judgeSameText, type ModelRule } from '../violation.ts'

/** Operations that an API key authorizes. */
export const operationsWithApiKey = operationIds.filter((operation) => routeOf(operation).auth === 'key')

/** The key that a request carries, if the history shows its creation. */
export const keyOfRequest = ({ keys }: KnownOrganization, { key }: AnsweredRequest) =>
  key === undefined ? undefined : keys.get(key)

/** The key that a path or an entry names. */
const keyById = ({ keys }: KnownOrganization, id: string | undefined): KnownKey | undefined =>
  id === undefined ? undefined : [...keys.values()].findLast((key) => key.id === id)

/** True if the key may be deleted by then, by any tenant. */
const mayBeDeleted = ({ deletionRequests, foreignRequests, created }: KnownKey, at: EffectInterval) =>
  [...deletionRequests, ...foreignRequests].some((one) => mayFallBetween(one, created, at))

/**
 * The event, after `accepted`, that asked to delete an id which no key has and which begins with the id of this key.
 */
const nearMissDeletion = (
  org: KnownOrganization,
  { id }: KnownKey,
  { keyDeletions }: Pick<ModelState, 'keyDeletions'>,
  accepted: EffectInterval,
): number | undefined =>
  [...keyDeletions]
    .filter(([of]) => id !== undefined && of.startsWith(id) && !keyById(org, of))
    .flatMap(([, outcomes]) => outcomes)
    .find(({ eventId }) => eventId > accepted.eventId)?.eventId

/** The deletion of a key that was answered with 401. */
const unauthorizedDeletion = ({ keyDeletions }: Pick<ModelState, 'keyDeletions'>, { id }: KnownKey) =>
  keyDeletions.get(`${id}`)?.find(({ status }) => status === 401)

/** True if two prefixes, masked or not, may belong to one key. */
function prefixesAgree(a: string, b: string): boolean {
  const [one, other] = [visibleKeyPrefix(a), visibleKeyPrefix(b)]
  return one.startsWith(other) || other.startsWith(one)
}

/** True for an answer that a valid key may get. */
const mayGetWithKey = (answer: AnsweredRequest['answer']) =>
  isSuccess(answer) || (answer.status !== 401 && documentedErrorStatuses.includes(answer.status))

/** The least number that is taken for a point in time: seconds since 1970. */
const minEpoch = 1e9

/** True for a point in time; false for an age, such as the seconds since the last use. */
const isTime = (value: unknown) =>
  typeof value === 'number' ? value >= minEpoch : /^\d{4}-\d\d-\d\d/.test(String(value))

const ruleOnKeys = (...[id, requirement, anchor, operations, traits]: Parameters<typeof declareModelRule>) =>
  declareModelRule(id, requirement, anchor, operations, { subject: 'keys', ...traits })

/** Rules: a key works from its creation to its deletion. */
export const keyRules: readonly ModelRule[] = [
  ruleOnKeys('deleted-key-dead', 'KEY-DELETED-DEAD', 'deleted-key', operationsWithApiKey).judge(
    (org, event, { consistency }) => {
      const { deleted, rejected } = keyOfRequest(org, event) ?? {}
      if (!deleted || !hasEndedBefore(deleted, effectInterval(event))) return undefined
      const isLate = hasEndedBefore(deleted, effectInterval(event), consistency)
      if (!isLate && mayGetWithKey(event.answer)) return undefined
      // If the key was refused before, another rule judges whether it works again.
      const refusal = rejected?.get(event.operation)
      if (refusal && hasEndedBefore(deleted, refusal)) return undefined
      return judgeRefusal(event, documentedRefusals.unauthorized, deleted.eventId)
    },
  ),
  ruleOnKeys('refused-key-stays-dead', 'KEY-STAYS-DEAD', 'deleted-key', operationsWithApiKey).judge(
    (org, event, { consistency }) => {
      const { deleted, rejected } = keyOfRequest(org, event) ?? {}
      const refusal = rejected?.get(event.operation)
      const at = effectInterval(event)
      if (!deleted || !refusal || !hasEndedBefore(deleted, refusal) || !hasEndedBefore(refusal, at))
        return undefined
      // Another replica may still accept it.
      if (isSuccess(event.answer) && !hasEndedBefore(refusal, at, consistency)) return undefined
      return judgeFact(
        !isSuccess(event.answer),
        '401, as before',
        statusAndCode(event.answer),
        deleted.eventId,
        refusal.eventId,
      )
    },
  ),
  ruleOnKeys('key-secret-new', 'KEY-UNIQUE', 'key-secret', ['createKey']).judge(
    (_, { id, secret, answer }) => {
      if (!isSuccess(answer) || secret === undefined) return undefined
      return judgeFact(secret === id, 'a secret of its own', 'the secret of another key', secret)
    },
  ),
  ruleOnKeys('key-id-new', 'KEY-ID-UNIQUE', 'key-id', ['createKey']).judge(({ keys }, { answer }) => {
    const id = idAsText(valueAtPath(answer.json, 'key', 'id')) ?? idAsText(valueAtPath(answer.json, 'id'))
    if (!isSuccess(answer) || id === undefined) return undefined
    const twin = [...keys.values()].find(
      (key) => key.id === id && key.deletionRequests.length + key.foreignRequests.length === 0,
    )
    return judgeFact(!twin, 'a new id for each key', `${id} twice`, twin?.created.eventId)
  }),
  ruleOnKeys('living-key-works', 'KEY-DELETE-ONE', 'delete-key', operationsWithApiKey, {
    attributableToOthers: true,
  }).judge((org, event, state) => {
    const key = keyOfRequest(org, event)
    const at = effectInterval(event)
    if (!key?.firstAccepted || !hasEndedBefore(key.firstAccepted, at)) return undefined
    if (mayBeDeleted(key, at) || unauthorizedDeletion(state, key)) return undefined
    const { accepted = key.firstAccepted } = key
    const isSince = (one: EffectInterval | undefined) =>
      one && !hasEndedBefore(one, accepted) && hasEndedBefore(one, at)
    const keys = [...org.keys.values()]
    const deleted = keys.findLast((one) => isSince(one.deleted))?.deleted
    const namesake = keys.findLast((one) => one.name === key.name && isSince(one.created))?.created
    const cause = nearMissDeletion(org, key, state, accepted) ?? deleted?.eventId
    const requirement = cause !== undefined ? 'KEY-DELETE-ONE' : namesake ? 'KEY-NAMESAKE' : 'KEY-WORKS'
    if (event.answer.status !== 401) return { confirms: [requirement] }
    const evidence = [accepted.eventId, ...[cause ?? namesake?.eventId].filter((one) => one !== undefined)]
    return {
      requirement,
      expected: 'a key that nobody deleted',
      actual: statusAndCode(event.answer),
      evidence,
    }
  }),
  ruleOnKeys('refused-deletion', 'AUTH-REFUSED-DELETION', 'error-unauthorized', operationsWithApiKey, {
    attributableToOthers: true,
  }).judge((org, event, state) => {
    const key = keyOfRequest(org, event)
    const at = effectInterval(event)
    if (!key?.firstAccepted || !hasEndedBefore(key.firstAccepted, at) || mayBeDeleted(key, at))
      return undefined
    const refused = unauthorizedDeletion(state, key)
    if (!refused) return undefined
    const expected = 'a key whose deletion was refused'
    return judgeFact(
      event.answer.status !== 401,
      expected,
      statusAndCode(event.answer),
      key.firstAccepted.eventId,
      refused.eventId,
    )
  }),
  ruleOnKeys('new-key-works', 'KEY-WORKS', 'create-key', operationsWithApiKey, {
    attributableToOthers: true,
  }).judge((org, event) => {
    const key = keyOfRequest(org, event)
    const at = effectInterval(event)
    if (!key || key.firstAccepted || mayBeDeleted(key, at)) return undefined
    const isRefused = event.answer.status === 401
    if (!isRefused && !isSuccess(event.answer)) return undefined
    const refusals = key.hasOneText ? key.rejected?.values() : undefined
    const refusal = refusals?.find((one) => hasEndedBefore(one, at))
    if (!refusal) return isRefused ? undefined : true
    const evidence = [key.created.eventId, refusal.eventId]
    const actual = isRefused ? `${statusAndCode(event.answer)} again` : '401 at first'
    return { expected: 'a key that works at once', actual, evidence }
  }),
  ruleOnKeys('key-name-listed', 'KEY-NAME', 'key-name', ['listKeys']).judge((org, event) =>
    judgeEachItem(itemsWithIds(event.answer.json, 'keys'), event, ({ id, item }) => {
      const { name, created, deleted } = keyById(org, id) ?? {}
      return created && !deleted
        ? judgeSameText(valueAtPath(item, 'name'), name, `name of ${id}`, created.eventId)
        : undefined
    }),
  ),
  ruleOnKeys('key-created-once', 'KEY-CREATED-ONCE', 'create-key', ['listKeys'], {
    attributableToOthers: true,
  }).judge(({ keys, firstKeyList, listedKeys, pendingCreations }, event) => {
    const namesakes = Map.groupBy(keys.values(), ({ name }) => name ?? '')
    const at = effectInterval(event)
    return judgeEachItem([...namesakes], event, ([name, all]) => {
      // An older key may have the same name.
      const made = all.filter(({ created }) => firstKeyList && hasEndedBefore(firstKeyList, created))
      const [{ created } = { created: undefined }] = made
      if (name === '' || !created) return undefined
      const isOld = (id: string) => hasEndedBefore(listedKeys.get(id) ?? { to: null }, created)
      const entries = itemsWithIds(event.answer.json, 'keys').filter(
        ({ item }) => valueAtPath(item, 'name') === name,
      )
      const listed = new Set(entries.map(({ id }) => id).filter((id) => !isOld(id)))
      const own = new Set(all.map(({ id }) => id))
      const others = [...listed].filter((id) => !own.has(id))
      // An unknown id may belong to a created key that is not listed under its own id.
      const unseen = made.filter((key) => !listed.has(key.id ?? '') && !mayBeDeleted(key, at))
      const isOpen = pendingCreations.some(
        (one) => isSameTrimmed(one.name, name) && mayFallBetween(one, one, at),
      )
      return judgeFact(
        isOpen || others.length <= unseen.length,
        `${made.length} new with the name ${quotedJson(name)}`,
        `${others.join(', ')} beside`,
        created.eventId,
      )
    })
  }),
  ruleOnKeys('key-prefix-listed', 'KEY-PREFIX', 'key-prefix', ['listKeys']).judge((org, event) =>
    judgeEachItem(itemsWithIds(event.answer.json, 'keys'), event, ({ id, item }) => {
      const { prefix, deleted } = keyById(org, id) ?? {}
      const shown = stringAt(item, 'prefix')
      if (!prefix || deleted || shown === undefined) return undefined
      const is = prefixesAgree(shown, prefix.value)
      return judgeFact(is, `prefix of ${id}: ${quotedJson(prefix.value)}`, quotedJson(shown), prefix.eventId)
    }),
  ),
  ruleOnKeys('key-last-used', 'KEY-LAST-USED', 'key-last-used', ['listKeys']).judge(
    (org, event, { consistency }) =>
      judgeEachItem(itemsWithIds(event.answer.json, 'keys'), event, ({ id, item }) => {
        // Years 1, 1900 and 1970 stand for a time that was never set.
        const used = valueAtPath(item, 'last_used_at')
        const isZero = /^[01]\d{3}-/.test(String(used))
        const { firstAccepted } = keyById(org, id) ?? {}
        const isUsed = firstAccepted && hasEndedBefore(firstAccepted, effectInterval(event), consistency)
        const isTold = used === undefined || (!isZero && !(isUsed && isBlank(used)))
        const expected = isUsed ? 'a time at which the key was used' : 'null, or a time'
        return judgeFact(isTold, expected, `${id}: ${quotedJson(used)}`, firstAccepted?.eventId)
      }),
  ),
  ruleOnKeys('key-unused', 'KEY-LAST-USED', 'key-last-used', ['listKeys'], {
    attributableToOthers: true,
  }).judge((org, event) =>
    judgeEachItem(itemsWithIds(event.answer.json, 'keys'), event, ({ id, item }) => {
      const { shownUnused, hasOneText, isRequested } = keyById(org, id) ?? {}
      // If its creation showed several texts, a use of the key may go unrecognized.
      if (!shownUnused || !hasOneText || isRequested) return undefined
      const [before, now] = [shownUnused.value, valueAtPath(item, 'last_used_at')]
      const isUsed = isBlank(before) ? !isBlank(now) : isTime(before) && isTime(now) && before !== now
      const expected = `${id}: ${quotedJson(before)}, as before: nothing has used it`
      return judgeFact(!isUsed, expected, quotedJson(now), shownUnused.eventId)
    }),
  ),
  ruleOnKeys('deleted-key-unlisted', 'KEY-DELETED-UNLISTED', 'delete-key', ['listKeys']).judge(
    (org, event, { consistency }) =>
      judgeEachItem(itemsWithIds(event.answer.json, 'keys'), event, ({ id, item }) => {
        const { deleted, name } = keyById(org, id) ?? {}
        if (
          !deleted ||
          valueAtPath(item, 'name') !== name ||
          !hasEndedBefore(deleted, effectInterval(event), consistency)
        )
          return undefined
        return judgeFact(false, 'no entry for the deleted key', `the key ${id}`, deleted.eventId)
      }),
  ),
  ruleOnKeys('deletion-ok', 'KEY-DELETE-OK', 'delete-key', ['deleteKey']).judge((_, { answer }) => {
    const ok = valueAtPath(answer.json, 'ok')
    return isSuccess(answer) && typeof ok === 'boolean'
      ? judgeFact(ok, 'ok: true', quotedJson(ok))
      : undefined
  }),
  ruleOnKeys('deletion-accepted', 'ACCEPTS-deleteKey', 'delete-key', ['deleteKey'], {
    attributableToOthers: true,
  }).judge((org, event) => {
    const key = keyById(org, event.resource)
    const at = effectInterval(event)
    if (!key || !hasEndedBefore(key.created, at)) return undefined
    if (key.deletionRequests.some((one) => one.eventId !== event.id && mayFallBetween(one, key.created, at)))
      return undefined
    return judgeFact(
      event.answer.status !== 404,
      'a key that exists',
      statusAndCode(event.answer),
      key.created.eventId,
    )
  }),
]
