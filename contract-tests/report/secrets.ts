/** The secrets of a run, and the names that reports show in their place. */
import type { Run } from '../outcome.ts'
import type { Settings } from '../settings.ts'
import type { Secret } from './redact.ts'

/** What the suite was given to authenticate with, and what the service told it. */
export function secretsOf(settings: Settings, run: Run): Secret[] {
  const { apiKey, otherApiKey, sessionCookie } = settings
  const named = [
    [apiKey, '$WORK_AGENT_API_KEY'],
    [otherApiKey, '$WORK_AGENT_OTHER_API_KEY'],
    [sessionCookie, '$WORK_AGENT_SESSION_COOKIE'],
    [sessionCookie?.slice(sessionCookie.indexOf('=') + 1), '$WORK_AGENT_SESSION'],
    ...run.secrets.map((secret) => [secret, '$CREATED_KEY']),
  ]
  return named.flatMap(([value, name]) => (value && name ? [{ value, name }] : []))
}
