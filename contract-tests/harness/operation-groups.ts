/** The groups of operations that requirements are generated for. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'

export type CookieOperation = 'createKey' | 'listKeys' | 'deleteKey'
export type KeyOperation = Exclude<OperationId, CookieOperation>
/** Operations that cost no credit. */
export type FreeOperation = Exclude<OperationId, 'runTask' | 'generateCreative'>

export const keyOperations = operationIds.filter((id): id is KeyOperation => routeOf(id).auth === 'key')
export const isCookieOperation = (id: OperationId): id is CookieOperation => routeOf(id).auth === 'cookie'
export const cookieOperations = operationIds.filter(isCookieOperation)
export const freeOperations = operationIds.filter((id): id is FreeOperation => routeOf(id).cost === 0)
export const freeKeyOperations = keyOperations.filter(
  (id): id is KeyOperation & FreeOperation => routeOf(id).cost === 0,
)

/** Whether a valid request of the operation changes something or needs something created first. */
export function creates(operation: OperationId): boolean {
  const { method, path } = routeOf(operation)
  return method !== 'GET' || path.includes(':id')
}
