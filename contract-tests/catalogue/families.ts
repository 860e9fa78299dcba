/** Groups of operations over which requirements are spread. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { FreeOperation } from '../evidence/calls.ts'

export type CookieOperation = 'createKey' | 'listKeys' | 'deleteKey'
export type KeyOperation = Exclude<OperationId, CookieOperation>

/** Every operation that is reached with a key. */
export const keyOperations = operationIds.filter((id): id is KeyOperation => routeOf(id).auth === 'key')
/** Every operation that is reached with a session. */
export const cookieOperations = operationIds.filter(
  (id): id is CookieOperation => routeOf(id).auth === 'cookie',
)
/** Operations that use no credit. */
export const freeOperations = operationIds.filter((id): id is FreeOperation => routeOf(id).cost === 0)
/** Operations that a key opens and that use no credit. */
export const freeKeyOperations = keyOperations.filter(
  (id): id is KeyOperation & FreeOperation => routeOf(id).cost === 0,
)

/** Whether a request of the operation changes something in the organization. */
export function writes(operation: OperationId): boolean {
  return routeOf(operation).method !== 'GET'
}

/** Whether even a valid request of the operation needs something created first. */
export function creates(operation: OperationId): boolean {
  return writes(operation) || routeOf(operation).path.includes(':id')
}
