/** Journal entries as shown to people, with secrets redacted. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import { curlOf } from '#traffic/curl.ts'
import { harOf } from '#traffic/har.ts'
import { isTruncated, type JournalEntry } from '#traffic/journal-entry.ts'
import { headerPairsOf, redactorOf } from '#traffic/redaction.ts'
import { vitestTestOf } from '#traffic/typescript.ts'
import { isoTimeOf } from '../core/clock.ts'
import { decidingStages, type RecordedEntry } from './entry.ts'

const headers = z.record(z.string(), z.string())

/** Schema of a request and its response as control routes show them, with secrets redacted. */
export const requestViewSchema = z.object({
  number: z.int().describe('Number among all requests of the mock, from 1.'),
  id: z.string().describe('`req_…`, referenced by the ledger.'),
  at: z.iso.datetime().describe('Mock time.'),
  duration_ms: z.number().describe('Mock time until the response, ms.'),
  org_id: z.string().nullable(),
  key_id: z.string().nullable().describe('The id of the key; null: none, or a session.'),
  operation: z.enum(operationIds).nullable().describe('Null: an unknown path or method.'),
  status: z.int().describe('0: no response was sent.'),
  error: z.string().nullable().describe('The `error` code of the response.'),
  variant: z.enum(variants),
  reason: z.string().nullable().describe('The fault that applied, as in `X-Mock-Reason`.'),
  wire: z
    .string()
    .nullable()
    .describe(
      'The connection fault, such as `reset`; `abandoned`: the client closed the connection before the answer.',
    ),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: headers.describe('Names in lower case.'),
    body: z.string().nullable(),
  }),
  answer: z
    .object({ headers, body: z.string() })
    .describe('The response, or what it would have been without the fault in `wire`.'),
})
/** A request and its response as control routes show them. */
export type RequestView = Readonly<z.output<typeof requestViewSchema>>

/**
 * Converts a journal entry to the form that control routes return. `keys`: secrets to redact that have no known prefix.
 */
export function viewRequest(entry: JournalEntry, keys: readonly string[] = []): RequestView {
  const redaction = redactorOf(entry, keys)
  const { number, id, duration_ms, org_id, key_id, operation, status, error, variant, reason, wire } = entry
  const { answer, body, method } = entry
  const headers: Record<string, string> = {}
  for (const [name, value] of headerPairsOf(entry.headers)) {
    const shown = redaction.header(name, value)
    const before = headers[name.toLowerCase()]
    headers[name.toLowerCase()] = before === undefined ? shown : `${before}, ${shown}`
  }
  const answerHeaders = Object.entries(entry.answerHeaders).map(([name, value]) => [
    name,
    redaction.header(name, value),
  ])
  return {
    ...{ number, id, at: isoTimeOf(entry.at), duration_ms, org_id, key_id },
    ...{ operation, status, error, variant, reason, wire },
    request: { method, url: redaction.text(entry.url), headers, body: body && redaction.text(body) },
    answer: {
      headers: Object.fromEntries(answerHeaders),
      body: operation === 'createKey' ? redaction.newKey(answer) : redaction.text(answer),
    },
  }
}

/** Schema of a journal entry in a list, without headers and bodies. */
export const requestRowSchema = requestViewSchema
  .omit({ key_id: true, variant: true, request: true, answer: true })
  .extend({
    method: z.string(),
    path: z.string(),
    credits: z.number().describe('What it added to the credits of the organization, or took.'),
    decided_by: z.enum(decidingStages),
  })
/** A journal entry in a list, without headers and bodies. */
export type RequestRow = Readonly<z.output<typeof requestRowSchema>>

/** Paths that consist of words and an id of the mock's own form: no secret looks like that. */
const harmless = /^\/api\/cli(?:\/[a-z-]+)+(?:\/[a-z]+_[0-9a-z]{16}(?:\/[a-z]+)?)?$/

