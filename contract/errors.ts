/** The error table (§7): each failure with its code, its status in each variant and its meaning. */
import { z } from 'zod'

/**
 * Makes a row of the table. `code`: the `error` in a response, on which clients branch; `status`, and `message` (the
 * default text): one for both variants, or one for each.
 */
function entry<const C extends string>(
  code: C,
  status: number | { first: number; second: number },
  message: string | { first: string; second: string },
  meaning: string,
  section = '§7',
) {
  return {
    code,
    status: typeof status === 'number' ? { first: status, second: status } : status,
    message: typeof message === 'string' ? { first: message, second: message } : message,
    meaning,
    section,
  }
}

/**
 * The error table (§7): every failure with its code, statuses and messages. Several failures share the code
 * `invalid_request`; they differ in why the request is rejected, and therefore in status.
 */
export const failures = {
  unauthorized: entry(
    'unauthorized',
    401,
    {
      first: 'The API key is missing or invalid.',
      second: 'You are not logged in. Log in with the client, then try again.',
    },
    'Key or session missing or invalid.',
    '§5.3, §7',
  ),
  not_found: entry(
    'not_found',
    404,
    'No such resource in this organization.',
    'No such resource for this organization.',
  ),
  unreadable: entry(
    'invalid_request',
    400,
    'The body must be a JSON object.',
    'The body is missing, too large, not JSON, or not an object.',
  ),
  invalid: entry(
    'invalid_request',
    { first: 400, second: 422 },
    'The request cannot be accepted as written.',
    'A readable request that fails validation.',
  ),
  conflict: entry(
    'invalid_request',
    409,
    'The request does not fit the state of the resource.',
    'The request cannot be accepted in the present state.',
  ),
  no_credits: entry(
    'no_credits',
    402,
    {
      first: 'Out of Work Credits. Buy more in the web application.',
      second: 'Out of Work Credits. Go to the billing page of the application to top up.',
    },
    'Out of Work Credits; it stays so until they are topped up.',
  ),
  busy: entry(
    'busy',
    409,
    'The agent has other work at present. This run starts as soon as it is free.',
    'The agent has other work at present; the run is accepted and starts as soon as it is free.',
    '§3.3, §7',
  ),
  rate_limited: entry(
    'rate_limited',
    429,
    'Too many requests. Wait as long as Retry-After says.',
    'Too many requests for this key; honour the Retry-After header.',
    '§7, §8.1',
  ),
  unavailable: entry(
    'unavailable',
    503,
    'Temporarily unavailable. Try again shortly.',
    'Temporary; retry shortly.',
  ),
  internal_error: entry('internal_error', 500, 'Unexpected server error.', 'Unexpected server error.'),
} as const

/** The name of a failure, a row of the error table. */
export type FailureName = keyof typeof failures
/** The value of the field `error` in an error answer. */
export type ErrorCode = (typeof failures)[FailureName]['code']

/** All `error` codes, without duplicates. */
export const errorCodes: ReadonlySet<string> = new Set(Object.values(failures).map(({ code }) => code))

/** Failures that every route can return (§5.3, §7, §8.1). */
export const commonFailures = [
  'unauthorized',
  'rate_limited',
  'unavailable',
  'internal_error',
] as const satisfies FailureName[]
/** A failure that every route can return. */
export type CommonFailure = (typeof commonFailures)[number]

/** Schema of the body of every error response (§7). */
export const errorBody = z.looseObject({
  error: z.string().min(1).describe('The code that clients branch on.'),
  message: z.string().describe('Human-readable text; clients do not branch on it.'),
})
