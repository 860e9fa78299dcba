/** Mistakes of somebody else: of a client a returned value, of an operator an error that is thrown. */
import type { FailureName } from '#contract/errors.ts'

/** A failure of the error table (§7). */
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

/** Creates a failure. `message` replaces the text of the error table; `retry_after_ms` is sent as `Retry-After`. */
export function fail<const Name extends FailureName>(
  name: Name,
  message?: string,
  retry_after_ms?: number,
): Failure<Name> {
  return new Failure(name, message, retry_after_ms)
}

/** Why a call of an operator is rejected, with the status and further details that a control route answers. */
export class Refusal extends Error {
  readonly status: number
  readonly details: object

  constructor(status: number, message: string, details: object = {}) {
    super(message)
    this.name = new.target.name
    this.status = status
    this.details = details
  }
}
