/** One request as text for the clipboard: a curl line, a HAR file, a test. Without secrets. */
import { curlOf } from '#traffic/curl.ts'
import { harOf } from '#traffic/har.ts'
import { testOf } from '#traffic/typescript.ts'
import type { RecordedEntry } from './stage.ts'
import { viewRequest } from './view.ts'

/** One request as text. Credentials are variables: `$WORK_AGENT_API_KEY`, `$WORK_AGENT_SESSION_COOKIE`. */
export interface RequestCopies {
  readonly curl: string
  readonly har: string
  readonly typescript: string
}

/** Headers that a client adds by itself. */
const automatic =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|origin|referer|expect|te|priority|x-admin-token|sec-.*)$/

/** Returns the copies of a request. `keys`: secrets to redact that have no known prefix. */
export function copiesOf(entry: RecordedEntry, keys: readonly string[] = []): RequestCopies {
  const { request } = viewRequest(entry, keys)
  const authenticated = entry.org_id !== null
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      automatic.test(name) ? [] : [[name, named(name, value, authenticated)]],
    ),
  )
  const { method, url, body } = request
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  return {
    curl: curlOf({ method, url, requestHeaders: headers, requestBody: body ?? undefined }),
    har: JSON.stringify(harOf([entry], keys), null, 2),
    typescript: testOf({
      name: entry.operation ?? `${method} ${path}`,
      method,
      path,
      headers,
      body,
      status: entry.status,
      answer: entry.answer,
    }),
  }
}

/** The variable in place of a credential that was valid. */
function named(name: string, value: string, valid: boolean): string {
  if (!valid) return value
  if (name === 'authorization') return value.replace('[redacted]', '$WORK_AGENT_API_KEY')
  return name === 'cookie' ? '$WORK_AGENT_SESSION_COOKIE' : value
}
