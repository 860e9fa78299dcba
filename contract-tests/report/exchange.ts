/** An exchange as reports show it: named credentials, no secrets, long bodies cut; and when it took place among others. */
import { z } from 'zod'
import { curlOf, headersWithNamedSecrets, recordedHeadersWithNamedSecrets } from '#traffic/curl.ts'
import { callers, type Exchange, hasSuccessStatus } from '#traffic/exchange.ts'
import { isSecretName } from '#traffic/secret-names.ts'
import type { ModelEvent, RequestEvent } from '../model/event.ts'

/** Replaces secrets. */
type Redact = (text: string) => string

const headers = z.record(z.string(), z.string())

/** A state that was set up before an exchange and was not torn down. */
const arranged = z.strictObject({
  state: z.string(),
  params: z.record(z.string(), z.unknown()).describe('Without the organization.'),
  before_ms: z.int().describe('How long before the request it was set up.'),
})
/** A provider state that was in force when a request was sent, as a report shows it. */
export type ReportedProviderState = Readonly<z.output<typeof arranged>>

/** Schema of a request and its answer in the JSON report. */
export const reportedExchangeSchema = z.strictObject({
  number: z
    .int()
    .optional()
    .describe('Its place among the entries of the recording that was judged, from 1.'),
  caller: z.enum(callers).describe('Whose credentials were sent.'),
  operation: z.string(),
  request: z.strictObject({ method: z.string(), url: z.string(), headers, body: z.string().optional() }),
  response: z.strictObject({ status: z.int(), headers, body: z.string() }),
  duration_ms: z.number(),
  curl: z.string().describe('Sends the same request; credentials are variables.'),
  arranged: z.array(arranged).optional().describe('The provider states that were set up for the request.'),
  sent_ms: z.int().optional().describe('When it was sent, ms after the first request of the run.'),
  together: z
    .int()
    .optional()
    .describe('Requests of the evidence that were sent before the others were answered share a number.'),
  after_wait_ms: z
    .int()
    .optional()
    .describe('How long after the refusal before it with 429 or 503 it was sent, as the service asked.'),
})

/** A request and its answer in a report, without secrets. */
export type ReportedExchange = z.output<typeof reportedExchangeSchema>
/** When an exchange took place. */
type Order = Pick<ReportedExchange, 'number' | 'sent_ms' | 'together' | 'after_wait_ms'>

/** Longest body that a report shows, characters. */
const longestBody = 4_000
/** Characters of a body in which secrets are searched; those beyond are never shown. */
const longestRead = 4 * longestBody

/**
 * An exchange as a report shows it: without secrets, with the provider states set up for it and the time it was sent.
 */
export function createReportedExchange(
  one: Exchange,
  safe: Redact,
  arranged: readonly ReportedProviderState[] = [],
  order: Order = {},
): ReportedExchange {
  const { method, status } = one
  const url = safe(one.url)
  const requestBody = one.requestBody === undefined ? undefined : safe(one.requestBody)
  const isRecorded = order.number !== undefined
  const named = isRecorded ? recordedHeadersWithNamedSecrets(one) : headersWithNamedSecrets(one)
  const requestHeaders = safeHeaders(named, safe)
  return {
    caller: one.caller,
    operation: one.operation,
    request: {
      method,
      url,
      headers: requestHeaders,
      ...(requestBody === undefined ? {} : { body: cut(requestBody, requestBody.length) }),
    },
    response: { status, headers: safeHeaders(withoutSecrets(one.headers), safe), body: shownBody(one, safe) },
    duration_ms: Math.round(one.duration_ms),
    curl: curlOf({ method, url, requestHeaders, requestBody }),
    ...(arranged.length > 0 ? { arranged: arranged.map((state) => ({ ...state })) } : {}),
    ...order,
  }
}

function shownBody(one: Exchange, safe: Redact): string {
  const { operation, json, text } = one
  // In an answer that is not JSON a secret may be anywhere.
  if (operation === 'createKey' && json === undefined && hasSuccessStatus(one) && text !== '')
    return `(not shown: ${text.length} characters that are not JSON and may contain a secret)`
  return cut(safe(text.length > longestRead ? `${text.slice(0, longestRead)}…` : text), text.length)
}

function cut(body: string, whole: number): string {
  return body.length > longestBody
    ? `${body.slice(0, longestBody).toWellFormed()}… (${whole} characters)`
    : body
}

function safeHeaders(headers: Readonly<Record<string, string>>, safe: Redact): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [safe(name), safe(value)]))
}

function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? '(not shown)' : value]),
  )
}

/** True if a request may change something, so that it races others of its kind. */
const changes = (one: Exchange) => one.method !== 'GET'

/**
 * The timing of each exchange of a result: when it was sent, ms since the run began, with which others it was sent
 * together, and the wait after a refusal.
 */
export function evidenceTiming(evidence: readonly Exchange[], history: readonly ModelEvent[]): Order[] {
  if (evidence.length === 0) return []
  const wanted = new Map(evidence.map((one) => [one.number, one]))
  const events = new Map<number, RequestEvent>()
  let began = Number.POSITIVE_INFINITY
  for (const event of history) {
    if (event.kind !== 'request') continue
    began = Math.min(began, event.sent.ms)
    const shown = wanted.get(event.id)
    // The search numbers its requests anew.
    const isIt = shown?.operation === event.operation && shown.status === event.answer?.status
    if (isIt) events.set(event.id, event)
  }
  let group = 0
  /** The last group of simultaneous requests: its number, and the place of the first answer to one of them. */
  let open: { readonly number: number; readonly until: number } | undefined
  const groups = evidence.map((one) => {
    const event = events.get(one.number)
    if (!event || !changes(one)) return undefined
    const until = event.answer?.received.seq ?? event.sent.seq
    if (!open || event.sent.seq > open.until) open = { number: ++group, until }
    else open = { ...open, until: Math.min(open.until, until) }
    return open.number
  })
  return evidence.map((one, i) => {
    const event = events.get(one.number)
    if (!event) return {}
    const isShared = groups.filter((number) => number === groups[i]).length > 1
    const before = evidence[i - 1]
    const refused = before && (before.status === 429 || before.status === 503) && events.get(before.number)
    const wait =
      refused && before.operation === one.operation && refused.answer
        ? Math.round(event.sent.ms - refused.answer.received.ms)
        : undefined
    return {
      sent_ms: Math.round(event.sent.ms - began),
      ...(groups[i] !== undefined && isShared ? { together: groups[i] } : {}),
      ...(wait !== undefined && wait >= 0 ? { after_wait_ms: wait } : {}),
    }
  })
}
