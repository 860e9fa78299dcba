/** Creations: pending, named and refused ones, and the owners of resources. */
import type { AnsweredRequest, RequestEvent } from './event.ts'
import { effectInterval, minDistinctiveLength, stringAt, tookEffect } from './matching.ts'
import { badInputStatuses } from './refusal.ts'
import type { EffectInterval, KnownOrganization, ModelState } from './state.ts'

/** Records in which organization a resource was created; another one may have created a resource with the same id. */
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

/** Records the first and the last creation that used a text, such as a title. */
export function learnCreatedName(
  { createdNames }: KnownOrganization,
  id: string | undefined,
  text: string | undefined,
  event: AnsweredRequest,
): void {
  const key = `${event.operation} ${text?.trim()}`
  const last = effectInterval(event)
  createdNames.set(key, { ...(createdNames.get(key) ?? { id, created: last }), last })
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
const maxRemembered = 1_000

function setNewest<K, V>(known: Map<K, V>, key: K, value: V): void {
  const [oldest] = known.keys()
  if (known.size >= maxRemembered && oldest !== undefined) known.delete(oldest)
  known.set(key, value)
}

/** Records a creation that was refused with a status after which it must have no effect. */
export function learnRefusedCreation({ refusedCreations }: ModelState, event: AnsweredRequest): void {
  const { operation, body, answer } = event
  const { status } = answer
  const isBadInput = badInputStatuses.includes(status)
  if (!operation.startsWith('create')) return
  if (!isBadInput && !refusalsWithoutEffect.some(([one]) => one === status)) return
  const name = nameIn(body)?.trim() ?? ''
  // Others may use a short name, too; an empty one is used by nobody else.
  if (name.length < minDistinctiveLength && !(isBadInput && name === '')) return
  const byStatus = refusedCreations.get(operation) ?? new Map<number, Map<string, EffectInterval>>()
  const known = byStatus.get(status) ?? new Map<string, EffectInterval>()
  setNewest(known, name, effectInterval(event))
  refusedCreations.set(operation, byStatus.set(status, known))
}

/** Records whether a request to mark a notification as read, or to delete a key, was refused. */
export function learnMarkOrDeletionRefusal(
  { marks, keyDeletions }: ModelState,
  { id, operation, tenant, resource = '', answer }: AnsweredRequest,
): void {
  const known =
    operation === 'readNotification' ? marks : operation === 'deleteKey' ? keyDeletions : undefined
  if (!known) return
  const { status } = answer
  const others = known.get(resource)?.filter((one) => one.tenant !== tenant || one.status !== status) ?? []
  setNewest(known, resource, [
    ...others,
    { eventId: id, tenant, status, isRefused: tookEffect(answer) === false },
  ])
}

/**
 * Forgets, in every organization, the refused creations of a name once a new request asks for it: the name may exist
 * from then on.
 */
export function forgetRefusalsOfReusedName(
  { refusedCreations }: ModelState,
  { operation, body }: RequestEvent,
): void {
  const name = operation.startsWith('create') ? nameIn(body)?.trim() : undefined
  if (name === undefined) return
  for (const known of refusedCreations.get(operation)?.values() ?? []) known.delete(name)
}

/** Records whether a creation took effect, by its answer. */
export function learnCreationOutcome(org: KnownOrganization, { id, answer }: AnsweredRequest): void {
  if (tookEffect(answer) !== undefined)
    org.pendingCreations = org.pendingCreations.filter(({ eventId }) => eventId !== id)
}
