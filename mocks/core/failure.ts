/** Mistakes of somebody else: of a client a returned value, of an operator an error that is thrown. */
import type { FailureName } from '#contract/errors.ts'

/** An error answer from the error table (§7), which a handler returns in place of a body. */
export class Failure<Name extends FailureName = FailureName> {
  readonly name: Name
  /** Human-readable text; undefined: that of the error table. */
  readonly message: string | undefined
  /** ms to wait before the next attempt (§8.1), sent as `Retry-After`. */
  readonly retry_after_ms: number | undefined

  constructor(name: Name, message?: string, retry_after_ms?: number) {
    this.name = name
    this.message = message
    this.retry_after_ms = retry_after_ms
  }
}

/**
 * Creates a failure by its name in the error table. `message` replaces the text of the table; `retry_after_ms` is sent
 * as `Retry-After`.
 */
export function createFailure<const Name extends FailureName>(
  name: Name,
  message?: string,
  retry_after_ms?: number,
): Failure<Name> {
  return new Failure(name, message, retry_after_ms)
}

/**
 * The error thrown when a control call (a request under `/__admin`) is rejected, with the status and details of the
 * answer.
 */
export class ControlRefusal extends Error {
  readonly status: number
  readonly details: object

  constructor(status: number, message: string, details: object = {}) {
    super(message)
    this.name = new.target.name
    this.status = status
    this.details = details
  }
}
