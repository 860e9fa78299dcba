/** Creates the status, headers and body of a response in one variant. */
import { failures } from '#contract/errors.ts'
import { hasVariantSpecificFields, type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { JsonObject } from '#traffic/exchange.ts'
import type { Failure } from '../core/failure.ts'
import type { ConnectionFault } from '../faults/connection.ts'

/** The format of an answer: its variant, and the form of Retry-After. */
interface ResponseFormat {
  readonly variant: Variant
  /** True if the body has the fields of both variants. */
  readonly superset?: boolean
  readonly retryAfter: 'seconds' | 'date' | 'none'
  /** Mock time for the `Date` header, ms since the epoch. */
  readonly now: number
}

/** The fields that only the other variant has in the answers of an operation. */
const foreign = new Map(
  operationIds.filter(hasVariantSpecificFields).map((operation) => {
    const { first, second } = routeOf(operation).answer
    const alone = (one: typeof first, other: typeof first) =>
      new Set(Object.keys(one.shape).filter((field) => !(field in other.shape)))
    return [operation, { first: alone(second, first), second: alone(first, second) }]
  }),
)

/** Reduces a body with the fields of both variants to those of one. */
function shape(operation: OperationId, variant: Variant, answer: JsonObject): JsonObject {
  const others = foreign.get(operation)?.[variant]
  if (!others) return answer
  const own: Record<string, unknown> = {}
  for (const field in answer) if (!others.has(field)) own[field] = answer[field]
  return own
}

/** Status, headers and body of an answer, before it is written as text. */
export interface ResponseParts {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** An answer of the mock as an edge, such as HTTP, sends it. */
export interface Answer {
  readonly status: number
  /** Headers by name, in lower case unless a quirk spells them otherwise. */
  headers: Readonly<Record<string, string>>
  text: string
  /** The fault of the connection that carries it, and the reason; undefined if there is none. */
  fault?: ConnectionFault & { readonly reason: string }
}

/** Converts a response to the form that edges send: status, headers and the JSON body as text. */
export function serializeAnswer({ status, headers, body }: ResponseParts): Answer {
  return { status, headers, text: JSON.stringify(body) }
}

/** The status, headers and body of a success. `format`: the variant whose fields it has, or both variants. */
export function successParts(operation: OperationId, answer: object, format: ResponseFormat): ResponseParts {
  const body = format.superset ? answer : shape(operation, format.variant, answer as JsonObject)
  return { status: 200, headers: headersAt(format.now), body }
}

/** The status, headers and body of a failure, with `Retry-After` where one belongs to it. */
export function failureParts(failure: Failure, { variant, retryAfter, now }: ResponseFormat): ResponseParts {
  const { code, status, message } = failures[failure.name]
  const wait = failure.retry_after_ms ?? (failure.name === 'rate_limited' ? 1_000 : undefined)
  const headers =
    wait === undefined || retryAfter === 'none'
      ? headersAt(now)
      : { ...headersAt(now), 'retry-after': retryAfterOf(wait, retryAfter, now) }
  const body = { error: code, message: failure.message ?? message[variant] }
  return { status: status[variant], headers, body }
}

/** Adds a `Date` header to the answer of a gateway. `now`: ms since the epoch. */
export function withDateHeader({ status, headers, text }: Answer, now: number): Answer {
  const { date = '' } = headersAt(now)
  return { status, headers: { ...headers, date }, text }
}

/** The other of the two variants of the API. */
export function otherVariant(variant: Variant): Variant {
  return variant === 'first' ? 'second' : 'first'
}

/** Returns the wait in whole seconds, rounded up, or as the HTTP date when it is over (RFC 9110 §10.2.3). */
function retryAfterOf(wait_ms: number, form: 'seconds' | 'date', now: number): string {
  if (form === 'seconds') return String(Math.ceil(wait_ms / 1_000))
  return new Date(Math.ceil((now + wait_ms) / 1_000) * 1_000).toUTCString()
}

let second = Number.NaN
let headers: Readonly<Record<string, string>> = {}

/** Headers of a JSON response: one object for a second of mock time, because the journal holds many of them. */
function headersAt(now: number): Readonly<Record<string, string>> {
  const current = Math.floor(now / 1_000)
  if (current !== second) {
    second = current
    headers = { 'content-type': 'application/json', date: new Date(now).toUTCString() }
  }
  return headers
}
