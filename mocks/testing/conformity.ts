/** Holds an answer of the mock against the contract: its status, its code, its shape. */
import { errorBody, type FailureName, failures } from '#contract/errors.ts'
import { failuresOf, type OperationId, routeOf } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'

/** What came back, and who was asked in which variant. */
export interface Answer {
  readonly operation: OperationId
  readonly variant: Variant
  readonly status: number
  readonly body: unknown
}

/** The declared failures that an answer can be: those of its status and code. Empty: none. */
export function failuresMatching({ operation, variant, status, body }: Answer): FailureName[] {
  const code = errorBody.safeParse(body).data?.error
  return failuresOf(operation).filter(
    (name) => failures[name].code === code && failures[name].status[variant] === status,
  )
}

/** Everything that the contract does not allow in an answer. Empty: it conforms. */
export function breachesOf(answer: Answer): string[] {
  const { operation, variant, status, body } = answer
  if (status >= 300) {
    if (failuresMatching(answer).length > 0) return []
    return [`${operation} (${variant}) answers ${status} ${JSON.stringify(body)}, which is not declared`]
  }
  const { [variant]: mine, [variant === 'first' ? 'second' : 'first']: other } = routeOf(operation).answer
  const issues = mine.safeParse(body).error?.issues ?? []
  const missing = Object.keys(mine.shape).filter((field) => !Object.hasOwn(Object(body), field))
  const foreign = Object.keys(other.shape).filter(
    (field) => !Object.hasOwn(mine.shape, field) && Object.hasOwn(Object(body), field),
  )
  return [
    ...(status === 200 ? [] : [`${operation} answers ${status}`]),
    ...issues.map(({ path, message }) => `${operation} (${variant}) ${path.join('.')}: ${message}`),
    ...missing.map((field) => `${operation} (${variant}) lacks ${field}`),
    ...foreign.map((field) => `${operation} (${variant}) has ${field} of the other variant`),
  ]
}
