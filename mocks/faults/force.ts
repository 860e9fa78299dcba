/** `CODE[@OPERATION]`: answer that error, on one operation or on all that can. */
import { type FailureName, failures } from '#contract/errors.ts'
import { failuresOf, isOperationId, type OperationId, operationIds } from '#contract/operation.ts'

export interface Force {
  readonly code: string
  /** Undefined: every operation that can answer the code. */
  readonly operation: OperationId | undefined
}

/** All codes of the error table, once each. */
export const codes: string[] = [...new Set(Object.values(failures).map(({ code }) => code))]

/** The failure by which an operation answers a code; undefined where it never does. */
export function failureFor(operation: OperationId, code: string): FailureName | undefined {
  const fitting = failuresOf(operation).filter((name) => failures[name].code === code)
  return fitting.includes('invalid') ? 'invalid' : fitting[0]
}

/** Reads `CODE[@OPERATION]`, or answers what is wrong with it. */
export function parseForce(word: string): Force | string {
  const [code = '', operation, ...rest] = word.split('@')
  if (!codes.includes(code)) return `knows no error "${code}"; the errors are ${codes.join(', ')}`
  if (operation === undefined) return { code, operation: undefined }
  if (rest.length > 0 || !isOperationId(operation)) {
    return `knows no operation "${operation}"; the operations are ${operationIds.join(', ')}`
  }
  if (failureFor(operation, code)) return { code, operation }
  const able = operationIds.filter((id) => failureFor(id, code))
  return `cannot make ${operation} answer ${code}; it is an answer of ${able.join(', ')}`
}
