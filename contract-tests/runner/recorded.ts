/**
 * A recording as a history that the model judges. Nothing is known of what came before it, nor of what others did
 * meanwhile; requests that overlap were sent at once; where it is not certain who sent one, nothing is learned from it.
 */
import { type OperationId, routeOf } from '#contract/operation.ts'
import { type Exchange, idAsText, valueAtPath } from '#traffic/exchange.ts'
import { jsonBoundsProblem } from '#traffic/json-bounds.ts'
import { decodedPathId, requestOddityOf } from '#traffic/malformed-input.ts'
import { mayBeSecretPlaceholder } from '#traffic/placeholder.ts'
import type { RecordedExchange } from '#traffic/recording.ts'
import { isNumberedRedactionPlaceholder } from '#traffic/redaction.ts'
import { parseJsonBody } from '../client/answer.ts'
import type { CreatedKey } from '../harness/run-state.ts'
import {
  areDistinctTenants,
  badInputStatuses,
  isUnknownTenant,
  nthUnknownTenant,
  type RequestEvent,
} from '../model/index.ts'
import { AcceptedCredentials } from './recorded-credentials.ts'

/**
 * A request of a recording: its entry, its event for the model, and its exchange as the suite would have received it.
 */
export interface RecordedModelRequest {
  readonly entry: RecordedExchange
  /** Its event for the model; its id is the number of the entry. */
  readonly event: RequestEvent
  /** Exchange as the suite would have received it; undefined: its answer was lost. */
  readonly exchange: Exchange | undefined
  /** True if the tool that recorded it may have left out or replaced its credential. */
  readonly isDoubtful?: boolean
  /**
   * True if nothing in it or its answer shows its organization, so that two such requests may come from different ones.
   */
  readonly isAnonymous?: boolean
}

/** A converter of a recording, read part by part, into events of the model. */
export class RecordingInterpreter {
  readonly #tenants = new Tenants()
  readonly #keys: CreatedKeys
  /** The first organization that was shown. */
  #main: string | null = null
  readonly #accepted = new AcceptedCredentials()
  readonly #carriers = { authorization: new Carriers(), cookie: new Carriers() }

  /** `before`: the events of what came earlier in the recording, of which only created keys are still known. */
  constructor(before?: RecordingInterpreter) {
    this.#keys = new CreatedKeys(before?.keys)
  }

