/** A request to which no answer came: it was dropped, or the service is unreachable. */
import { Unreachable, Violation } from './check-errors.ts'
import type { ClientSettings } from './client-settings.ts'
import { pause } from './pauses.ts'
import type { Target } from './target.ts'

const mostTries = 3

/** Finds out which by asking for anything; returns the error to throw. */
export async function errorWithoutAnswer(
  target: Target,
  { timeout, headers }: ClientSettings,
  method: string,
  url: string,
  reason: string,
): Promise<Error> {
  for (let tries = 0; tries < mostTries; tries++) {
    if (tries > 0) await target.sleep(pause)
    try {
      const response = await target.transport(`${target.baseUrl}/api/cli/whoami`, {
        method: 'GET',
        headers: { ...headers, accept: 'application/json' },
        signal: AbortSignal.timeout(timeout),
      })
      await response.body?.cancel()
      return new Violation('an answer', `none to ${method} ${new URL(url).pathname}: ${reason}`)
    } catch {}
  }
  return new Unreachable(`${target.baseUrl} does not answer: ${reason}`)
}
