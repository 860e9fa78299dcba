/** Finds the operation of a request in the table of the contract. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { Route } from '#contract/route.ts'
import { decodePathPart } from './received-request.ts'

/** The operation that the method and the path of a request lead to, and the id in the path. */
export interface RoutedRequest {
  /** Null: an unknown path or method. */
  readonly operation: OperationId | null
  readonly route: Route | null
  /** The `:id` of the path, decoded; empty if it has none. */
  readonly id: string
}

/** The routes of each method, those without an id first. */
const routes = Map.groupBy(
  operationIds
    .map((operation) => {
      const route = routeOf(operation)
      const [before = '', after] = route.path.split(':id')
      return { operation, route, id: '', before, after }
    })
    .toSorted((one, other) => Number(one.after !== undefined) - Number(other.after !== undefined)),
  ({ route }) => route.method as string,
)

const unknown: RoutedRequest = { operation: null, route: null, id: '' }
const root = '/api/cli/'

/** Finds the operation and the id that a method and a path lead to. HEAD is routed like GET. */
export function findRoute(method: string, path: string): RoutedRequest {
  for (const one of routes.get(method === 'HEAD' ? 'GET' : method) ?? []) {
    const { operation, route, before, after } = one
    if (after === undefined && path === before) return one
    if (after === undefined || !path.startsWith(before) || !path.endsWith(after)) continue
    const id = path.slice(before.length, path.length - after.length)
    if (id !== '' && !id.includes('/')) return { operation, route, id: decodePathPart(id) }
  }
  return unknown
}

/** True if a path belongs to the API, even if no route has it. */
export const isApiPath = (path: string): boolean => path.startsWith(root) || path === '/api/cli'
