/** The four errors that a check throws on purpose; any other error is reported as a defect of the suite. */
import type { Exchange } from '#traffic/exchange.ts'

/** The service violates the requirement. */
export class Violation extends Error {
  readonly expected: string
  readonly actual: string
  readonly exchanges: readonly Exchange[]
  /** The difference, if a number is wrong; interference by others rarely gives the same difference twice. */
  delta: number | undefined
  /** The balances that were compared. */
  balances: { readonly before: number; readonly after: number } | undefined
  /** It shows only once the check is repeated alone: beside others it may not have done all that it takes. */
  tentative = false

  constructor(expected: string, actual: string, ...exchanges: (Exchange | undefined)[]) {
    super(`expected ${expected}; got ${actual}`)
    this.expected = expected
    this.actual = actual
    this.exchanges = exchanges.filter((one) => one !== undefined)
  }
}

/** The requirement could not be exercised; `supply` names what the operator can supply to change that. */
export class NotExercised extends Error {
  readonly supply: string | undefined

  constructor(reason: string, supply?: string) {
    super(reason)
    this.supply = supply
  }
}

/** The requirement is about something optional that the service does not offer. */
export class NotApplicable extends Error {}

/** Skips what is not offered or cannot be exercised: `take().catch(skip)`. */
export function skip(error: unknown): undefined {
  if (error instanceof NotExercised || error instanceof NotApplicable) return undefined
  throw error
}

/** The service cannot be reached, so nothing more can be exercised. */
export class Unreachable extends Error {}
