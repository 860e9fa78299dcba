/** The history of a run as the model judges it, and a recorded one judged without a request. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import {
  type Exchange,
  hasSuccessStatus,
  idAsText,
  isRouteAbsent,
  itemsOf,
  valueAtPath,
} from '#traffic/exchange.ts'
import { jsonBoundsProblem } from '#traffic/json-bounds.ts'
import { decodedPathId, requestOddityOf } from '#traffic/malformed-input.ts'
import { catalogue } from '../catalogue/index.ts'
import { isFromGateway, type SentRequest } from '../client/recorder.ts'
import { anyMediaType, jsonMediaTypes } from '../client/request.ts'
import { credentialHeaderValue } from '../client/revoked.ts'
import { headersWithUnrelatedCookie } from '../fixtures/keys.ts'
import {
  alteredCookieHeader,
  invalidCookieHeader,
  similarInvalidCookieHeader,
  unknownKeyLike,
} from '../fixtures/unauthorized.ts'
import { bearerHeader, type TestContext } from '../harness/context.ts'
import type { SuiteRun } from '../harness/outcome.ts'
import type { CreatedKey } from '../harness/run-state.ts'
import { judgingOptionsOf, type SuiteSettings } from '../harness/terms.ts'
import {
  HistoryJudge,
  isBalanceRequirement,
  judgeHistory,
  type ModelEvent,
  type ModelState,
  type ModelVerdict,
  type ModelViolation,
  modelRules,
  type OrderedMoment,
  type ProviderStateEvent,
  type RequestEvent,
  SecretNumbering,
  withKnownCause,
} from '../model/index.ts'
import { misusedCredentialKind } from './misused-credentials.ts'
import { trafficResult } from './results.ts'
import { omissionReason } from './selection.ts'
import { conclusiveViolations } from './watch.ts'

type Owner = Pick<RequestEvent, 'tenant' | 'key' | 'credential' | 'oddity'>

const nobody: Owner = { tenant: null }

/** Headers that every request may have. */
const usual = ['accept', 'user-agent', 'x-request-id', 'content-type', 'authorization', 'cookie']

/** The history of a run, and the verdict of the model on it. */
export interface JudgedHistory extends ModelVerdict {
  readonly history: readonly ModelEvent[]
}

/**
 * Judges the requests of a run by the model while the run goes on. The model learns nothing from requests whose
 * organization is uncertain, such as those with an odd credential.
 */
export class LiveJudge {
  readonly #t: TestContext
  readonly #owners: Map<string, Owner>
  readonly #ordinary: ReadonlySet<string>
  readonly #identity = new SecretNumbering()
  readonly #taken = new Set<unknown>()
  readonly #requests: RequestEvent[] = []
  readonly #arranged: ProviderStateEvent[] = []
  readonly #model: HistoryJudge

  constructor(t: TestContext) {
    const { headers = {} } = t.settings
    this.#t = t
    this.#owners = ownersOf(t.settings, t.runId)
    this.#ordinary = new Set([...usual, ...Object.keys(headers)])
    this.#model = new HistoryJudge(judgingOptionsOf(t.settings))
  }

  /** Objections to all that was sent so far, once that has ended. */
  async objections(): Promise<readonly ModelViolation[]> {
    this.#takeIn(await this.#t.recorder.caughtUp())
    return this.#model.violations
  }

  /** Requirements that the model could judge so far. */
  get exercised(): ReadonlySet<string> {
    return this.#model.exercised
  }

