/** Allowed refusals of requests (§7). */
import { errorCodeOf, isRouteAbsent } from '#traffic/exchange.ts'
import { isFromGateway } from '../client/recorder.ts'
import { type Answer, type AnsweredRequest, isSuccess } from './event.ts'
import { statusAndCode } from './matching.ts'
import { judgeFact, type RuleJudgement } from './violation.ts'

/** An allowed refusal: the error code that each allowed status must have (null: any). */
export type AllowedRefusal = Readonly<Record<number, string | null>>

/** The documented refusals by name, such as `notFound`. */
export const documentedRefusals = {
  unauthorized: { 401: 'unauthorized' },
  notFound: { 404: 'not_found' },
  badInput: { 400: 'invalid_request', 409: 'invalid_request', 422: null },
  notFoundOrBadInput: { 400: 'invalid_request', 404: 'not_found', 409: 'invalid_request', 422: null },
  noCredits: { 402: 'no_credits' },
  rateLimited: { 429: 'rate_limited' },
  unavailable: { 503: 'unavailable' },
} as const satisfies Record<string, AllowedRefusal>

/** Statuses that refuse bad input; a service may answer 409 also for a conflict with what exists. */
export const badInputStatuses: readonly number[] = Object.keys(documentedRefusals.badInput).map(Number)

/** Statuses of the errors that the specification documents. */
export const documentedErrorStatuses: readonly number[] = [400, 401, 402, 404, 409, 422, 429, 500, 503]

/** The allowed refusal with any success (2xx) allowed as well. */
export const allowRefusalOrSuccess = (refusal: AllowedRefusal): AllowedRefusal => ({
  ...refusal,
  [anySuccess]: null,
})

const anySuccess = 200

/** True if an answer is one of the allowed refusals. */
export function isAllowedRefusal(answer: Pick<Answer, 'status' | 'json'>, refusal: AllowedRefusal): boolean {
  if (isSuccess(answer)) return refusal[anySuccess] === null
  const code = refusal[answer.status]
  return code === null || (code !== undefined && errorCodeOf(answer) === code)
}

/** A refusal in words, such as `400 invalid_request, or 422 with any error code`. */
export function describeRefusal(refusal: AllowedRefusal): string {
  const { [anySuccess]: success, ...refused } = refusal
  const words = Object.entries(refused).map(([status, code]) => `${status} ${code ?? 'with any error code'}`)
  return [...words, ...(success === null ? ['a success'] : [])].join(', or ')
}

/**
 * Judges the answer to a request that must, or may, be refused. `because`: the id of the event that makes a refusal
 * necessary.
 */
export function judgeRefusal(
  { operation, answer }: Pick<AnsweredRequest, 'operation' | 'answer'>,
  refusal: AllowedRefusal,
  because?: number,
): RuleJudgement {
  const { status, json } = answer
  // Limits, outages, sizes and missing routes take precedence.
  if (isFromGateway(answer) || [413, 429, 503].includes(status) || isRouteAbsent({ operation, status }))
    return undefined
  // Bodies other than JSON cannot be judged.
  if (refusal[status] !== undefined && json === undefined) return undefined
  return judgeFact(
    isAllowedRefusal(answer, refusal),
    describeRefusal(refusal),
    statusAndCode(answer),
    because,
  )
}
