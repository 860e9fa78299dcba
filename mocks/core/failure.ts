/** A client's mistake, or a refusal, as an outcome: a value to return, never thrown. */
import type { FailureName } from '#contract/errors.ts'

export class Failure<Name extends FailureName = FailureName> {
  readonly name: Name
  /** Human text in place of the table's; undefined: the table's. */
  readonly message: string | undefined
  /** ms to wait before another try (§8.1); goes out as `Retry-After`. */
  readonly retry_after_ms: number | undefined

  constructor(name: Name, message?: string, retry_after_ms?: number) {
    this.name = name
    this.message = message
    this.retry_after_ms = retry_after_ms
  }
}

/** A failure of the error table, with a message of its own where that helps. */
export function fail<const Name extends FailureName>(
  name: Name,
  message?: string,
  retry_after_ms?: number,
): Failure<Name> {
  return new Failure(name, message, retry_after_ms)
}
