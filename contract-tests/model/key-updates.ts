/** Updates of keys: created, listed, used, and deleted by a request. */
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import { learnCreatedName, learnResourceOwner } from './creations.ts'
import { type AnsweredRequest, isSuccess, type RequestEvent } from './event.ts'
import {
  effectInterval,
  factIfDefined,
  itemsWithIds,
  type ListItem,
  settleEffectIntervals,
  stringAt,
  tookEffect,
} from './matching.ts'
import { ownersOfRequestedResource } from './reached.ts'
import type { KnownKey, KnownOrganization, ModelState } from './state.ts'

/** Changes the latest key with an id, since ids of deleted keys may be reused. */
function changeKey(
  { keys }: KnownOrganization,
  id: string | undefined,
  to: (key: KnownKey) => Partial<KnownKey>,
): void {
  const [eventId, key] = [...keys].findLast(([, one]) => id !== undefined && one.id === id) ?? []
  if (eventId !== undefined && key) keys.set(eventId, { ...key, ...to(key) })
}

/** Fields of a key that never hold the bearer token. */
const described = new Set(['id', 'name', 'prefix', 'created_at', 'last_used_at'])

/** True if the `key` of a creation may be the bearer token, or hold it. */
const mayBeBearer = (key: unknown): boolean =>
  typeof key === 'string' ||
  Object.entries(key ?? {}).some(([name, value]) => typeof value === 'string' && !described.has(name))

/** Records a key that was created, with its id, name and prefix. */
export function learnCreatedKey(org: KnownOrganization, event: AnsweredRequest, state: ModelState): void {
  if (!isSuccess(event.answer)) return
  const { json } = event.answer
  const id = idAsText(valueAtPath(json, 'key', 'id')) ?? idAsText(valueAtPath(json, 'id'))
  const prefix = factIfDefined(stringAt(json, 'key', 'prefix'), event.id)
  const name = stringAt(event.body, 'name')
  org.keys.set(event.id, {
    created: effectInterval(event),
    id,
    name,
    prefix,
    hasOneText: stringAt(json, 'secret') === undefined || !mayBeBearer(valueAtPath(json, 'key')),
    deletionRequests: [],
    foreignRequests: [],
  })
  learnResourceOwner(state, 'key', id, event)
  learnCreatedName(org, id, name, event)
}

/**
 * Learns from a list of keys which keys it contains, their prefixes and last uses, and the ids of keys whose names are
 * unique.
 */
export function learnKeyList(org: KnownOrganization, event: AnsweredRequest): void {
  const entries = itemsWithIds(event.answer.json, 'keys')
  if (isSuccess(event.answer)) org.firstKeyList ??= effectInterval(event)
  learnIds(org, entries)
  for (const { id, item } of entries) {
    if (!org.listedKeys.has(id)) org.listedKeys.set(id, effectInterval(event))
    changeKey(org, id, ({ prefix, shownUnused, isRequested }) => ({
      prefix: prefix ?? factIfDefined(stringAt(item, 'prefix'), event.id),
      shownUnused: isRequested
        ? undefined
        : (shownUnused ?? { value: valueAtPath(item, 'last_used_at'), eventId: event.id }),
    }))
  }
}

function learnIds(org: KnownOrganization, entries: readonly ListItem[]): void {
  for (const [eventId, key] of org.keys) {
    if (key.id !== undefined || key.name === undefined) continue
    const named = entries.filter(({ item }) => valueAtPath(item, 'name') === key.name)
    const [entry] = named
    const isOnly = [...org.keys.values()].filter(({ name }) => name === key.name).length === 1
    if (named.length === 1 && entry && isOnly) org.keys.set(eventId, { ...key, id: entry.id })
  }
}

/** Records that a request to delete a key was sent. */
export function learnDeletionRequest(_: KnownOrganization, event: RequestEvent, state: ModelState): void {
  for (const { org, isForeign, interval } of ownersOfRequestedResource(
    event,
    state,
    ({ keys }) => keys.size > 0,
  ))
    changeKey(org, event.resource, ({ deletionRequests, foreignRequests }) =>
      isForeign
        ? { foreignRequests: [...foreignRequests, interval] }
        : { deletionRequests: [...deletionRequests, interval] },
    )
}

/** Records whether a key was deleted or its deletion was refused, by the answer. */
export function learnDeletionOutcome(org: KnownOrganization, event: AnsweredRequest): void {
  const interval = effectInterval(event)
  changeKey(org, event.resource, ({ deletionRequests, deleted }) => ({
    deletionRequests: settleEffectIntervals(deletionRequests, interval, tookEffect(event.answer)),
    deleted: deleted ?? (isSuccess(event.answer) ? interval : undefined),
  }))
}

/** Records that a request was sent with a key. */
export function learnRequestWithKey({ organizations }: ModelState, { key: eventId }: RequestEvent): void {
  if (eventId === undefined) return
  for (const { keys } of organizations.values()) {
    const key = keys.get(eventId)
    if (key && !key.isRequested) keys.set(eventId, { ...key, isRequested: true })
  }
}

/** Records that a key was accepted or rejected. */
export function learnKeyUse(org: KnownOrganization, event: AnsweredRequest): void {
  const key = event.key === undefined ? undefined : org.keys.get(event.key)
  if (event.key === undefined || !key) return
  const interval = effectInterval(event)
  if (isSuccess(event.answer))
    org.keys.set(event.key, { ...key, firstAccepted: key.firstAccepted ?? interval, accepted: interval })
  if (event.answer.status === 401 && !key.rejected?.has(event.operation))
    org.keys.set(event.key, { ...key, rejected: new Map(key.rejected).set(event.operation, interval) })
}
