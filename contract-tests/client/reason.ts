/** Why a request got no answer. */

/** The reason of a request that was given up. */
export const lateAnswer = 'no answer in time'

/** The innermost reason of a failed request, such as `ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  let at = error as Error & { code?: string }
  while (at.name !== 'TimeoutError' && at.cause) at = at.cause as typeof at
  return at.name === 'TimeoutError' ? lateAnswer : (at.code ?? at.message)
}
