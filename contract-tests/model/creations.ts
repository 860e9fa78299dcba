/** Creations: pending, named and refused ones, and the owners of resources. */
import type { AnsweredRequest, RequestEvent } from './event.ts'
import { effectInterval, minDistinctiveLength, stringAt, tookEffect } from './matching.ts'
import type { KnownOrganization, ModelState } from './state.ts'

/** Records in which organization a resource was created. */
export function learnResourceOwner(
  { owners }: ModelState,
  kind: string,
  id: string | undefined,
  { tenant }: AnsweredRequest,
): void {
  if (id === undefined) return
  const known = owners.get(`${kind} ${id}`) ?? []
  if (!known.includes(tenant)) owners.set(`${kind} ${id}`, [...known, tenant])
}

/** Records the first creation that used a text, such as a title. */
export function learnCreatedName(
  { createdNames }: KnownOrganization,
  id: string | undefined,
  text: string | undefined,
  event: AnsweredRequest,
): void {
  const key = `${event.operation} ${text?.trim()}`
  if (!createdNames.has(key)) createdNames.set(key, { id, created: effectInterval(event) })
}

/** Records that a creation was requested, which may have its effect from then on. */
export function learnCreationRequest(
  org: KnownOrganization,
  { id, operation, sent, body }: RequestEvent,
): void {
  org.pendingCreations = [
    ...org.pendingCreations,
    { eventId: id, from: sent, to: null, operation, name: nameIn(body) },
  ]
}

/** Name, title or text in the body of a creation. */
const nameIn = (body: unknown) =>
  ['business_name', 'title', 'text', 'name']
    .map((one) => stringAt(body, one))
    .find((one) => one !== undefined)

/** Refusals that must have no effect: status, prefix of the requirement, anchor in docs/specification.md. */
export const refusalsWithoutEffect = [
  [401, 'AUTH-REFUSED', 'error-unauthorized'],
  [429, 'LIMIT-REFUSED', 'error-rate-limited'],
  [503, 'UNAVAILABLE', 'error-unavailable'],
] as const

/** Requests of each kind that are remembered. */
const maxRefused = 1_000

/** Records refused creations, and whether marks of notifications and deletions of keys were refused. */
export function learnRefusal(
  { refusedCreations, marks }: ModelState,
  { id, operation, tenant, body, resource = '', answer }: AnsweredRequest,
): void {
  const { status } = answer
  const isRefused = tookEffect(answer) === false
  if (operation === 'readNotification') {
    const others = marks.get(resource)?.filter((one) => one.tenant !== tenant || one.status !== status) ?? []
    forgetOldest(marks)
    marks.set(resource, [...others, { eventId: id, tenant, status, isRefused }])
    return
  }
  const isDeletion = operation === 'deleteKey'
  if (!isDeletion && !(operation.startsWith('create') && isRefused)) return
  const target = (isDeletion ? resource : nameIn(body)?.trim()) ?? ''
  if (!isDeletion && target.length < minDistinctiveLength) return
  const kind = `${isRefused ? status : 'accepted'} ${operation}`
  const known = refusedCreations.get(kind) ?? new Map<string, number>()
  forgetOldest(known)
  refusedCreations.set(kind, known.set(target, id))
}

function forgetOldest(known: Map<string, unknown>): void {
  const [oldest] = known.keys()
  if (known.size >= maxRefused && oldest !== undefined) known.delete(oldest)
}

/** Forgets refused creations when any organization requests the same again. */
export function forgetRefusedCreation(
  { refusedCreations }: ModelState,
  { operation, body }: RequestEvent,
): void {
  const name = operation.startsWith('create') ? nameIn(body)?.trim() : undefined
  if (name === undefined) return
  for (const [status] of refusalsWithoutEffect) refusedCreations.get(`${status} ${operation}`)?.delete(name)
}

/** Records whether a creation took effect, by its answer. */
export function learnCreationOutcome(org: KnownOrganization, { id, answer }: AnsweredRequest): void {
  if (tookEffect(answer) !== undefined)
    org.pendingCreations = org.pendingCreations.filter(({ eventId }) => eventId !== id)
}