  /** Converts the next part. `since`: requests sent earlier come too late to be judged. */
  read(entries: readonly RecordedExchange[], since = Number.NEGATIVE_INFINITY): RecordedModelRequest[] {
    this.#tenants.learn(entries)
    this.#keys.learn(entries)
    this.#accepted.learn(entries)
    for (const one of entries) {
      if (one.requestHeaders.authorization !== undefined) this.#carriers.authorization.note(one)
      if (one.requestHeaders.cookie !== undefined && !takesKey(one)) this.#carriers.cookie.note(one)
    }
    return entries.map((one) => {
      const isInTime = one.at >= since
      const misuse = isInTime ? this.#accepted.misuseIn(one) : undefined
      const carriers = misuse?.missing && this.#carriers[misuse.missing]
      if (misuse && carriers?.isEmpty !== true) {
        const { event, ...seen } = interpretSingleExchange(one, null, this.#main)
        const isDoubtful = misuse.isSameText || carriers?.isAmong(one) === false
        return { ...seen, event: { ...event, credential: misuse.kind }, isDoubtful }
      }
      const isKnown = isInTime && isOrdinary(one)
      const isWithoutKey = isKnown && !this.#carriers.authorization.isEmpty && hasNoKey(one)
      const mayHaveEffect = isInTime && !isKnown && mayBeAccepted(one)
      const isCreatedKey = this.#keys.isShown(one)
      const tenant = (isKnown && !isWithoutKey) || mayHaveEffect ? this.#tenants.of(one, isCreatedKey) : null
      if (!isUnknownTenant(tenant)) this.#main ??= tenant
      const seen = interpretSingleExchange(one, tenant, this.#main)
      const event = mayHaveEffect ? { ...seen.event, answer: null } : seen.event
      const oddity =
        isInTime && hasKnownParameters(one) && this.#tenants.isServed(one) && requestOddityOf(one)
      if (oddity && tenant === null) return { ...seen, event: { ...event, oddity } }
      if (!isWithoutKey) return { ...seen, event: { ...event, ...this.#keys.of(event, one) } }
      const isDoubtful = !this.#carriers.authorization.isAmong(one)
      return { ...seen, event: { ...event, credential: 'missing' }, isDoubtful }
    })
  }

  /** The created keys that the recording shows in use, the latest last. */
  get keys(): readonly CreatedKey[] {
    return this.#keys.made
  }
}

/** The first and the last entry with a header by each user agent: browsers leave credentials out of their exports. */
class Carriers {
  readonly #entries = new Map<string, [first: number, last: number]>()

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  note({ number, requestHeaders }: RecordedExchange): void {
    const agent = requestHeaders['user-agent'] ?? ''
    const [first, last] = this.#entries.get(agent) ?? [number, number]
    this.#entries.set(agent, [Math.min(first, number), Math.max(last, number)])
  }

  /** True if the same user agent has sent the header before and after a request: its recorder keeps it. */
  isAmong({ number, requestHeaders }: RecordedExchange): boolean {
    const [first, last] = this.#entries.get(requestHeaders['user-agent'] ?? '') ?? [number, number]
    return first < number && number < last
  }
}

/** Created keys that are looked for in a long recording. */
const mostKept = 100

/** Created keys that the recording shows in use: any other secret may be a word that recorders put in its place. */
class CreatedKeys {
  readonly made: CreatedKey[]
  readonly #used = new Set<string>()
  /** By `Authorization` header: the first event that showed its key. */
  readonly #shownBy = new Map<string, number>()

  constructor(made: readonly CreatedKey[] = []) {
    this.made = made.slice(-mostKept)
  }

  learn(entries: readonly RecordedExchange[]): void {
    for (const { requestHeaders } of entries) this.#used.add(requestHeaders.authorization ?? '')
  }

  /** True for a request with a key whose creation came before it. */
  isShown({ requestHeaders: { authorization = '' } }: RecordedExchange): boolean {
    return this.#shownBy.has(authorization) && !mayBeSecretPlaceholder(authorization)
  }

  of(event: RequestEvent, { requestHeaders }: RecordedExchange): Pick<RequestEvent, 'secret' | 'key'> {
    const key = this.#shownBy.get(requestHeaders.authorization ?? '')
    const secret = secretIn(event.operation, event.answer?.json)
    const bearer = `Bearer ${secret}`
    if (secret === undefined || !this.#used.has(bearer)) return { key }
    const first = this.#shownBy.get(bearer) ?? event.id
    this.#shownBy.set(bearer, first)
    const id = idAsText(valueAtPath(event.answer?.json, 'key', 'id'))
    this.made.push({ id, secret, others: [], shownBy: event.id })
    return { key, secret: first }
  }
}

/** The secret in the answer to a creation. */
function secretIn(operation: OperationId, json: unknown): string | undefined {
  const secret = operation === 'createKey' ? valueAtPath(json, 'secret') : undefined
  if (typeof secret !== 'string') return undefined
  return /^[\w.~+/=:-]{8,}$/.test(secret) || isNumberedRedactionPlaceholder(secret) ? secret : undefined
}

const takesKey = ({ operation }: RecordedExchange): boolean => routeOf(operation).auth === 'key'

const hasNoKey = (one: RecordedExchange): boolean =>
  takesKey(one) && one.requestHeaders.authorization === undefined && one.requestHeaders.cookie === undefined

function eventOf(one: RecordedExchange, tenant: string | null): RequestEvent {
  const json = jsonOf(one.text)
  const end = one.at + one.duration_ms
  return {
    kind: 'request',
    id: one.number,
    operation: one.operation,
    tenant,
    resource: decodedPathId(one),
    query: Object.fromEntries(queryOf(one).filter(([name]) => isKnownParameter(one.operation, name))),
    body: one.requestBody === undefined ? undefined : jsonOf(one.requestBody),
    sent: { seq: one.at, ms: one.at },
    answer: isLost(one, json)
      ? null
      : { status: one.status, json, received: { seq: end + instant, ms: end } },
  }
}

const queryOf = ({ url }: Pick<RecordedExchange, 'url'>) =>
  url.includes('?') ? [...new URL(url).searchParams] : []

/** A request sent in the ms of an answer counts as sent before it. */
const instant = 0.0005

/** The model request for a single recorded exchange, without knowledge of what came before it. */
export function interpretSingleExchange(
  entry: RecordedExchange,
  tenant: string | null = null,
  main = tenant,
): RecordedModelRequest {
  const event = eventOf(entry, tenant)
  const isAnonymous = entry.operation !== 'whoami' && !hasRecordedCredential(entry)
  return {
    entry,
    event,
    exchange: exchangeOf(entry, event, areDistinctTenants(tenant, main)),
    ...(isAnonymous && { isAnonymous }),
  }
}

/**
 * The exchange of a request, as the suite would have received it. `isOther`: of another organization than the first.
 */
function exchangeOf(one: RecordedExchange, { answer }: RequestEvent, isOther: boolean): Exchange | undefined {
  if (answer === null) return undefined
  const { operation, method, url, requestHeaders, requestBody, status, headers, duration_ms, number } = one
  const own = takesKey(one) ? 'main' : 'session'
  const caller = status === 401 ? 'nobody' : isOther ? 'other' : own
  const sent = { number, operation, caller, method, url, requestHeaders, requestBody } as const
  return { ...sent, status, headers, text: one.text ?? '', json: answer.json, duration_ms }
}

/** True if nobody knows if the request took effect: there is no answer of the API. */
function isLost({ status, text }: RecordedExchange, json: unknown): boolean {
  // An outage may come at any time; what is in front of a service answers for it, too.
  return (
    text === undefined ||
    status === 0 ||
    status === 503 ||
    (status >= 502 && json === undefined) ||
    status === 304
  )
}

/**
 * True if a request has parameters that the API does not name and that may matter: they may select what a list shows,
 * or be the reason of a refusal.
 */
export const mayDependOnUnknownParameters = (one: RecordedExchange): boolean =>
  !hasKnownParameters(one) && (one.operation.startsWith('list') || badInputStatuses.includes(one.status))

/** True if every service reads the request in the same way. */
function isOrdinary(one: RecordedExchange): boolean {
  const { operation, url, requestHeaders, requestBody } = one
  // Many clients name a type although they send nothing.
  const type = (requestBody ? requestHeaders['content-type'] : undefined) ?? 'application/json'
  return (
    !mayDependOnUnknownParameters(one) &&
    /^application\/json\b/i.test(type) &&
    requestOddityOf({ operation, url, requestBody }) === undefined &&
    // A recorder may write this for bytes that are no UTF-8.
    !requestBody?.includes('\ufffd')
  )
}

const isKnownParameter = (operation: OperationId, name: string): boolean =>
  Object.hasOwn(routeOf(operation).query?.shape ?? {}, name)

const hasKnownParameters = ({ operation, url }: Pick<RecordedExchange, 'operation' | 'url'>): boolean =>
  queryOf({ url }).every(([name]) => isKnownParameter(operation, name))

/** Statuses with which a service says that it did nothing. */
const refusals = new Set([400, 401, 402, 403, 404, 405, 413, 414, 415, 422, 429, 431])

/** True if a request that services read in different ways may have taken effect in one of them. */
const mayBeAccepted = ({ operation, status }: RecordedExchange): boolean =>
  routeOf(operation).method !== 'GET' && !refusals.has(status)

/**
 * Finds out whose requests are: by what the recorder says, by `whoami`, or else by their credential, whosever that is.
 */
class Tenants {
  /** The organizations that `whoami` showed, by credential. */
  readonly #shown = new Map<string, Set<string>>()
  readonly #organizations = new Set<string>()
  /** The keys that were created, by session, and the reverse. */
  readonly #creations = new Map<string, Set<string>>()
  readonly #creators = new Map<string, string>()
  /** When each credential was first and last accepted. */
  readonly #served = new Map<string, [first: number, last: number]>()
  /** A name for the organization of each credential that no `whoami` shows. */
  readonly #unknown = new Map<string, string>()

  learn(entries: readonly RecordedExchange[]): void {
    for (const one of entries) {
      const credential = credentialOf(one)
      const isTelling = one.operation === 'whoami' || one.operation === 'createKey'
      const json = isTelling ? jsonOf(one.text) : undefined
      const secret = secretIn(one.operation, json)
      if (secret !== undefined) {
        valuesOf(this.#creations, credential).add(`Bearer ${secret}`)
        this.#creators.set(`Bearer ${secret}`, credential)
      }
      if (one.operation === 'whoami') {
        const id = idAsText(valueAtPath(json, 'org', 'id'))
        if (id !== undefined)
          for (const ids of [valuesOf(this.#shown, credential), this.#organizations]) ids.add(id)
      }
      if (one.status === 401) continue
      const [first, last] = this.#served.get(credential) ?? [one.at, one.at]
      this.#served.set(credential, [first, Math.max(last, one.at)])
    }
  }

  /** True if a credential works before and after a request: nobody has deleted it. */
  isServed(one: RecordedExchange): boolean {
    const credential = credentialOf(one)
    const [first, last] = this.#served.get(credential) ?? [Number.POSITIVE_INFINITY, 0]
    return credential !== unrecorded && first < one.at && one.at < last
  }

  /**
   * The organization of a request; null: unknown. `isCreatedKey`: its key is shown to be valid, so that a 401 says
   * something of the key.
   */
  of(one: RecordedExchange, isCreatedKey: boolean): string | null {
    const credential = credentialOf(one)
    if (one.status === 401 && !isCreatedKey && !this.isServed(one)) return null
    if (one.organization !== undefined) return one.organization
    // The organization of a created key is that of the session which created it.
    const session = this.#creators.get(credential) || credential
    const own = this.#organizationsOf(session)
    const isRecorded = credential !== unrecorded
    if (own.size === 1 && isRecorded) return [...own][0] ?? null
    // A key whose creation is recorded is that of one organization, whatever else it shows later.
    const [shown] = this.#creators.has(credential) ? (this.#shown.get(credential) ?? []) : []
    if (shown !== undefined && isRecorded) return shown
    // Any other credential that serves several organizations stands for several credentials.
    if (own.size > 1 || (!isRecorded && this.#organizations.size > 1)) return null
    const name = this.#unknown.get(session) ?? nthUnknownTenant(this.#unknown.size + 1)
    this.#unknown.set(session, name)
    return name
  }

  /** The organizations that `whoami` showed to a credential, or to the keys that were created with it. */
  #organizationsOf(credential: string): ReadonlySet<string> {
    const keys = [credential, ...(this.#creations.get(credential) ?? [])]
    return new Set(keys.flatMap((key) => [...(this.#shown.get(key) ?? [])]))
  }
}

/** The values under a key, which is added where it is missing. */
function valuesOf(map: Map<string, Set<string>>, key: string): Set<string> {
  const values = map.get(key) ?? new Set()
  map.set(key, values)
  return values
}

/** The credential of requests whose own is not recorded: browsers leave it out, others put one word in place of each. */
const unrecorded = ''

/** Credential that tells who sent a request. */
function credentialOf({ operation, requestHeaders, organization }: RecordedExchange): string {
  if (organization !== undefined) return `of ${organization}`
  const { authorization, cookie } = requestHeaders
  const value = routeOf(operation).auth === 'key' ? authorization : cookie
  return value === undefined || mayBeSecretPlaceholder(value) ? unrecorded : value
}

/** True if a recording tells the credential of a request from others, and has no placeholder in its place. */
export const hasRecordedCredential = (one: RecordedExchange): boolean => credentialOf(one) !== unrecorded

function jsonOf(text = ''): unknown {
  return text === '' || jsonBoundsProblem(text) !== undefined ? undefined : parseJsonBody(text)
}
