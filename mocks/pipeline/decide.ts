/** Decides a request: authenticates, finds its slot, applies faults, checks preconditions, reads the input and handles it. */
import type { FailureName } from '#contract/errors.ts'
import type { OperationId } from '#contract/operation.ts'
import type { Route } from '#contract/route.ts'
import { createFailure, Failure } from '../core/failure.ts'
import type { QuirkId } from '../core/quirk-id.ts'
import { mayHaveDirective } from '../faults/directives.ts'
import { requestDroppedDecision } from '../faults/fault.ts'
import type { Handler, HandlerCall } from '../handlers/views.ts'
import type { DecidingStage, RecordedEntry } from '../journal/entry.ts'
import type { Principal } from '../tenants/tenant.ts'
import { keyProblem } from '../tenants/tenants.ts'
import { recordConditions } from './conditions.ts'
import {
  applyFaults,
  faultsRequestedInTexts,
  markAnswerLostByState,
  type RequestedFaults,
  requestedFaultsOf,
} from './faults.ts'
import { journalBodyText, readQuery, validateBody } from './read-input.ts'
import type { BodyReception } from './received-request.ts'
import type { AuthenticatedContext, Decision, Precondition, RequestContext } from './service.ts'

/** Decides a request: authentication, then requested faults, rate limits and conditions, and last the handler. */
export function decideRequest(context: RequestContext): Decision | Promise<Decision> {
  const { service, request, route } = context
  if (!route) return decideUnknown(context)
  const principal = service.rules.authenticate(request, route.auth, service.tenants)
  setRequestCaller(context, principal)
  if (request.cutBy !== undefined) return cut(context, request.cutBy)
  if (!principal)
    return decided(
      context,
      'authentication',
      createFailure('unauthorized', keyProblem(request, service.tenants)),
    )
  const known = context as AuthenticatedContext
  return withFaults(known, requestedFaultsOf(known), 'preference', checkAndHandle, undefined)
}

/** Resets a request on a connection that an earlier fault closed, before anybody has read it. */
function cut(context: RequestContext, reason: string): Decision {
  context.entry.decided_by = 'fault'
  context.effects = { reason, wire: { wire: 'reset', ms: 0 } }
  return requestDroppedDecision
}

/** The message of a preflight without `--cors`; its answer has no CORS headers, so the browser blocks the call. */
const preflightAdvice =
  'The mock does not answer pages from other origins. Start it with --cors, or create it with { cors: true }.'

function decideUnknown(context: RequestContext): Decision {
  const { rules, tenants } = context.service
  const { request } = context
  const byKey = rules.authenticate(request, 'key', tenants)
  setRequestCaller(context, byKey ?? rules.authenticate(request, 'cookie', tenants))
  if (request.cutBy !== undefined) return cut(context, request.cutBy)
  context.entry.decided_by = context.principal ? 'route' : 'authentication'
  // Browsers send preflights without credentials.
  if (request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined)
    return createFailure('not_found', preflightAdvice)
  return context.principal ? createFailure('not_found', 'No such route.') : createFailure('unauthorized')
}

/**
 * Notes who sent a request, if its credential is valid. From then on, the time of the request is that of the caller's
 * organization.
 */
export function setRequestCaller(context: RequestContext, principal: Principal | undefined): void {
  const { service, entry } = context
  context.principal = principal
  entry.key_id = principal?.key?.id ?? null
  if (principal) {
    entry.at = principal.org.clock.now()
    recordConditions(service, principal)
    entry.changes_before = entry.changes_from = entry.changes_to = principal.org.changes.position
  }
  entry.countAmong(service.journal.requestsOf(principal?.org.id ?? null))
}

/**
 * Finds the caller again if its organization was replaced while the request waited, as by a reset; returns the failure
 * if the credential is no longer valid.
 */
function findAgain(context: AuthenticatedContext): Failure | undefined {
  const { service, request, route, principal } = context
  if (service.tenants.tenantOf(principal.org)) return undefined
  const found = service.rules.authenticate(request, route.auth, service.tenants)
  setRequestCaller(context, found)
  return found ? undefined : decided(context, 'authentication', createFailure('unauthorized'))
}

function withFaults(
  context: AuthenticatedContext,
  requested: RequestedFaults | Failure | undefined,
  refusedBy: DecidingStage,
  next: (context: AuthenticatedContext, body: object | undefined) => Decision | Promise<Decision>,
  body: object | undefined,
): Decision | Promise<Decision> {
  if (!requested) return next(context, body)
  if (requested instanceof Failure) return decided(context, refusedBy, requested)
  context.effects ??= { reason: requested.reason, requested: [] }
  context.effects.requested?.push(...requested.faults)
  return applyFaults(
    context,
    requested.faults,
    context.effects,
    () => findAgain(context) ?? next(context, body),
  )
}

