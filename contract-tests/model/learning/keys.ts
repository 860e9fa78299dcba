/** What answers teach about keys. */
import { field, idOf } from '#traffic/exchange.ts'
import { type Answered, isSuccess, type RequestEvent } from '../event.ts'
import { factOf, hadEffect, type Item, identified, settled, spanOf, textAt } from '../matching.ts'
import type { Key, Organization, State } from '../state.ts'

/** Changes the last key that had an id: ids of deleted keys may come again. */
function change({ keys }: Organization, id: string | undefined, to: (key: Key) => Partial<Key>): void {
  const [by, key] = [...keys].findLast(([, one]) => id !== undefined && one.id === id) ?? []
  if (by !== undefined && key) keys.set(by, { ...key, ...to(key) })
}

export function learnCreatedKey(org: Organization, event: Answered): void {
  if (!isSuccess(event.answer)) return
  const { json } = event.answer
  const id = idOf(field(json, 'key', 'id')) ?? idOf(field(json, 'id'))
  const prefix = factOf(textAt(json, 'key', 'prefix'), event.id)
  const name = textAt(event.body, 'name')
  org.keys.set(event.id, { born: spanOf(event), id, name, prefix, deletions: [], foreign: [] })
}

/** The list tells what the creation did not: prefixes, and ids by their names, where one key has it. */
export function learnKeyList(org: Organization, { id: by, answer }: Answered): void {
  const entries = identified(answer.json, 'keys')
  learnIds(org, entries)
  for (const { id, item } of entries)
    change(org, id, ({ prefix }) => ({ prefix: prefix ?? factOf(textAt(item, 'prefix'), by) }))
}

function learnIds(org: Organization, entries: readonly Item[]): void {
  for (const [by, key] of org.keys) {
    if (key.id !== undefined || key.name === undefined) continue
    const named = entries.filter(({ item }) => field(item, 'name') === key.name)
    const [entry] = named
    const isOnly = [...org.keys.values()].filter(({ name }) => name === key.name).length === 1
    if (named.length === 1 && entry && isOnly) org.keys.set(by, { ...key, id: entry.id })
  }
}

/** A request to delete it may have its effect from the moment it is sent: on a key of its own organization. */
export function expectDeletion(own: Organization, { id, resource, sent }: RequestEvent, state: State): void {
  const span = { by: id, from: sent, to: null }
  for (const org of state.organizations.values())
    change(org, resource, ({ deletions, foreign }) =>
      org === own ? { deletions: [...deletions, span] } : { foreign: [...foreign, span] },
    )
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