/** Converts a journal entry to its short form for lists. `keys`: secrets to redact that have no known prefix. */
export function requestRowOf(entry: RecordedEntry, keys: readonly string[] = []): RequestRow {
  const { number, id, duration_ms, org_id, operation, method, status, error, reason, wire } = entry
  const { credits, decided_by } = entry
  const at = isoTimeOf(entry.at)
  const path = pathOf(entry, keys)
  return {
    ...{ number, id, at, duration_ms, org_id, operation, method, path },
    ...{ status, error, reason, wire, credits, decided_by },
  }
}

function pathOf(entry: RecordedEntry, keys: readonly string[]): string {
  const path = entry.url.slice(entry.url.indexOf('/', entry.url.indexOf('//') + 2))
  const authenticated = entry.decided_by !== 'authentication'
  return authenticated && needsNoRedaction(path, keys) ? path : redactorOf(entry, keys).text(path)
}

/** True if a path cannot contain a secret, because it consists only of words and ids that the mock made. */
export function needsNoRedaction(path: string, keys: readonly string[] = []): boolean {
  return keys.length === 0 && harmless.test(path)
}

/** Schema of one request in three export formats: a curl line, a HAR and a test. */
export const requestExportsSchema = z.object({ curl: z.string(), har: z.string(), typescript: z.string() })
/** One request as text. Credentials are variables: `$WORK_AGENT_API_KEY`, `$WORK_AGENT_SESSION_COOKIE`. */
type RequestCopies = Readonly<z.output<typeof requestExportsSchema>>

/** Headers that a client adds by itself. */
const automatic =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|origin|referer|expect|te|priority|x-admin-token|sec-.*)$/

/**
 * Exports a journal entry as a curl line, a HAR and a test. `keys`: secrets to redact that have no known prefix;
 * `state`: the fragment of a link to a state, which the exported requests restore first.
 */
export function exportRequest(
  entry: RecordedEntry,
  keys: readonly string[] = [],
  state?: string,
): RequestCopies {
  const { request } = viewRequest(entry, keys)
  const authenticated = entry.org_id !== null
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      automatic.test(name) ? [] : [[name, named(name, value, authenticated)]],
    ),
  )
  const { method, url, body } = request
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  const setup = state === undefined ? [] : [restoring(entry, url.slice(0, -path.length), state)]
  const line = curlOf({ method, url, requestHeaders: headers, requestBody: body ?? undefined })
  const note = isTruncated(body ?? '') ? 'The journal holds only the beginning of the body.\n' : ''
  const script = [...setup.map(quietly), line].join(' &&\n')
  return {
    curl: (note && `# ${note}`) + script,
    har: JSON.stringify(harOf([...setup, entry], keys), null, 2),
    typescript:
      (note && `// ${note}`) +
      vitestTestOf({
        name: entry.operation ?? `${method} ${path}`,
        method,
        path,
        headers,
        body,
        status: entry.status,
        answer: entry.answer,
        restores: setup[0]?.body,
      }),
  }
}

/** A curl line for a call that prints only a failure. */
const quietly = ({ method, url, body, headers: [name, value] }: ReturnType<typeof restoring>) =>
  `${curlOf({ method, url, requestHeaders: { [name]: value }, requestBody: body })} -sSfo /dev/null`

const restoring = (entry: RecordedEntry, origin: string, state: string) => ({
  ...entry,
  org_id: entry.org_id,
  follows: null,
  id: 'restore',
  operation: null,
  method: 'POST',
  url: `${origin}/__admin/restore`,
  headers: ['content-type', 'application/json'] as const,
  body: JSON.stringify({ state }),
  status: 200,
  answerHeaders: {},
  answer: '',
  error: null,
  reason: null,
  wire: null,
})

/** A header value in which a variable replaces the credential, if that was valid. */
function named(name: string, value: string, valid: boolean): string {
  if (!valid) return value
  if (name === 'authorization') return value.replace('[redacted]', '$WORK_AGENT_API_KEY')
  return name === 'cookie' ? '$WORK_AGENT_SESSION_COOKIE' : value
}
