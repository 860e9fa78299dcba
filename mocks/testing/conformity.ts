/** Checks a response of the mock against the contract: its status, code and shape. */
import { errorBody, type FailureName, failures } from '#contract/errors.ts'
import { failuresOf, type OperationId, routeOf } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'

/** A response, with its operation and variant. */
interface Answer {
  readonly operation: OperationId
  readonly variant: Variant
  readonly status: number
  readonly body: unknown
  /** The value of `X-Mock-Reason`. */
  readonly reason?: string | null
}

/** Returns the declared failures with the status and code of a response. */
function failuresMatching({ operation, variant, status, body }: Answer): FailureName[] {
  const code = errorBody.safeParse(body).data?.error
  return failuresOf(operation).filter(
    (name) => failures[name].code === code && failures[name].status[variant] === status,
  )
}

/** Returns everything in a response that the contract does not allow. */
export function violationsOf(answer: Answer): string[] {
  const { operation, variant, status, body, reason } = answer
  if (status >= 300) {
    // A wish that the mock cannot grant is rejected on every operation.
    if (status === 400 && reason?.endsWith('; not understood')) return []
    if (failuresMatching(answer).length > 0) return []
    return [`${operation} (${variant}) returns ${status} ${JSON.stringify(body)}, which is not declared`]
  }
  const { [variant]: own, [variant === 'first' ? 'second' : 'first']: other } = routeOf(operation).answer
  const issues = own.safeParse(body).error?.issues ?? []
  const missing = Object.keys(own.shape).filter((field) => !Object.hasOwn(Object(body), field))
  const foreign = Object.keys(other.shape).filter(
    (field) => !Object.hasOwn(own.shape, field) && Object.hasOwn(Object(body), field),
  )
  return [
    ...(status === 200 ? [] : [`${operation} returns ${status}`]),
    ...issues.map(({ path, message }) => `${operation} (${variant}) ${path.join('.')}: ${message}`),
    ...missing.map((field) => `${operation} (${variant}) lacks ${field}`),
    ...foreign.map((field) => `${operation} (${variant}) has ${field} of the other variant`),
  ]
}
