/** The history of a run as the model judges it, made from what was recorded. */
import { routeOf } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { excessOf } from '#traffic/json-bounds.ts'
import { isOpenToReading, requestedId } from '#traffic/odd-input.ts'
import type { Sent } from '../client/recorder.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import type { Settings } from '../harness/terms.ts'
import {
  type ArrangedEvent,
  type ModelEvent,
  type Moment,
  type RequestEvent,
  SecretIdentity,
} from '../model/index.ts'

type Owner = Pick<RequestEvent, 'tenant' | 'key'>

const nobody: Owner = { tenant: null }

/** Headers that every request may have. */
const usual = ['accept', 'user-agent', 'x-request-id', 'content-type', 'authorization', 'cookie']

/**
 * Events of everything that a run has sent. Of a request with an unusual credential, header or parameter, or
 * one that services read in several ways, the owner is not known, so that nothing is learned from it.
 */
export function historyOf({
  recorder,
  settings,
  secrets,
}: Pick<TestContext, 'recorder' | 'settings' | 'secrets'>): ModelEvent[] {
  const owners = ownersOf(settings)
  const ordinary = new Set([...usual, ...Object.keys(settings.headers ?? {})])
  const requests = recorder.sent.toSorted((a, b) => a.sent.place - b.sent.place)
  for (const { shownBy, secret, others } of secrets) {
    const created = requests.find(({ number }) => number === shownBy)
    const owner = created && ownerOf(created, owners, ordinary)
    for (const value of [...others, secret])
      if (owner && value !== '') owners.set(`key ${bearer(value).authorization}`, { ...owner, key: shownBy })
  }
  // An answer to another request says nothing about this one.
  const astray = new Set(recorder.outOfStep.map(({ exchange }) => exchange.number))
  const identity = new SecretIdentity()
  return [
    ...requests
      .map((sent) => eventOf(sent, ownerOf(sent, owners, ordinary), !astray.has(sent.number)))
      .map((event) => ({ ...event, secret: identity.of(event) })),
    ...arrangedOf(recorder.arranged),
  ]
}

const jsonType = 'application/json'

function ownersOf({ apiKey, otherApiKey, sessionCookie, otherSessionCookie }: Settings): Map<string, Owner> {
  return new Map([
    [`cookie ${otherSessionCookie}`, { tenant: 'other' }],
    [`cookie ${sessionCookie}`, { tenant: 'main' }],
    [`key ${bearer(otherApiKey ?? '').authorization}`, { tenant: 'other' }],
    [`key ${bearer(apiKey).authorization}`, { tenant: 'main' }],
  ])
}

function ownerOf(
  { operation, url, requestHeaders, requestBody }: Sent,
  owners: ReadonlyMap<string, Owner>,
  ordinary: ReadonlySet<string>,
): Owner {
  const { auth, query } = routeOf(operation)
  const parameters = [...new URL(url).searchParams.keys()]
  if (parameters.some((name) => !Object.hasOwn(query?.shape ?? {}, name))) return nobody
  if (new Set(parameters).size < parameters.length) return nobody
  if (Object.keys(requestHeaders).some((name) => !ordinary.has(name))) return nobody
  if (isOpenToReading({ url, requestBody })) return nobody
  if ((requestHeaders['content-type'] ?? jsonType) !== jsonType) return nobody
  const value = auth === 'key' ? requestHeaders.authorization : requestHeaders.cookie
  return (value !== undefined && owners.get(`${auth} ${value}`)) || nobody
}

function eventOf(one: Sent, owner: Owner, isInStep: boolean): RequestEvent {
  const { number: id, operation, sent, received, exchange } = one
  const url = new URL(one.url)
  const answer =
    exchange && received && isInStep && exchange.excess === undefined ? answerOf(exchange, received) : null
  return {
    kind: 'request',
    id,
    operation,
    ...owner,
    resource: requestedId(one),
    query: Object.fromEntries(url.searchParams),
    body: parsed(one.requestBody),
    sent,
    answer,
  }
}

/** A long body is read when it is looked at. */
const answerOf = (exchange: Exchange, received: Moment): RequestEvent['answer'] => ({
  status: exchange.status,
  get json() {
    return exchange.json
  },
  received,
})

/** The JSON value of a body; its text where it is too deep or too large for a walk through it. */
function parsed(body: string | undefined): unknown {
  try {
    if (body === undefined) return undefined
    return excessOf(body) === undefined ? JSON.parse(body) : body
  } catch {
    return undefined
  }
}

function arrangedOf(arranged: TestContext['recorder']['arranged']): ArrangedEvent[] {
  return arranged.map((one, i) => ({
    ...one,
    kind: 'arranged',
    id: -1 - i,
  }))
}
