/**
 * Reads what a validating proxy reports of the exchanges through it, and makes a document that no answer can meet.
 * Pure.
 */
import { valueOrFallback } from '#cli/files.ts'
import type { openapi } from '#contract/openapi/document.ts'
import type { OperationId } from '#contract/operation.ts'

/** One exchange that passed through the validating proxy, with the proxy's findings. */
export interface ProxiedExchange {
  readonly operation: OperationId
  readonly status: number
  /** The status that the service behind the proxy answered; undefined: the proxy did not pass the request on. */
  readonly upstream: number | undefined
  readonly url: string
  /** The request header `authorization`. */
  readonly authorization: string | undefined
  /** The request header `content-type`. */
  readonly mediaType: string | undefined
  /** The proxy's findings, from the header `sl-violations`; null if it found nothing. */
  readonly violations: string | null
}

interface ProxyViolation {
  /** `response`, `body`, `task`, … */
  readonly location: readonly string[]
  readonly message: string
  /** The status with which Prism would refuse a request, or the rule of the schema that is broken. */
  readonly code?: number | string
}

/** One exchange, with whether it was checked against the OpenAPI document, and what is wrong with it. */
export type InspectedExchange = ReturnType<typeof inspectProxiedExchange>

/**
 * Evaluates what the proxy reports of one exchange. A finding in an answer is a violation, and so is one in a request
 * that the service accepted; refused requests are deliberate mistakes of the suite.
 */
export function inspectProxiedExchange(passed: ProxiedExchange) {
  const { operation, status, upstream, url, authorization = '', mediaType, violations } = passed
  const findings = findingsOf(violations).filter(({ location }) => !isRepeated(location, url))
  const isInspected =
    upstream === status && !findings.some(({ message }) => message === 'Selected route not found')
  const wrong = findings.filter(
    ({ location: [where], message, code }) =>
      where === 'response' ||
      (status < 300 && !isScheme(message, authorization) && !isMediaType(code, mediaType)),
  )
  return { operation, status, isInspected, violations: isInspected ? wrong : [] }
}

/**
 * True for a finding about the spelling of `Bearer`: Prism knows one, while RFC 9110 §11.1 allows any case, which the
 * suite tries.
 */
function isScheme(message: string, authorization: string): boolean {
  return (
    message === 'Invalid security scheme used' &&
    /^bearer /i.test(authorization) &&
    !authorization.startsWith('Bearer ')
  )
}

/**
 * True for a finding about a media type: the document names JSON alone, while a service may accept another, which the
 * suite tries.
 */
const isMediaType = (code: number | string | undefined, mediaType = ''): boolean =>
  code === 415 && mediaType !== '' && !mediaType.includes('json')

/**
 * True for a finding about a parameter that is sent twice: Prism reads an array, while the document describes a text,
 * and a service may accept it (§4). A parameter that is sent once stays a violation.
 */
const isRepeated = ([where, part, name = '']: readonly string[], url: string): boolean =>
  where === 'request' && part === 'query' && new URL(url).searchParams.getAll(name).length > 1

/**
 * The findings in the header of the proxy, which cuts off a long one; an unreadable finding counts as one in the
 * response.
 */
function findingsOf(header: string | null): ProxyViolation[] {
  if (header === null) return []
  const cut = [{ location: ['response'], message: header.slice(0, 300) }]
  return valueOrFallback(cut, () => JSON.parse(header))
}

/** The part of an OpenAPI document that is read here: its paths. */
export interface OpenapiPaths {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { operationId: OperationId; responses: Record<string, unknown> }>>>
  >
}

/** Counts how often each answer, such as `runTask 402`, was checked against the OpenAPI document. */
export function checkedAnswerCounts(exchanges: readonly InspectedExchange[]): Record<string, number> {
  const seen: Record<string, number> = {}
  for (const { isInspected, operation, status } of exchanges)
    if (isInspected) seen[`${operation} ${status}`] = (seen[`${operation} ${status}`] ?? 0) + 1
  return seen
}

/** Lists the answers in an OpenAPI document that were never seen. */
export function unseenAnswersOf({ paths }: OpenapiPaths, seen: Record<string, number>): string[] {
  const documented = Object.values(paths).flatMap((item) => Object.values(item))
  return documented
    .flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    )
    .filter((name) => !Object.hasOwn(seen, name))
}

type Json = Record<string, unknown>

/** Copies an OpenAPI document so that no response can match its schema, to show that the proxy notices. */
export function unsatisfiableDocument(document: ReturnType<typeof openapi>): Json {
  const { paths, components } = structuredClone(document) as {
    paths: Record<string, Record<string, { responses: Json }>>
    components: { responses: Json }
  }
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  for (const responses of [components.responses, ...operations.map((operation) => operation.responses)])
    for (const response of Object.values(responses) as { content?: Json }[])
      if (response.content) response.content = { 'application/json': { schema: { not: {} } } }
  return { ...document, paths, components }
}
