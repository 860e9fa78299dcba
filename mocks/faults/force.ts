/** Parses `CODE[@OPERATION]`: return that error on one operation or on every operation that declares it. */
import { type FailureName, failures } from '#contract/errors.ts'
import { failuresOf, isOperationId, type OperationId, operationIds } from '#contract/operation.ts'

/** A forced error. */
export interface Force {
  readonly code: string
  /** Undefined: every operation that declares the code. */
  readonly operation: OperationId | undefined
}

/** All codes of the error table, without duplicates. */
export const codes: string[] = [...new Set(Object.values(failures).map(({ code }) => code))]

/** Returns the failure of an operation that has a code; undefined if the operation does not declare it. */
export function failureFor(operation: OperationId, code: string): FailureName | undefined {
  const matching = failuresOf(operation).filter((name) => failures[name].code === code)
  return matching.includes('invalid') ? 'invalid' : matching[0]
}

/** Parses `CODE[@OPERATION]`, or returns the error as text. */
export function parseForce(word: string): Force | string {
  const [code = '', operation, ...rest] = word.split('@')
  if (!codes.includes(code)) return `does not know the error "${code}"; the errors are ${codes.join(', ')}`
  if (operation === undefined) return { code, operation: undefined }
  if (rest.length > 0 || !isOperationId(operation)) {
    return `does not know the operation "${operation}"; the operations are ${operationIds.join(', ')}`
  }
  if (failureFor(operation, code)) return { code, operation }
  const able = operationIds.filter((id) => failureFor(id, code))
  return `cannot make ${operation} return ${code}; only ${able.join(', ')} can return it`
}
