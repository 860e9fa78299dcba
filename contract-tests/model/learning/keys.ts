/** What answers teach about keys. */
import { field, idOf } from '#traffic/exchange.ts'
import { type Answered, isSuccess, type RequestEvent } from '../event.ts'
import { hadEffect, identified, settled, spanOf, textAt } from '../matching.ts'
import type { Key, Organization } from '../state.ts'

/** Changes the last key that had an id: ids of deleted keys may come again. */
function change({ keys }: Organization, id: string | undefined, to: (key: Key) => Partial<Key>): void {
  const [by, key] = [...keys].findLast(([, one]) => id !== undefined && one.id === id) ?? []
  if (by !== undefined && key) keys.set(by, { ...key, ...to(key) })
}

export function learnCreatedKey(org: Organization, event: Answered): void {
  if (!isSuccess(event.answer)) return
  const { json } = event.answer
  const id = idOf(field(json, 'key', 'id')) ?? idOf(field(json, 'id'))
  org.keys.set(event.id, { born: spanOf(event), id, name: textAt(event.body, 'name'), deletions: [] })
}

/** The list tells the ids of keys whose creation did not: by their names, where one key has it. */
export function learnKeyList(org: Organization, { answer }: Answered): void {
  const entries = identified(answer.json, 'keys')
  for (const [by, key] of org.keys) {
    if (key.id !== undefined || key.name === undefined) continue
    const named = entries.filter(({ item }) => field(item, 'name') === key.name)
    const [entry] = named
    const isOnly = [...org.keys.values()].filter(({ name }) => name === key.name).length === 1
    if (named.length === 1 && entry && isOnly) org.keys.set(by, { ...key, id: entry.id })
  }
}

/** A request to delete it may have its effect from the moment it is sent. */
export function expectDeletion(org: Organization, { id, resource, sent }: RequestEvent): void {
  change(org, resource, ({ deletions }) => ({ deletions: [...deletions, { by: id, from: sent, to: null }] }))
}

/** An answer tells whether it had. */
export function learnDeletion(org: Organization, event: Answered): void {
  const span = spanOf(event)
  change(org, event.resource, ({ deletions, deleted }) => ({
    deletions: settled(deletions, span, hadEffect(event.answer)),
    deleted: deleted ?? (isSuccess(event.answer) ? span : undefined),
  }))
}

/** A key that opened a route, or was refused. */
export function learnUse(org: Organization, event: Answered): void {
  const key = event.key === undefined ? undefined : org.keys.get(event.key)
  if (event.key === undefined || !key) return
  if (isSuccess(event.answer)) org.keys.set(event.key, { ...key, works: key.works ?? spanOf(event) })
  if (event.answer.status === 401) org.keys.set(event.key, { ...key, dead: key.dead ?? spanOf(event) })
}
