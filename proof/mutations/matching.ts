/** Finds the operation of a method and a URL. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'

const patterns = operationIds.map((operation) => {
  const { method, path } = routeOf(operation)
  return { operation, method, pattern: new RegExp(`${path.replace(':id', '([^/?#]*)')}(?:[?#]|$)`) }
})

/** The operation of a request, under any prefix; null: none. */
export function operationOf(method: string, url: string): OperationId | null {
  return patterns.find((one) => one.method === method && one.pattern.test(url))?.operation ?? null
}

/** The `:id` in the URL of an operation, decoded; empty where there is none. */
export function idIn(operation: OperationId, url: string): string {
  const [, id = ''] = patterns.find((one) => one.operation === operation)?.pattern.exec(url) ?? []
  return decodeURIComponent(id)
}
