/** The errors that a check throws on purpose; any other error is reported as a defect of the suite. */
import { briefAnswer, type Exchange } from '#traffic/exchange.ts'

/** The balances before and after an action, in credits, of the organization whose client is `caller`. */
export interface ComparedBalances {
  readonly before: number
  readonly after: number
  readonly caller: Exchange['caller']
}

/** Thrown where the service violates the requirement of a check. */
export class Violation extends Error {
  readonly expected: string
  readonly actual: string
  readonly exchanges: readonly Exchange[]
  /** By how much a number is wrong; other clients that interfere rarely cause the same difference twice. */
  delta: number | undefined
  /** The balances that were compared. */
  balances: ComparedBalances | undefined
  /** True if the violation counts only once it occurs again when the check is repeated alone. */
  tentative = false

  constructor(expected: string, actual: string, ...exchanges: (Exchange | undefined)[]) {
    super(`expected ${expected}; got ${actual}`)
    this.expected = expected
    this.actual = actual
    this.exchanges = exchanges.filter((one) => one !== undefined)
  }

  /**
   * Marks this violation as one that counts only if the check, repeated alone, finds it again: other checks may have
   * prevented a part of it.
   */
  asTentative(): this {
    this.tentative = true
    return this
  }
}

/**
 * Thrown where a requirement cannot be tested. `supply`: what the operator can supply to change that; `answer`: the
 * answer because of which it cannot be tested.
 */
export class NotExercised extends Error {
  readonly supply: string | undefined
  readonly answer: string | undefined

  constructor(reason: string, supply?: string, answer?: Exchange) {
    super(reason)
    this.supply = supply
    this.answer = answer && briefAnswer(answer)
  }
}

/**
 * Thrown where a requirement cannot be tested because the operator's endpoint for provider states is wrong.
 * `mayBeOthers`: another client of the organization may be the cause instead.
 */
export class ProviderStateError extends NotExercised {
  readonly fault: string
  readonly mayBeOthers: boolean

  constructor(fault: string, mayBeOthers = false) {
    super(`the provider's set-up is at fault: ${fault}`)
    this.fault = fault
    this.mayBeOthers = mayBeOthers
  }
}

/** The `supply` of errors that asks the operator for an organization that nobody else uses. */
export const unsharedOrganizationAdvice = 'an organization that nobody else uses'

/**
 * Thrown where a violation may have been caused by other clients whose activity was observed. `seen`: that violation,
 * if all of it is known.
 */
export class DisturbedByOthers extends NotExercised {
  readonly seen: Violation | undefined

  constructor(reason: string, seen?: Violation, supply = unsharedOrganizationAdvice) {
    super(reason, supply)
    this.seen = seen
  }
}

/** Thrown where a requirement is about something optional that the service does not offer. */
export class NotApplicable extends Error {}

/** A handler for `catch`: undefined for `NotExercised` and `NotApplicable`; any other error is thrown again. */
export function rethrowUnlessNotExercised(error: unknown): undefined {
  if (error instanceof NotExercised || error instanceof NotApplicable) return undefined
  throw error
}

/** A handler for `catch`: returns a `NotExercised` or `NotApplicable` as a value, and throws any other error again. */
export function returnNotExercised(error: unknown): NotExercised | NotApplicable {
  if (error instanceof NotExercised || error instanceof NotApplicable) return error
  throw error
}

/** Thrown where the service cannot be reached, so that nothing more can be tested. */
export class Unreachable extends Error {}
