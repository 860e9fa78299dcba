/** Finds the operation of a request in the table of the contract. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { decodedPart } from './received-request.ts'

export interface RoutedRequest {
  /** Null: an unknown path or method. */
  readonly operation: OperationId | null
  /** The `:id` of the path, decoded; empty: it has none. */
  readonly id: string
}

/** By method, then by path. */
const routes = new Map<string, Map<string, RoutedRequest>>()
for (const operation of operationIds) {
  const { method, path } = routeOf(operation)
  const paths = routes.get(method) ?? new Map<string, RoutedRequest>()
  routes.set(method, paths.set(path, { operation, id: '' }))
}

const unknown: RoutedRequest = { operation: null, id: '' }
const root = '/api/cli/'

/** Finds the route of a method and a path. A request for the headers of an answer is routed like one for the answer. */
export function findRoute(method: string, path: string): RoutedRequest {
  const paths = routes.get(method === 'HEAD' ? 'GET' : method)
  if (!paths) return unknown
  const fixed = paths.get(path)
  if (fixed && !path.includes(':')) return fixed
  const from = path.indexOf('/', root.length) + 1
  if (from === 0) return unknown
  const next = path.indexOf('/', from)
  const to = next < 0 ? path.length : next
  const { operation } = paths.get(`${path.slice(0, from)}:id${path.slice(to)}`) ?? unknown
  return operation === null || to === from ? unknown : { operation, id: decodedPart(path.slice(from, to)) }
}

/** True if a path belongs to the API: what there is no route for is answered as the API does. */
export const isOfApi = (path: string): boolean => path.startsWith(root) || path === '/api/cli'
