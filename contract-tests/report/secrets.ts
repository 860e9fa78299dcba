/** The secrets of a run, and the names that reports show in their place. */

import { oneLine } from '#reporting/one-line.ts'
import type { Settings } from '../harness/settings.ts'
import { redactor, type Secret } from './redact.ts'

type Credentials = Pick<Settings, 'apiKey' | 'otherApiKey' | 'sessionCookie' | 'otherSessionCookie'>

/** What the suite was given to authenticate with, and what the service told it. */
export function secretsOf(
  { apiKey, otherApiKey, sessionCookie, otherSessionCookie }: Credentials,
  told: readonly string[] = [],
): Secret[] {
  const named = [
    [apiKey, '$WORK_AGENT_API_KEY'],
    // The suite sends the key with another first character, to see it refused.
    [apiKey.slice(1), '$WORK_AGENT_API_KEY'],
    [otherApiKey, '$WORK_AGENT_OTHER_API_KEY'],
    [sessionCookie, '$WORK_AGENT_SESSION_COOKIE'],
    ...cookieValues(sessionCookie).map((value) => [value, '$WORK_AGENT_SESSION']),
    [otherSessionCookie, '$WORK_AGENT_OTHER_SESSION_COOKIE'],
    ...cookieValues(otherSessionCookie).map((value) => [value, '$WORK_AGENT_OTHER_SESSION']),
    ...told.map((secret) => [secret, '$CREATED_KEY']),
  ]
  return named.flatMap(([value, name]) => (value && name ? [{ value, name }] : []))
}

/** A complaint in one line, without what the suite was given to authenticate with. */
export function safeLine(text: string, credentials: Credentials): string {
  return oneLine(redactor(secretsOf(credentials))(text))
}

/** The value of each cookie, as it is sent and as a service reads it. */
function cookieValues(cookies = ''): string[] {
  return cookies.split(/;\s*/).flatMap((cookie) => {
    const sent = cookie.slice(cookie.indexOf('=') + 1).replace(/^"(.*)"$/, '$1')
    return [sent, decoded(sent)]
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
