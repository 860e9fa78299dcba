/** Why a request got no answer. */

/** The innermost reason of a failed request, such as `ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  const { cause, code, message, name } = error as Error & { code?: string }
  if (name === 'TimeoutError') return 'no answer in time'
  return cause ? reasonOf(cause) : (code ?? message)
}
