/**
 * How a check ends without passing. These four are the only things a check may throw on purpose; anything
 * else that comes out of it is a fault of the suite, and is reported as one.
 */
import type { Exchange } from '#traffic/exchange.ts'

/** The service broke the requirement. */
export class Violation extends Error {
  readonly expected: string
  readonly actual: string
  readonly exchanges: readonly Exchange[]
  /** By how much a number is off, where one is; what others do is rarely off by the same amount twice. */
  offBy: number | undefined

  constructor(expected: string, actual: string, ...exchanges: (Exchange | undefined)[]) {
    super(`expected ${expected}; got ${actual}`)
    this.expected = expected
    this.actual = actual
    this.exchanges = exchanges.filter((one) => one !== undefined)
  }
}

/** The requirement could not be tried; `supply` says what would let it be. */
export class NotExercised extends Error {
  readonly supply: string | undefined

  constructor(reason: string, supply?: string) {
    super(reason)
    this.supply = supply
  }
}

/** The service does not have what the requirement is about, and need not. */
export class NotApplicable extends Error {}

/** Nothing can be judged any more: the service cannot be reached. */
export class Unreachable extends Error {}
