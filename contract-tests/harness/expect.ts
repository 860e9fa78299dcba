/** Statements of checks: `assume…` throws NotExercised where a precondition fails, `expect…` throws a Violation. */
import {
  briefAnswer,
  type Exchange,
  hasSuccessStatus,
  idAsText,
  itemsOf,
  valueAtPath,
} from '#traffic/exchange.ts'
import { mayBeRejectedUpstream } from '#traffic/malformed-input.ts'
import { NotExercised, Violation } from '../client/check-errors.ts'
import {
  type AllowedRefusal,
  allowRefusalOrSuccess,
  describeRefusal,
  documentedErrorStatuses,
  documentedRefusals,
  isAllowedRefusal,
} from '../model/index.ts'
import type { RequirementId } from '../model/requirement-id.ts'

export { type AllowedRefusal, allowRefusalOrSuccess, documentedRefusals }

/** Throws NotExercised unless a request was accepted (2xx). */
export function assumeAccepted(exchange: Exchange): Exchange {
  if (hasSuccessStatus(exchange)) return exchange.text === '' ? exchange : assumeJson(exchange)
  throw notAcceptedError(exchange)
}

/** Throws NotExercised if the service answered with a server error other than 503. */
export function assumeNoServerError(exchange: Exchange): void {
  const { status } = exchange
  if (status >= 500 && status !== 503) throw notAcceptedError(exchange)
}

const notAcceptedError = (exchange: Exchange) =>
  new NotExercised(
    `${exchange.operation} was not accepted (${briefAnswer(exchange)}), so there is nothing to check`,
    undefined,
    exchange,
  )

/** Throws NotExercised unless the body of an answer is JSON. */
export function assumeJson(exchange: Exchange): Exchange {
  if (exchange.json !== undefined) return exchange
  throw consequenceError('ANSWER-JSON', `the body of a response to ${exchange.operation} is not JSON`)
}

/** Returns the value. Throws NotExercised if it is undefined. */
export function assumePresent<T>(value: T | undefined | null, what: string): T {
  if (value !== undefined && value !== null) return value
  throw new NotExercised(`${what} is missing, so there is nothing to check`)
}

/** The items of a list in a response. Throws NotExercised unless there is one. */
export function assumeItems(exchange: Exchange, name = 'items'): unknown[] {
  const list = valueAtPath(assumeJson(exchange).json, name)
  return assumePresent(Array.isArray(list) ? list : undefined, `the list ${name} of ${exchange.operation}`)
}

/** The item with an id in a list response; undefined if the list does not contain it. */
export function findItem(list: Exchange, id: string): unknown {
  return assumeItems(list).find((item) => idAsText(valueAtPath(item, 'id')) === id)
}

/** The organization id in a whoami response. */
export function orgIdInWhoami(exchange: Exchange, what = 'org.id'): string {
  return assumePresent(idAsText(valueAtPath(exchange.json, 'org', 'id')), what)
}

/**
 * The error to throw if a check lacks something because the service violates another requirement, whose report is
 * enough.
 */
export const consequenceError = (id: RequirementId, what: string): NotExercised =>
  new NotExercised(`${what}, because of ${id}`)

/** Requires a success (2xx). `causes`: earlier exchanges that must not affect the answer, shown as evidence. */
export function expectAccepted(exchange: Exchange, ...causes: Exchange[]): Exchange {
  if (hasSuccessStatus(exchange)) return exchange
  throw new Violation('a success (any 2xx)', briefAnswer(exchange), ...causes, exchange)
}

/**
 * Requires one of the allowed refusals. `causes`: the exchanges because of which the request must be refused; a text
 * among them names what else is allowed.
 */
export function expectRefused(
  exchange: Exchange,
  refusal: AllowedRefusal,
  ...causes: (Exchange | string)[]
): Exchange {
  if (isAllowedRefusal(exchange, refusal)) return exchange
  if (refusal[exchange.status] !== undefined) assumeJson(exchange)
  const words = causes.filter((one) => typeof one === 'string')
  const shown = causes.filter((one) => typeof one !== 'string')
  throw new Violation(
    [describeRefusal(refusal), ...words].join(', or '),
    briefAnswer(exchange),
    ...shown,
    exchange,
  )
}

/** Requires each answer to be one of the allowed refusals. */
export function expectEachRefused(exchanges: readonly Exchange[], allowed: AllowedRefusal): void {
  for (const exchange of withUndocumentedStatusLast(exchanges))
    if (!mayBeRejectedUpstream(exchange)) expectRefused(exchange, allowed)
}

const hasUndocumentedStatus = (one: Exchange): boolean =>
  !hasSuccessStatus(one) && !documentedErrorStatuses.includes(one.status)

/**
 * The exchanges, reordered so that those with an undocumented status come last and another violation is found first.
 */
export function withUndocumentedStatusLast(exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.toSorted((a, b) => Number(hasUndocumentedStatus(a)) - Number(hasUndocumentedStatus(b)))
}

/** Throws NotExercised unless an answer is one of the allowed refusals. */
export function assumeRefused(exchange: Exchange, refusal: AllowedRefusal): Exchange {
  if (isAllowedRefusal(exchange, refusal)) return exchange
  throw new NotExercised(
    `${exchange.operation} was not refused (${briefAnswer(exchange)}), so there is nothing to check`,
    undefined,
    exchange,
  )
}

/** Requires two values to be equal: throws a Violation otherwise. */
export function expectSame(actual: unknown, expected: unknown, what: string, ...exchanges: Exchange[]): void {
  if (Object.is(actual, expected)) return
  const violation = new Violation(
    `${what}: ${shortJson(expected)}`,
    `${what}: ${shortJson(actual)}`,
    ...exchanges,
  )
  if (typeof actual === 'number' && typeof expected === 'number') violation.delta = actual - expected
  throw violation
}

/** Throws NotExercised if an item of a list has no id. */
export function assumeIds(list: Exchange, member?: string): void {
  if (itemsOf(list, member).some((item) => idAsText(valueAtPath(item, 'id')) === undefined))
    throw consequenceError(`SHAPE-${list.operation}`, 'an item of the list has no id')
}

/** Requires a fact: throws a Violation with the expected and the actual value if it is false. */
export function expectThat(
  fact: boolean,
  expected: string,
  actual: string,
  ...exchanges: (Exchange | undefined)[]
): void {
  if (!fact) throw new Violation(expected, actual, ...exchanges)
}

/** A value as JSON, cut to a length that fits in a report. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
