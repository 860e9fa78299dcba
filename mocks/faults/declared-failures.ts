/** Errors that an operation can return. */
import { type FailureName, failures } from '#contract/errors.ts'
import { failuresOf, type OperationId } from '#contract/operation.ts'

/** Returns the failure of an operation that has a code; undefined if the operation does not declare it. */
export function failureFor(operation: OperationId, code: string): FailureName | undefined {
  const matching = failuresOf(operation).filter((name) => failures[name].code === code)
  return matching.includes('invalid') ? 'invalid' : matching[0]
}