  /** The verdict on all that was sent. */
  conclude(): JudgedHistory {
    // Which answers were astray, and which of a gateway stayed, is known by now.
    const { outOfStep, doubtful, disturbances, revoked } = this.#t.recorder
    const isLate = outOfStep.length + doubtful.size + disturbances.gateway + revoked.size > 0
    return (isLate ? new LiveJudge(this.#t) : this).#conclude()
  }

  #conclude(): JudgedHistory {
    this.#takeIn()
    const { violations, exercised, state } = this.#model
    const requests = this.#requests.toSorted((a, b) => a.sent.seq - b.sent.seq)
    return { history: [...requests, ...this.#arranged], violations, exercised, state }
  }

  /** Judges the requests that have ended since the last call, up to a place in the order of events. */
  #takeIn(until?: number): void {
    const { recorder, all } = this.#t
    const isNew = (one: unknown) => this.#taken.size < this.#taken.add(one).size
    // Both lists of the recorder only grow, at their end.
    const { length: judgedStates } = this.#arranged
    const { length: judgedRequests } = this.#requests
    for (const { shownBy, secret, others } of all.flatMap(({ secrets }) => secrets).filter(isNew)) {
      const created = recorder.sent.find(({ number }) => number === shownBy)
      const owner = created && this.#ownerOf(created)
      for (const value of [...others, secret])
        if (owner && value !== '')
          this.#owners.set(`key ${bearerHeader(value).authorization}`, { ...owner, key: shownBy })
    }
    const outOfStep = recorder.doubtful.union(
      new Set(recorder.outOfStep.map(({ exchange }) => exchange.number)),
    )
    // An answer to another request says nothing about this one, one of a gateway only if it stays, and a refusal of a
    // credential that has expired nothing at all.
    const isAstray = (one: SentRequest) => {
      const { number, exchange } = one
      if (!exchange || outOfStep.has(number)) return true
      if (isFromGateway(exchange)) return !recorder.exchanges.includes(exchange)
      const opened = recorder.revoked.get(credentialHeaderValue(one) ?? '')
      return exchange.status === 401 && opened !== undefined && number > opened
    }
    const requests = recorder.sent
      .slice(judgedRequests)
      .toSorted((a, b) => a.sent.seq - b.sent.seq)
      .map((sent) => eventOf(sent, this.#ownerOf(sent), !isAstray(sent)))
      .map((event) => ({ ...event, secret: this.#identity.of(event) }))
    const arranged = recorder.arranged
      .slice(judgedStates)
      .map((one, i): ProviderStateEvent => ({ ...one, kind: 'arranged', id: -1 - judgedStates - i }))
    this.#requests.push(...requests)
    this.#arranged.push(...arranged)
    this.#model.add([...requests, ...arranged], until)
  }

  #ownerOf(sent: SentRequest): Owner {
    const owner = ownerOf(sent, this.#owners, this.#ordinary)
    if (owner !== nobody && owner.credential !== 'missing') return owner
    const valid = [...this.#owners].filter(([, { tenant }]) => tenant !== null).map(([name]) => name)
    const valuesOf = (start: string) =>
      valid.flatMap((name) => (name.startsWith(start) ? name.slice(start.length) : []))
    const { exchanges } = this.#t.recorder
    const credential = misusedCredentialKind(sent, {
      keys: valuesOf('key Bearer '),
      cookies: valuesOf('cookie '),
      isPublic: (text) => exchanges.some((one) => showsPublicly(one, text)),
    })
    return credential ? { tenant: null, credential } : owner
  }
}

/** The operations whose answers show keys or organizations. */
const publicOperations: ReadonlySet<OperationId> = new Set(['whoami', 'createKey', 'listKeys'])

/** True if a text is the id of an organization, or the id, the prefix or the name of a key, in an answer. */
function showsPublicly(exchange: Exchange, text: string): boolean {
  if (!publicOperations.has(exchange.operation)) return false
  const shown = [
    valueAtPath(exchange.json, 'key'),
    ...itemsOf(exchange, 'keys'),
    valueAtPath(exchange.json, 'org'),
  ]
  return shown.some((one) =>
    ['id', 'prefix', 'name'].some((name) => idAsText(valueAtPath(one, name)) === text),
  )
}

function ownersOf(
  { apiKey, otherApiKey, sessionCookie, otherSessionCookie }: SuiteSettings,
  runId: string,
): Map<string, Owner> {
  return new Map([
    [`key ${bearerHeader(unknownKeyLike(apiKey)).authorization}`, { tenant: null, credential: 'invalid' }],
    [`cookie ${invalidCookieHeader(sessionCookie, runId).cookie}`, { tenant: null, credential: 'invalid' }],
    [`cookie ${alteredCookieHeader(sessionCookie).cookie}`, { tenant: null, credential: 'invalid' }],
    [`cookie ${similarInvalidCookieHeader(sessionCookie).cookie}`, { tenant: null, credential: 'invalid' }],
    [`cookie ${otherSessionCookie}`, { tenant: 'other' }],
    [`cookie ${sessionCookie}`, { tenant: 'main' }],
    [`cookie ${headersWithUnrelatedCookie(sessionCookie).cookie}`, { tenant: 'main' }],
    [`key ${bearerHeader(otherApiKey ?? '').authorization}`, { tenant: 'other' }],
    [`key ${bearerHeader(apiKey).authorization}`, { tenant: 'main' }],
  ])
}

function ownerOf(
  { operation, url, requestHeaders, requestBody }: SentRequest,
  owners: ReadonlyMap<string, Owner>,
  ordinary: ReadonlySet<string>,
): Owner {
  const { query } = routeOf(operation)
  const parameters = [...new URL(url).searchParams.keys()]
  if (parameters.some((name) => !Object.hasOwn(query?.shape ?? {}, name))) return nobody
  if (Object.keys(requestHeaders).some((name) => !ordinary.has(name))) return nobody
  const owner = ownerByCredential({ operation, requestHeaders }, owners)
  const oddity =
    requestOddityOf({ operation, url, requestBody }) ??
    (isNegotiating(requestHeaders) ? 'media-type' : undefined)
  // Nobody has access without a credential, whatever the request wants.
  if (oddity === undefined || (oddity === 'media-type' && owner.credential === 'missing')) return owner
  return hasAccess(owner) ? { tenant: null, oddity } : nobody
}

/** True if an owner's credential surely gives access: one of the operator does, a created key may be deleted. */
const hasAccess = (owner: Owner | undefined): boolean =>
  owner !== undefined && owner.tenant !== null && owner.key === undefined

function ownerByCredential(
  { operation, requestHeaders: { authorization, cookie } }: Pick<SentRequest, 'operation' | 'requestHeaders'>,
  owners: ReadonlyMap<string, Owner>,
): Owner {
  const { auth } = routeOf(operation)
  const value = auth === 'key' ? authorization : cookie
  if (value !== undefined) {
    const owner = owners.get(`${auth} ${value}`)
    const written = owner ?? owners.get(`${auth} ${value.replace(/^bearer /, 'Bearer ')}`)
    if (owner === written) return owner ?? nobody
    return hasAccess(written) ? { tenant: null, oddity: 'scheme-case' } : nobody
  }
  if (auth === 'key' && cookie !== undefined)
    return owners.has(`cookie ${cookie}`) ? { tenant: null, credential: 'session' } : nobody
  if (auth === 'cookie' && authorization !== undefined)
    return owners.has(`key ${authorization}`) ? { tenant: null, credential: 'key' } : nobody
  return { tenant: null, credential: 'missing' }
}

/** True if a request names another media type than JSON, for what it sends or for what it wants. */
const isNegotiating = (headers: Exchange['requestHeaders']): boolean =>
  !jsonMediaTypes.some((one) => one === (headers['content-type'] ?? one)) ||
  !['application/json', anyMediaType].includes(headers.accept ?? anyMediaType)

function eventOf(one: SentRequest, owner: Owner, isInStep: boolean): RequestEvent {
  const { number: id, operation, invented, sent, received, exchange } = one
  const url = new URL(one.url)
  const answer =
    exchange && received && isInStep && exchange.excess === undefined ? answerOf(exchange, received) : null
  return {
    kind: 'request',
    id,
    operation,
    ...owner,
    resource: decodedPathId(one),
    ...(invented && { invented }),
    query: Object.fromEntries(url.searchParams),
    ...bodyOf(one.requestBody),
    ...(isNegotiating(one.requestHeaders) && { negotiatesContent: true }),
    sent,
    answer,
  }
}

/** The answer of an exchange, for the model; a long body is read only when it is looked at. */
const answerOf = (exchange: Exchange, received: OrderedMoment): RequestEvent['answer'] => ({
  status: exchange.status,
  get json() {
    return exchange.json
  },
  received,
})

/** The JSON value of a body; its text where it is too deep or too large for a walk through it. */
function bodyOf(body = ''): Pick<RequestEvent, 'body' | 'content'> {
  try {
    if (body === '') return { content: 'none' }
    return { body: jsonBoundsProblem(body) === undefined ? JSON.parse(body) : body }
  } catch {
    return { content: 'not-json' }
  }
}

/** Base URL of the exchanges of a history that holds no address. */
const nowhere = 'http://history.invalid'

/**
 * Judges a history and returns it as a run of the suite, with a result for each requirement. `name`: its source, such
 * as the address of the service; `recorded`: its exchanges with headers and bodies; `confirmed`: requirements that
 * something else tests again; `verdict`: of the model.
 */
export function judgeRecordedHistory(
  history: readonly ModelEvent[],
  name: string,
  settings: SuiteSettings,
  recorded?: readonly Exchange[],
  confirmed: ReadonlySet<string> = new Set(),
  verdict: ModelVerdict & { readonly keys?: readonly CreatedKey[] } = judgeHistory(
    history,
    judgingOptionsOf(settings),
  ),
): SuiteRun {
  const address = URL.canParse(name) ? name : nowhere
  const exchanges =
    recorded ??
    history.flatMap((event) => (event.kind === 'request' ? (exchangeOf(event, address) ?? []) : []))
  const traffic = { exchanges, outOfStep: [], secrets: verdict.keys ?? [] }
  const violations = verdict.violations.map(withKnownCause)
  const isConfirmed = ({ requirement }: ModelViolation) => confirmed.has(requirement)
  const counted = [...conclusiveViolations(violations, history, exchanges), ...violations.filter(isConfirmed)]
  // Some rules name a more exact requirement than their own.
  const named = new Set([
    ...verdict.exercised,
    ...[...modelRules, ...violations].map((one) => one.requirement),
  ])
  const lost = history.filter((event) => event.kind === 'request' && event.answer === null)
  const moments = history.map(({ sent }) => sent.ms).toSorted((a, b) => a - b)
  return {
    baseUrl: name,
    runId: 'judge',
    started_at: new Date().toISOString(),
    duration_ms: (moments.at(-1) ?? 0) - (moments[0] ?? 0),
    variant: variantOfAnswers(verdict.state),
    extended: extendedRouteSupportOf(exchanges),
    credits: { limit: 0, spent: 0 },
    requests: exchanges.length,
    disturbances: { dropped: lost.length, gateway: 0, waits: 0, waited_ms: 0, repeats: 0 },
    results: catalogue.map((requirement) => {
      const isShown = named.has(requirement.id) || isBalanceRequirement(requirement.id)
      const isRead = recorded && 'observe' in requirement
      const silent = isShown || isRead ? undefined : { reason: 'a history alone does not show it' }
      const omission = omissionReason(requirement, settings) ?? silent
      if (omission)
        return { requirement, outcome: 'not_exercised', how: 'observed', ...omission, evidence: [] }
      return trafficResult(requirement, { ...verdict, violations, counted }, traffic, settings, !!recorded)
    }),
    history,
    ...(recorded && { exchanges: recorded, isRecorded: true }),
    created: [],
    secrets: [],
    left: [],
  }
}

/** An event as an exchange, for the report; undefined where the answer was lost. */
function exchangeOf(
  { id, operation, tenant, resource, query, body, sent, answer }: RequestEvent,
  baseUrl: string,
): Exchange | undefined {
  if (!answer) return undefined
  const { method, path } = routeOf(operation)
  const search = new URLSearchParams(query).toString()
  return {
    number: id,
    operation,
    caller: tenant === null ? 'nobody' : tenant === 'main' ? 'main' : 'other',
    method,
    url: `${baseUrl}${path.replace(':id', encodeURIComponent(resource ?? ''))}${search && `?${search}`}`,
    requestHeaders: {},
    requestBody: body === undefined ? undefined : JSON.stringify(body),
    status: answer.status,
    headers: {},
    text: JSON.stringify(answer.json) ?? '',
    json: answer.json,
    duration_ms: answer.received.ms - sent.ms,
  }
}

/** The variant of the API that all answers so far have; undefined: undecided. */
export function variantOfAnswers({
  shownVariants: seen,
}: Pick<ModelState, 'shownVariants'>): SuiteRun['variant'] {
  if (seen.length === 0) return 'unknown'
  return variants.find((variant) => seen.every(({ shown }) => shown.includes(variant))) ?? 'mixed'
}

/**
 * Whether recorded exchanges show the extended routes to be offered, partly offered, or absent; `unknown` if they do
 * not tell.
 */
export function extendedRouteSupportOf(exchanges: readonly Exchange[]): SuiteRun['extended'] {
  const extended = operationIds.filter((id) => routeOf(id).set === 'extended')
  const offered = extended.filter((id) =>
    exchanges.some((one) => one.operation === id && hasSuccessStatus(one)),
  )
  const absent = extended.filter(
    (id) => !offered.includes(id) && exchanges.some((one) => one.operation === id && isRouteAbsent(one)),
  )
  if (offered.length > 0) return absent.length > 0 ? 'partly' : 'offered'
  return absent.length > 0 ? 'absent' : 'unknown'
}