function checkAndHandle(context: AuthenticatedContext): Decision | Promise<Decision> {
  for (const precondition of context.service.rules.preconditions) {
    const failure = precondition(context)
    if (failure) return decided(context, preconditionStages[failure.name] ?? 'state', failure)
  }
  const { route, request } = context
  const { body: schema } = route
  if (!schema) return handleWithText(context, undefined)
  if (request.body) return handleBody(context, schema, request.body)
  return request.receive().then((received) => {
    context.entry.body = journalBodyText(received)
    return findAgain(context) ?? handleBody(context, schema, received)
  })
}

function handleBody(
  context: AuthenticatedContext,
  schema: NonNullable<Route['body']>,
  received: BodyReception,
) {
  const { request, principal } = context
  const { quirks } = principal
  const body = validateBody(received, quirks?.bodyOf(schema, appliedQuirksOf(context.entry)) ?? schema)
  if (body instanceof Failure) return decided(context, 'input', body)
  if (quirks?.readsType(request.header('content-type') ?? null, appliedQuirksOf(context.entry)) !== false)
    return handleWithText(context, body)
  const problem = 'The Content-Type of the body is not application/json.'
  return decided(context, 'input', createFailure('unreadable', problem))
}

/** The deciding step of each failed precondition. */
const preconditionStages: Partial<Record<FailureName, DecidingStage>> = {
  rate_limited: 'rate_limit',
  unavailable: 'availability',
  not_found: 'extended_set',
}

function decided(context: RequestContext, stage: DecidingStage, failure: Failure): Failure {
  context.entry.decided_by = stage
  const { principal, entry } = context
  if (principal) entry.changes_from = entry.changes_to = principal.org.changes.position
  return failure
}

/** Handles the request after applying the faults of its text directives. */
function handleWithText(context: AuthenticatedContext, body: object | undefined) {
  const { operation, entry } = context
  const possible = operation === 'runTask' || (entry.body !== null && mayHaveDirective(entry.body))
  const requested = possible ? faultsRequestedInTexts(context, body) : undefined
  return withFaults(context, requested, 'text', handle, body)
}

/** The ids of the quirks that changed the answer to a request: a set in its journal entry, which callers may add to. */
export function appliedQuirksOf(entry: RecordedEntry): Set<QuirkId> {
  entry.quirks ??= new Set()
  return entry.quirks
}

/** Calls the handler. Synchronous, so that no other request runs between its reads and writes. */
function handle(context: AuthenticatedContext, body: object | undefined): Decision {
  const { service, operation, request, target, principal, effects, entry } = context
  const query = readQuery(context.route, request)
  if (query instanceof Failure) return decided(context, 'input', query)
  const { org, key, quirks } = principal
  const now = org.settled()
  if (key) {
    key.last_used_at = now
    org.changes.touched('keys', key)
  }
  const handler = service.rules.handlers[operation] as Handler<OperationId>
  const { tenants } = service
  const { runOverrides } = effects ?? {}
  const call = { org, tenants, now, id: target, body, query, url: request.url, runOverrides }
  entry.changes_from = org.changes.position
  const firstEntry = org.ledger.entries.length
  const before = org.ledger.balance
  const decision =
    quirks?.handle(operation, call as HandlerCall, handler, appliedQuirksOf(context.entry)) ??
    handler(call as HandlerCall)
  if (org.ledger.entries.length > firstEntry) org.ledger.attribute(firstEntry, entry.id)
  markAnswerLostByState(context, decision)
  entry.credits = org.ledger.balance - before
  entry.changes_to = org.changes.position
  return decision
}

/** The precondition that limits the requests of each key or session (§8.1). */
export const rateLimitPrecondition: Precondition = ({ principal, entry }) => {
  const rule = principal.org.overrides.rate_limit ?? principal.settings.rateLimit
  if (rule === 'off') return undefined
  const wait_ms = principal.org.limiter.admit(principal.credential, rule, entry.at)
  return wait_ms > 0 ? createFailure('rate_limited', undefined, wait_ms) : undefined
}

/** §7: rejects requests to key routes if the organization is temporarily unavailable. */
const available: Precondition = ({ route, principal }) =>
  route.auth === 'key' && principal.org.overrides.unavailable ? createFailure('unavailable') : undefined

/** §1: rejects requests to the extended route set if it is not offered. */
const offered: Precondition = ({ principal, route }) =>
  route.set === 'extended' && !(principal.org.overrides.extended ?? principal.settings.extended)
    ? createFailure('not_found', 'No such route.')
    : undefined

const creating: ReadonlySet<OperationId> = new Set([
  'createTask',
  'createDocument',
  'createKey',
  'createLandingPage',
])

/** Refuses a row beyond the maximum number of rows, which bounds the memory of the mock. */
const roomForMore: Precondition = ({ operation, principal: { org, settings } }) => {
  if (!creating.has(operation)) return undefined
  const rows = org.tasks.size + org.documents.size + org.landingPages.size + org.keys.size
  if (rows < settings.rows) return undefined
  return createFailure(
    'unavailable',
    `This organization has as many rows as --rows allows (${settings.rows}); reset it.`,
  )
}

/** The preconditions that every operation has (such as the rate limit), in order. */
export const preconditions: readonly Precondition[] = [rateLimitPrecondition, available, offered, roomForMore]
