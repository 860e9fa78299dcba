/** From an outcome to a Response: the shape of a variant, the status, the headers. */
import { failures } from '#contract/errors.ts'
import type { OperationId } from '#contract/operation.ts'
import { operationIds, routeOf } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { Failure } from '../core/failure.ts'

/** How an answer is written. */
export interface ResponseFormat {
  readonly variant: Variant
  /** Fields of both variants at once. */
  readonly superset?: boolean
  readonly retryAfter: 'seconds' | 'date'
  /** Mock time, ms since the epoch: the `Date` header. */
  readonly now: number
}

/** Fields that a variant leaves out because only the other one names them; undefined: none. */
type LeftOut = Readonly<Record<OperationId, Readonly<Record<Variant, ReadonlySet<string> | undefined>>>>

const leftOut = Object.fromEntries(
  operationIds.map((operation) => {
    const { answer } = routeOf(operation)
    const fields = (variant: Variant) => Object.keys(answer[variant].shape)
    const only = (mine: Variant, other: Variant) => {
      const extra = fields(other).filter((field) => !fields(mine).includes(field))
      return extra.length > 0 ? new Set(extra) : undefined
    }
    return [operation, { first: only('first', 'second'), second: only('second', 'first') }]
  }),
) as LeftOut

/** Cuts the shape of a variant out of an answer that has the fields of both. */
export function shape(operation: OperationId, variant: Variant, answer: object): object {
  const drop = leftOut[operation][variant]
  return drop ? Object.fromEntries(Object.entries(answer).filter(([field]) => !drop.has(field))) : answer
}

/** An answer before it is written. */
export interface ResponseParts {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** An answer, written but not yet sent. */
export interface SerializedResponse {
  readonly status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  text: string
}

/** Serializes a response as it is. */
export function serialize({ status, headers, body }: ResponseParts): SerializedResponse {
  return { status, headers, text: JSON.stringify(body) }
}

/** A success answer. */
export function successParts(operation: OperationId, answer: object, manner: ResponseFormat): ResponseParts {
  const body = manner.superset ? answer : shape(operation, manner.variant, answer)
  return { status: 200, headers: headersAt(manner.now), body }
}

/** An error answer (§7). */
export function failureParts(failure: Failure, { variant, retryAfter, now }: ResponseFormat): ResponseParts {
  const { code, status, message } = failures[failure.name]
  const wait = failure.retry_after_ms ?? (failure.name === 'rate_limited' ? 1_000 : undefined)
  const headers =
    wait === undefined
      ? headersAt(now)
      : { ...headersAt(now), 'retry-after': retryAfterOf(wait, retryAfter, now) }
  const body = { error: code, message: failure.message ?? message[variant] }
  return { status: status[variant], headers, body }
}

/** Whole seconds, rounded up, or the HTTP date at which they have passed (RFC 9110 §10.2.3). */
function retryAfterOf(wait_ms: number, form: 'seconds' | 'date', now: number): string {
  const seconds = Math.max(1, Math.ceil(wait_ms / 1_000))
  if (form === 'seconds') return String(seconds)
  return new Date(Math.ceil((now + wait_ms) / 1_000) * 1_000).toUTCString()
}

let second = Number.NaN
let headers: Readonly<Record<string, string>> = {}

/** Headers of every JSON answer: the same value for as long as `Date` is, since the journal keeps many. */
function headersAt(now: number): Readonly<Record<string, string>> {
  const current = Math.floor(now / 1_000)
  if (current !== second) {
    second = current
    headers = { 'content-type': 'application/json', date: new Date(now).toUTCString() }
  }
  return headers
}
