/** Creations: what was asked for, under which name and by whom, whatever came of it. */
import type { Answered, RequestEvent } from './event.ts'
import { hadEffect, intervalOf, telling, textAt } from './matching.ts'
import type { Organization, State } from './state.ts'

/** Notes whose something is that was created. */
export function learnOwner(
  { owners }: State,
  kind: string,
  id: string | undefined,
  { tenant }: Answered,
): void {
  if (id === undefined) return
  const known = owners.get(`${kind} ${id}`) ?? []
  if (!known.includes(tenant)) owners.set(`${kind} ${id}`, [...known, tenant])
}

/** Notes what was created first with a text. */
export function learnNamed(
  { named }: Organization,
  id: string | undefined,
  text: string | undefined,
  event: Answered,
): void {
  const key = `${event.operation} ${text?.trim()}`
  if (!named.has(key)) named.set(key, { id, born: intervalOf(event) })
}

/** A request to create something may have its effect from the moment it is sent. */
export function expectCreated(org: Organization, { id, operation, sent, body }: RequestEvent): void {
  org.creating = [...org.creating, { by: id, from: sent, to: null, operation, name: nameIn(body) }]
}

/** The name, the title or the text that a creation asks for. */
const nameIn = (body: unknown) =>
  ['business_name', 'title', 'text', 'name'].map((one) => textAt(body, one)).find((one) => one !== undefined)

/** Refusals that must have no effect: the status, the beginning of their requirements, and the anchor. */
export const refusals = [
  [401, 'AUTH-REFUSED', 'error-unauthorized'],
  [429, 'LIMIT-REFUSED', 'error-rate-limited'],
  [503, 'UNAVAILABLE', 'error-unavailable'],
] as const

/** Requests that are remembered. */
const mostRefused = 1_000

/** Notes that a creation was refused, whoever asked for it, and what a marking or a deletion was answered. */
export function learnRefused({ refused }: State, { id, operation, body, resource, answer }: Answered): void {
  const isOfOne = operation === 'readNotification' || operation === 'deleteKey'
  const isRefused = hadEffect(answer) === false
  if (!isOfOne && !(operation.startsWith('create') && isRefused)) return
  const target = (isOfOne ? resource : nameIn(body)?.trim()) ?? ''
  if (!isOfOne && target.length < telling) return
  const [oldest] = refused.keys()
  if (refused.size >= mostRefused && oldest !== undefined) refused.delete(oldest)
  refused.set(`${isRefused ? answer.status : 'accepted'} ${operation} ${target}`, id)
}

/** What is asked for again, by whomever, may be made by that. */
export function forgetRefused({ refused }: State, { operation, body }: RequestEvent): void {
  const name = nameIn(body)?.trim()
  for (const [status] of refusals) refused.delete(`${status} ${operation} ${name}`)
}

/** An answer tells whether it had. */
export function learnCreating(org: Organization, { id, answer }: Answered): void {
  if (hadEffect(answer) !== undefined) org.creating = org.creating.filter(({ by }) => by !== id)
}
