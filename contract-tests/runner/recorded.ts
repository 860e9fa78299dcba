/**
 * A recording as a history that the model judges. Nothing is known of what came before it, nor of what others did
 * meanwhile; requests that overlap were sent at once; where it is not certain who sent one, nothing is learned from it.
 */
import { routeOf } from '#contract/operation.ts'
import { type Exchange, field, idOf } from '#traffic/exchange.ts'
import { excessOf } from '#traffic/json-bounds.ts'
import { isOpenToReading, requestedId } from '#traffic/odd-input.ts'
import type { Recorded } from '#traffic/recording.ts'
import { parseBody } from '../client/answer.ts'
import { type ModelEvent, type RequestEvent, SecretIdentity } from '../model/index.ts'

/** The events of a recording, whose ids are the numbers of its entries. */
export function historyOfRecording(entries: readonly Recorded[]): ModelEvent[] {
  const tenantOf = tenantsIn(entries)
  const places = placesOf(entries)
  const identity = new SecretIdentity()
  return entries.map((one, i): RequestEvent => {
    const [from, to] = places[i] ?? [0, 0]
    const url = new URL(one.url)
    const json = jsonOf(one.text)
    const event: RequestEvent = {
      kind: 'request',
      id: one.number,
      operation: one.operation,
      tenant: isOrdinary(one) ? tenantOf(one) : null,
      resource: requestedId(one),
      query: Object.fromEntries(url.searchParams),
      body: one.requestBody === undefined ? undefined : jsonOf(one.requestBody),
      sent: { place: from, ms: one.at },
      answer: isLost(one, json)
        ? null
        : { status: one.status, json, received: { place: to, ms: one.at + one.duration_ms } },
    }
    return { ...event, secret: identity.of(event) }
  })
}

/** The answers of the API in a recording, as the suite would have received them. */
export function exchangesOfRecording(entries: readonly Recorded[]): Exchange[] {
  return entries.flatMap((one): Exchange[] => {
    const json = jsonOf(one.text)
    if (isLost(one, json)) return []
    const { operation, method, url, requestHeaders, requestBody, status, headers, duration_ms, number } = one
    const caller = status === 401 ? 'nobody' : 'main'
    const sent = { number, operation, caller, method, url, requestHeaders, requestBody } as const
    return [{ ...sent, status, headers, text: one.text ?? '', json, duration_ms }]
  })
}

/** Whether nobody knows if the request took effect: there is no answer of the API. */
function isLost({ status, text }: Recorded, json: unknown): boolean {
  // An outage may come at any time; what is in front of a service answers for it, too.
  return (
    text === undefined ||
    status === 0 ||
    status === 503 ||
    (status >= 502 && json === undefined) ||
    status === 304
  )
}

/** Whether every service reads the request in the same way. */
function isOrdinary({ operation, url, requestHeaders, requestBody }: Recorded): boolean {
  const known = Object.keys(routeOf(operation).query?.shape ?? {})
  const parameters = [...new URL(url).searchParams.keys()]
  const type = requestHeaders['content-type'] ?? 'application/json'
  return (
    parameters.every((name) => known.includes(name)) &&
    new Set(parameters).size === parameters.length &&
    /^application\/json\b/i.test(type) &&
    !isOpenToReading({ url, requestBody })
  )
}

/** The moments of requests and answers in their order; what has the same time happened at once. */
function placesOf(entries: readonly Recorded[]): (readonly [from: number, to: number])[] {
  const moments = entries.flatMap(({ at, duration_ms }, i) => [
    { i, isSent: true, ms: Math.floor(at) },
    { i, isSent: false, ms: Math.ceil(at + duration_ms) },
  ])
  const ordered = moments.toSorted((a, b) => a.ms - b.ms || Number(b.isSent) - Number(a.isSent))
  const places = entries.map((): [number, number] => [0, 0])
  for (const [place, { i, isSent }] of ordered.entries()) {
    const found = places[i]
    if (found) found[isSent ? 0 : 1] = place + 1
  }
  return places
}

/** Whose requests are known: by what the recorder says, by `whoami`, or since there is one organization only. */
function tenantsIn(entries: readonly Recorded[]): (entry: Recorded) => string | null {
  const ids = new Map<string, Set<string>>()
  for (const one of entries) {
    const id = one.operation === 'whoami' ? idOf(field(jsonOf(one.text), 'org', 'id')) : undefined
    const known = ids.get(credentialOf(one)) ?? new Set()
    ids.set(credentialOf(one), id === undefined ? known : known.add(id))
  }
  const organizations = new Set([...ids.values()].flatMap((one) => [...one]))
  const served = new Map<string, [first: number, last: number]>()
  for (const one of entries) {
    if (one.status === 401) continue
    const [first] = served.get(credentialOf(one)) ?? [one.at]
    served.set(credentialOf(one), [first, one.at])
  }
  return (one) => {
    // A key may have been deleted by somebody else; one that works before and after was not.
    const [first, last] = served.get(credentialOf(one)) ?? [Number.POSITIVE_INFINITY, 0]
    if (one.status === 401 && !(first < one.at && one.at < last)) return null
    if (one.organization !== undefined) return one.organization
    if (routeOf(one.operation).auth !== 'key') return null
    const own = ids.get(credentialOf(one)) ?? new Set()
    if (own.size === 1) return [...own][0] ?? null
    return own.size === 0 && ids.size === 1 && organizations.size < 2 ? 'recorded' : null
  }
}

/** What tells who sent a request; browsers leave it out of their exports. */
const credentialOf = ({ requestHeaders, organization }: Recorded): string =>
  organization === undefined ? (requestHeaders.authorization ?? '') : `of ${organization}`

function jsonOf(text = ''): unknown {
  return text === '' || excessOf(text) !== undefined ? undefined : parseBody(text)
}
