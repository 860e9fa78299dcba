/** Groups of operations over which requirements are spread. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { FreeOperation } from '../evidence/calls.ts'

/** Every operation that is reached with a key. */
export const keyOperations = operationIds.filter((id) => routeOf(id).auth === 'key')
/** Every operation that is reached with a session. */
export const cookieOperations = operationIds.filter((id) => routeOf(id).auth === 'cookie') as (
  | 'createKey'
  | 'listKeys'
  | 'deleteKey'
)[]
/** Operations that use no credit. */
export const freeOperations = operationIds.filter((id): id is FreeOperation => routeOf(id).cost === 0)

/** Whether a request of the operation changes something in the organization. */
export function writes(operation: OperationId): boolean {
  return routeOf(operation).method !== 'GET'
}

/** Whether even a valid request of the operation needs something created first. */
export function creates(operation: OperationId): boolean {
  return writes(operation) || routeOf(operation).path.includes(':id')
}
