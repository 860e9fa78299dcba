/** §4, §5: what applies to every request. */
import { findClosestWord } from '#contract/input/suggestion.ts'
import { routeOf } from '#contract/operation.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { jsonBoundsProblem, parseJson } from '#traffic/json-bounds.ts'
import { mayBeSecretPlaceholder } from '#traffic/placeholder.ts'
import { minSearchedKeyLength, secretsInHeader } from '#traffic/redaction.ts'
import { isSecretName } from '#traffic/secret-names.ts'
import { isBodyTruncated, requestHeaderOf, requestPathOf } from '../entries.ts'
import { type ClientRule, mustRule, type RuleSituation, shouldRule, violationsOrFirst } from '../rule.ts'

/** The URL, decoded. */
function readable(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** The place in a request of one of these texts, outside `Authorization`; undefined if there is none. */
function placeOf(entry: JournalEntry, texts: readonly string[]): string | undefined {
  const holds = (text: string) => texts.some((one) => text.includes(one))
  if (holds(entry.url) || (entry.url.includes('%') && holds(readable(entry.url)))) return 'the URL'
  if (entry.body !== null && holds(entry.body)) return 'the body'
  return headerThat(entry, holds)
}

/** The header besides `Authorization` whose value fits, in words; undefined if there is none. */
function headerThat({ headers }: JournalEntry, fits: (value: string) => boolean): string | undefined {
  const at = headers.findIndex(
    (text, i) => i % 2 === 1 && fits(text) && headers[i - 1]?.toLowerCase() !== 'authorization',
  )
  return at < 0 ? undefined : `the header ${headers[at - 1]?.toLowerCase()}`
}

/**
 * The place in a request of a value alone, as a whole parameter, field or header outside `Authorization`; undefined if
 * there is none.
 */
function placeOfValue(entry: JournalEntry, value: string): string | undefined {
  const { pathname = '', searchParams = new URLSearchParams() } = URL.parse(entry.url, 'http://mock') ?? {}
  if (readable(pathname).split('/').includes(value) || holdsParameter(searchParams, value)) return 'the URL'
  const isReadable = jsonBoundsProblem(entry.body ?? '') === undefined
  const json = isReadable ? parseJson(entry.body) : undefined
  const isSent =
    json === undefined
      ? holdsParameter(new URLSearchParams(entry.body ?? ''), value)
      : holdsValue(json, value)
  return isSent ? 'the body' : headerThat(entry, (text) => text === value)
}

/** True if a parameter of a query or of a form has that value. */
const holdsParameter = (parameters: URLSearchParams, value: string): boolean =>
  parameters.values().some((one) => one === value)

/** True if a value of a JSON document, at any depth, is that text. */
const holdsValue = (json: unknown, value: string): boolean =>
  json === value ||
  (typeof json === 'object' && json !== null && Object.values(json).some((one) => holdsValue(one, value)))

/** A situation for each request that violates a rule; otherwise one, with the first request. */
function always(
  entries: readonly JournalEntry[],
  violationOf: (entry: JournalEntry) => string | undefined,
): RuleSituation[] {
  return violationsOrFirst(entries.map((entry) => ({ evidence: [entry], violation: violationOf(entry) })))
}

/** The key that a request was accepted with, where a recording tells it. */
function ownKeys(entry: JournalEntry): string[] {
  const value = entry.status === 401 ? undefined : requestHeaderOf(entry, 'authorization')
  return value === undefined || mayBeSecretPlaceholder(value) ? [] : secretsInHeader('authorization', value)
}

/** A parameter that holds the key; a recorder may have kept no more than its name. */
const keyParameter = /[?&](?:api|access)[-_]?(?:key|token)=([^&#]+)/i

/** The rule `key-in-header`: a client sends its key in the Authorization header and nowhere else. */
export const sendsKeyInHeaderRule: ClientRule = shouldRule('key-in-header', '§5.1', {
  statement:
    'A client sends the key in the Authorization header of requests to the API and nowhere else: no other address, no URL, no body, no cookie.',
  needs: 'a request',
  isHarmless: true,
  fix: 'Send Authorization: Bearer <key> and nothing else; URLs, bodies and cookies end up in logs.',
  thresholds: `Only the whole key counts, and only one of ${minSearchedKeyLength} characters or more; in a recording without keys, a parameter such as api_key that was redacted.`,
  judge(entries, { secrets }) {
    return always(entries, (entry) => {
      const texts = [...secrets, ...ownKeys(entry)].filter(({ length }) => length >= minSearchedKeyLength)
      const isRedacted = mayBeSecretPlaceholder(keyParameter.exec(entry.url)?.[1] ?? '')
      const place = isRedacted ? 'the URL' : placeOf(entry, texts)
      if (place !== undefined) return `sent the key in ${place}`
      const isElsewhere = !requestPathOf(entry).startsWith('/api/cli')
      const isSent = texts.some((key) => requestHeaderOf(entry, 'authorization')?.includes(key))
      return isElsewhere && isSent
        ? `sent the key to ${requestPathOf(entry)}, which is not the API`
        : undefined
    })
  },
})

/** The rule `keeps-key-secret`: the key does not appear in what a client prints. */
export const keepsKeySecretRule: ClientRule = shouldRule('keeps-key-secret', '§5.1', {
  statement: 'A client does not print the key.',
  needs: 'a run of the client that sends a request, and its output',
  isHarmless: true,
  fix: 'Leave headers and the environment out of logs and error messages, or show the first characters of the key only.',
  thresholds: `Only the whole key counts, and only one of ${minSearchedKeyLength} characters or more.`,
  judge(entries, { secrets, run }) {
    const evidence = entries.slice(0, 1)
    if (run?.output === undefined || evidence.length === 0) return []
    const shown = secrets.some((key) => key.length >= minSearchedKeyLength && run.output?.includes(key))
    return [{ evidence, violation: shown ? 'printed the key' : undefined }]
  },
})

/** Field and parameter names that identify an organization. */
const orgName = /^(?:x-)?(?:org|organi[sz]ation|tenant)(?:[-_]?id)?$/i

/** Name by which a request names an organization; undefined: it names none. */
function organizationNamedIn({ url, body, headers }: JournalEntry): string | undefined {
  const query = url.includes('?') ? [...(URL.parse(url)?.searchParams.keys() ?? [])] : []
  const names = [...query, ...Object.keys(jsonObject(body) ?? {})]
  return names.find((one) => orgName.test(one)) ?? headers.find((one, i) => i % 2 === 0 && orgName.test(one))
}

function jsonObject(text: string | null): object | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** True if an earlier answer has shown the address of a request. */
const isShownAddress = (entry: JournalEntry, entries: readonly JournalEntry[]): boolean =>
  entries.some(({ number, answer }) => number < entry.number && answer.includes(requestPathOf(entry)))

/** The rule `no-organization-id`: a request does not name its organization. */
export const sendsNoOrganizationRule: ClientRule = mustRule('no-organization-id', '§5.2', {
  statement: 'A client sends no organization identifier: the key identifies the organization.',
  needs: 'a request',
  isHarmless: true,
  fix: 'Leave the organization out of queries, bodies, paths and headers; use a key of that organization.',
  thresholds:
    'Its id counts as a whole value, not where a text such as that of a task mentions it, nor in an address that an answer has shown, such as that of an image.',
  judge: (entries, { org_id }) =>
    always(entries, (entry) => {
      const name = organizationNamedIn(entry)
      if (name !== undefined) return `sent ${name}`
      const place = org_id === null ? undefined : placeOfValue(entry, org_id)
      if (place === 'the URL' && isShownAddress(entry, entries)) return undefined
      return place && `sent the id of the organization in ${place}`
    }),
})

/** The rule `sends-json`: request bodies are JSON objects. */
export const sendsJsonBodyRule: ClientRule = mustRule('sends-json', '§4', {
  statement: 'A body that a client sends is a JSON object.',
  needs: 'a request with a body',
  fix: 'Send the body as JSON.stringify gives it, not as a form or as text; send none where the route takes none.',
  thresholds:
    'A route that takes no body, such as a run, may be sent an object, which says nothing, but not null or a list.',
  judge: (entries) =>
    always(
      entries.filter(({ operation, body }) => operation && body?.trim() && !isBodyTruncated(body)),
      ({ operation, body }) => {
        if (jsonObject(body)) return undefined
        const isTaken = operation !== null && routeOf(operation).body !== undefined
        return `sent a body that is no JSON object${isTaken ? '' : `, to ${operation}, which takes none`}`
      },
    ),
})

/** Fields of a JSON body that the route does not have, without those that other rules judge. */
function unknownFieldsIn({ operation, body }: JournalEntry, secrets: readonly string[]): string[] {
  const fields = operation ? routeOf(operation).body?.shape : undefined
  if (!fields) return []
  return Object.entries(jsonObject(body) ?? {}).flatMap(([name, value]) =>
    Object.hasOwn(fields, name) || orgName.test(name) || secrets.includes(value) ? [] : [name],
  )
}

/** Query parameters of a read that the route does not have, without those that other rules judge and those that avoid caches. */
function unknownParametersIn({ operation, method, url }: JournalEntry): string[] {
  if (operation === null || method !== 'GET' || !url.includes('?')) return []
  const taken = routeOf(operation).query?.shape ?? {}
  const names = new Set(URL.parse(url, 'http://mock')?.searchParams.keys())
  return [...names].filter(
    (name) =>
      !Object.hasOwn(taken, name) && !orgName.test(name) && !isSecretName(name) && !name.startsWith('_'),
  )
}

/** The input in a request that its route does not have, and what the route has; undefined if there is none. */
function unknownInputText(entry: JournalEntry, secrets: readonly string[]): string | undefined {
  const { operation } = entry
  if (operation === null) return undefined
  const { body, query } = routeOf(operation)
  const fields = unknownFieldsIn(entry, secrets)
  const [unknown, taken] = fields.length > 0 ? [fields, body] : [unknownParametersIn(entry), query]
  const [first] = unknown
  if (first === undefined) return undefined
  const known = Object.keys(taken?.shape ?? {})
  const meant =
    known.find((one) => one.startsWith(first) || first.startsWith(one)) ?? findClosestWord(first, known)
  const names = unknown.map((name) => JSON.stringify(name)).join(', ')
  return `sent ${names} with ${operation}, which ${known.length === 0 ? 'takes no parameters' : `has ${meant ?? known.join(', ')}`}`
}

/** The rule `sends-known-fields`: bodies and queries contain only fields that their route takes. */
export const sendsKnownFieldsRule: ClientRule = shouldRule('sends-known-fields', '§4', {
  statement:
    'A client sends the fields and, with a GET, the query parameters that a route has, by their names.',
  needs: 'a request with a JSON body, on a route that takes one, or a GET with a query',
  isHarmless: true,
  fix: 'Send what docs/api.md lists for the route: other fields are ignored, or refused, and what they hold is lost.',
  thresholds:
    'The specification does not forbid others: the mock ignores them, and a service may refuse them. Parameters that begin with an underscore are there to avoid caches.',
  judge: (entries, { secrets }) =>
    always(
      entries.filter(
        ({ operation, method, body, url }) =>
          operation && (method === 'GET' ? url.includes('?') : routeOf(operation).body && jsonObject(body)),
      ),
      (entry) => unknownInputText(entry, secrets),
    ),
})

/** The media type that a request gives its body; empty if it gives none. */
const typeOf = (entry: JournalEntry) =>
  (requestHeaderOf(entry, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** The rule `declares-json`: a JSON body is sent with the content type of JSON. */
export const declaresJsonBodyRule: ClientRule = shouldRule('declares-json', '§4, §7', {
  statement: 'A client says that a JSON body is JSON, with content-type: application/json.',
  needs: 'a request with a JSON body',
  fix: 'Send content-type: application/json with every body: a service may refuse another one as bad input, however lenient the mock is.',
  thresholds: 'Parameters such as charset=utf-8 and types that end in +json are accepted.',
  judge: (entries) =>
    always(
      entries.filter(({ operation, body }) => operation && routeOf(operation).body && jsonObject(body)),
      (entry) => {
        const type = typeOf(entry)
        if (type === 'application/json' || type.endsWith('+json')) return undefined
        return `sent a JSON body ${type ? `as ${type}` : 'without a content-type'}`
      },
    ),
})
