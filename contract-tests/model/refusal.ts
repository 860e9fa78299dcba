/** §7: what a refusal may be. */
import { codeOf } from '#traffic/exchange.ts'
import { type Answer, isSuccess } from './event.ts'

/** A refusal: the allowed statuses, each with the error code it must have (null: any). */
export type Refusal = Readonly<Record<number, string | null>>

export const refusals = {
  unauthorized: { 401: 'unauthorized' },
  notFound: { 404: 'not_found' },
  badInput: { 400: 'invalid_request', 409: 'invalid_request', 422: null },
  notFoundOrBadInput: { 400: 'invalid_request', 404: 'not_found', 409: 'invalid_request', 422: null },
  noCredits: { 402: 'no_credits' },
  rateLimited: { 429: 'rate_limited' },
  unavailable: { 503: 'unavailable' },
} as const satisfies Record<string, Refusal>

export const documentedErrors: readonly number[] = [400, 401, 402, 404, 409, 422, 429, 500, 503]

/** What may also succeed. */
export const orSuccess = (refusal: Refusal): Refusal => ({ ...refusal, [anySuccess]: null })

const anySuccess = 200

/** Whether an answer is one of the allowed refusals. */
export function isRefused(answer: Pick<Answer, 'status' | 'json'>, refusal: Refusal): boolean {
  if (isSuccess(answer)) return refusal[anySuccess] === null
  const code = refusal[answer.status]
  return code === null || (code !== undefined && codeOf(answer) === code)
}

/** `400 invalid_request, or 422 with any error code`. */
export function describe(refusal: Refusal): string {
  const { [anySuccess]: success, ...refused } = refusal
  const words = Object.entries(refused).map(([status, code]) => `${status} ${code ?? 'with any error code'}`)
  return [...words, ...(success === null ? ['a success'] : [])].join(', or ')
}
