/** The errors that a check throws on purpose; any other error is reported as a defect of the suite. */
import { brief, type Exchange } from '#traffic/exchange.ts'

/** The service violates the requirement. */
export class Violation extends Error {
  readonly expected: string
  readonly actual: string
  readonly exchanges: readonly Exchange[]
  /** The difference, if a number is wrong; interference by others rarely gives the same difference twice. */
  delta: number | undefined
  /** The balances that were compared. */
  balances: { readonly before: number; readonly after: number } | undefined
  /** Set for what counts only once the check is repeated alone. */
  tentative = false

  constructor(expected: string, actual: string, ...exchanges: (Exchange | undefined)[]) {
    super(`expected ${expected}; got ${actual}`)
    this.expected = expected
    this.actual = actual
    this.exchanges = exchanges.filter((one) => one !== undefined)
  }

  /** The same, where the check may not have done all that it takes while others ran: it counts once repeated alone. */
  asTentative(): this {
    this.tentative = true
    return this
  }
}

/**
 * The requirement could not be exercised; `supply` names what the operator can supply to change that, `answer` is the
 * answer that kept it from being exercised, as violations word theirs.
 */
export class NotExercised extends Error {
  readonly supply: string | undefined
  readonly answer: string | undefined

  constructor(reason: string, supply?: string, answer?: Exchange) {
    super(reason)
    this.supply = supply
    this.answer = answer && brief(answer)
  }
}

/** A provider state cannot be used because of the provider. `mayBeOthers`: unless somebody else uses the organization. */
export class ProviderFault extends NotExercised {
  readonly fault: string
  readonly mayBeOthers: boolean

  constructor(fault: string, mayBeOthers = false) {
    super(`the provider's set-up is at fault: ${fault}`)
    this.fault = fault
    this.mayBeOthers = mayBeOthers
  }
}

/** An organization that nobody else uses, as what the operator may supply. */
export const aQuietOne = 'an organization that nobody else uses'

/**
 * A contradiction that others may have caused, whose activity was observed: neither a violation nor a pass.
 * `seen`: the contradiction, where it is known in full.
 */
export class Disturbed extends NotExercised {
  readonly seen: Violation | undefined

  constructor(reason: string, seen?: Violation, supply = aQuietOne) {
    super(reason, supply)
    this.seen = seen
  }
}

/** The requirement is about something optional that the service does not offer. */
export class NotApplicable extends Error {}

/** Skips what is not offered or cannot be exercised: `take().catch(skip)`. */
export function skip(error: unknown): undefined {
  if (error instanceof NotExercised || error instanceof NotApplicable) return undefined
  throw error
}

/** Keeps why something is not offered or cannot be exercised, for the check that is about it. */
export function reasonNot(error: unknown): NotExercised | NotApplicable {
  if (error instanceof NotExercised || error instanceof NotApplicable) return error
  throw error
}

/** The service cannot be reached, so nothing more can be exercised. */
export class Unreachable extends Error {}
