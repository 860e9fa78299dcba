/** Groups of operations that requirements are generated for, and what operations create. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { type Exchange, hasSuccessStatus, idAsText, valueAtPath } from '#traffic/exchange.ts'
import type { RuleAnchor } from '../model/rule-anchor.ts'
import type { Need } from './terms.ts'

type CookieOperation = 'createKey' | 'listKeys' | 'deleteKey'
type KeyOperation = Exclude<OperationId, CookieOperation>
/** The id of an operation that costs no credit. */
export type FreeOperation = Exclude<OperationId, 'runTask' | 'generateCreative'>

/** Ids of the operations that an API key authorizes. */
export const keyAuthorizedOperations = operationIds.filter(
  (id): id is KeyOperation => routeOf(id).auth === 'key',
)
const isCookieOperation = (id: OperationId): id is CookieOperation => routeOf(id).auth === 'cookie'

/** Ids of the operations that a session cookie authorizes. */
export const cookieAuthorizedOperations = operationIds.filter(isCookieOperation)
/** Ids of the operations that cost a credit. */
export const paidOperations = operationIds.filter((id) => routeOf(id).cost > 0)

/** Ids of the operations that cost no credit. */
export const freeOperations = operationIds.filter((id): id is FreeOperation => routeOf(id).cost === 0)

/** Ids of the operations that an API key authorizes and that cost no credit. */
export const freeKeyAuthorizedOperations = keyAuthorizedOperations.filter(
  (id): id is KeyOperation & FreeOperation => routeOf(id).cost === 0,
)

/**
 * Traits of a check that sends a valid request of an operation. `writes`: it changes or first creates something;
 * `needs`: inputs besides an API key.
 */
export function traitsOfOperation(operation: OperationId): {
  writes: boolean
  needs: readonly Need[]
  runsInsteadOfState: number
} {
  const { method, path, auth } = routeOf(operation)
  const isMarking = operation === 'readNotification'
  return {
    writes: method !== 'GET' || path.includes(':id'),
    needs: auth === 'cookie' ? ['session'] : isMarking ? ['state:unread_notification'] : [],
    // The one that others use, and one of its own.
    runsInsteadOfState: isMarking ? 2 : 0,
  }
}

/** The anchor of the rule that describes an operation (§4), such as `get-task` of `getTask`. */
export const ruleAnchorOfOperation = (operation: OperationId): RuleAnchor =>
  operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) as RuleAnchor

/** The anchors of rules that concern single operations, by operation. */
export type RuleAnchorsByOperation = Readonly<Partial<Record<OperationId, readonly RuleAnchor[]>>>

/** The paths of fields at which the response of a creating operation may have the new id, by operation. */
export const createdIdPathsByOperation: Partial<Record<OperationId, readonly string[][]>> = {
  createKey: [['key', 'id'], ['id']],
  createTask: [['task', 'id']],
  createDocument: [['item', 'id']],
  createLandingPage: [['id'], ['site', 'id']],
  generateCreative: [['artifactId']],
}

/** The id of what a request created; undefined if the response holds none. */
export function createdIdIn(exchange: Exchange): string | undefined {
  // Other answers may be long lists, which are parsed whenever they are looked at.
  for (const path of createdIdPathsByOperation[exchange.operation] ?? []) {
    const id = idAsText(valueAtPath(exchange.json, ...path))
    if (id !== undefined) return id
  }
  return undefined
}

/** Every resource that exchanges have created, with operation and id, in order. */
export function createdResourcesIn(exchanges: readonly Exchange[]) {
  return exchanges.filter(hasSuccessStatus).flatMap((exchange) => {
    const id = createdIdIn(exchange)
    return id === undefined ? [] : [{ operation: exchange.operation, id }]
  })
}
