/** Words of checks: `need…` prepares and blames nothing; `expect…` judges. */
import { brief, codeOf, type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/finding.ts'

/** Goes on only with a success; what is wrong with it is another requirement's business. */
export function needAccepted(exchange: Exchange): Exchange {
  if (isAccepted(exchange)) return exchange
  throw new NotExercised(
    `${exchange.operation} was not accepted (${brief(exchange)}), so there is nothing to judge`,
  )
}

/** Goes on only with a value. */
export function need<T>(value: T | undefined | null, what: string): T {
  if (value !== undefined && value !== null) return value
  throw new NotExercised(`${what} is missing, so there is nothing to judge`)
}

/** Goes on only with a list; one without items, or of another kind, is another requirement's business. */
export function needItems(exchange: Exchange, name = 'items'): unknown[] {
  const list = field(exchange.json, name)
  return need(Array.isArray(list) ? list : undefined, `the list ${name} of ${exchange.operation}`)
}

/** Judges that a request was accepted. */
export function expectAccepted(exchange: Exchange): Exchange {
  if (isAccepted(exchange)) return exchange
  throw new Violation('a success (any 2xx)', brief(exchange), exchange)
}

/** A refusal: the statuses that will do, and for each the code it must carry (null: any). */
export type Refusal = Readonly<Record<number, string | null>>

export const refusals = {
  unauthorized: { 401: 'unauthorized' },
  notFound: { 404: 'not_found' },
  badInput: { 400: 'invalid_request', 409: 'invalid_request', 422: null },
  noCredits: { 402: 'no_credits' },
  rateLimited: { 429: 'rate_limited' },
  unavailable: { 503: 'unavailable' },
} as const satisfies Record<string, Refusal>

/** Judges that a request was refused in one of the ways that will do. */
export function expectRefused(exchange: Exchange, refusal: Refusal): Exchange {
  if (isRefused(exchange, refusal)) return exchange
  throw new Violation(describe(refusal), brief(exchange), exchange)
}

/** Goes on only with a refusal; where it is none, that is another requirement's business. */
export function needRefused(exchange: Exchange, refusal: Refusal): Exchange {
  if (isRefused(exchange, refusal)) return exchange
  throw new NotExercised(`the plain ${exchange.operation} is not refused either (${brief(exchange)})`)
}

function isRefused(exchange: Exchange, refusal: Refusal): boolean {
  const code = refusal[exchange.status]
  return code === null || (code !== undefined && codeOf(exchange) === code)
}

function describe(refusal: Refusal): string {
  return Object.entries(refusal)
    .map(([status, code]) => `${status} ${code ?? 'with any error code'}`)
    .join(', or ')
}

/** Judges that two values are the same. */
export function expectSame(actual: unknown, expected: unknown, what: string, ...exchanges: Exchange[]): void {
  if (Object.is(actual, expected)) return
  const violation = new Violation(`${what}: ${show(expected)}`, show(actual), ...exchanges)
  if (typeof actual === 'number' && typeof expected === 'number') violation.offBy = actual - expected
  throw violation
}

/** Judges a fact. */
export function expectThat(
  fact: boolean,
  expected: string,
  actual: string,
  ...exchanges: (Exchange | undefined)[]
): void {
  if (!fact) throw new Violation(expected, actual, ...exchanges)
}

/** A value in a few words. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
