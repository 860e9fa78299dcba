/** Decides a request: authenticates, applies faults, checks preconditions, reads the input and handles it. */
import type { FailureName } from '#contract/errors.ts'
import { sentence } from '#contract/input/checked.ts'
import type { OperationId } from '#contract/operation.ts'
import { Failure, fail } from '../core/failure.ts'
import { mayHaveDirective } from '../faults/text-directives.ts'
import type { Call, Handler } from '../handlers/handler.ts'
import type { Stage } from '../journal/view.ts'
import { nameInKey } from '../tenants/credentials.ts'
import type { Principal } from '../tenants/tenant.ts'
import { applyFaults, faultsInText, faultsOf, type RequestedFaults } from './faults.ts'
import { type Reception, readBody, readQuery, receive } from './read-input.ts'
import type { AuthenticatedContext, Decision, RequestContext } from './service.ts'

/** Returns the decision for a request to an operation, or to an unknown path or method. */
export function decide(context: RequestContext): Decision | Promise<Decision> {
  const { service, request, route } = context
  if (!route) return decideUnknown(context)
  const principal = service.rules.authenticate(request, route.auth, service.tenants)
  identify(context, principal)
  if (!principal) return decided(context, 'authentication', fail('unauthorized', problemOfKey(context)))
  const known = context as AuthenticatedContext
  return withFaults(known, faultsOf(known), 'preference', () => checkAndHandle(known))
}

/** The message of a preflight without `--cors`; its answer has no CORS headers, so the browser blocks the call. */
const preflightAdvice =
  'The mock does not answer pages from other origins. Start it with --cors, or create it with { cors: true }.'

function decideUnknown(context: RequestContext): Decision {
  const { rules, tenants } = context.service
  const { request } = context
  identify(
    context,
    rules.authenticate(request, 'key', tenants) ?? rules.authenticate(request, 'cookie', tenants),
  )
  context.decidedBy = context.principal ? 'route' : 'authentication'
  // Browsers send preflights without credentials.
  if (request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined)
    return fail('not_found', preflightAdvice)
  return context.principal ? fail('not_found', 'No such route.') : fail('unauthorized')
}

/** Sets the caller; from here on, time is that of the organization. */
function identify(context: RequestContext, principal: Principal | undefined): void {
  context.principal = principal
  if (principal) {
    context.now = principal.org.clock.now()
    context.changesFrom = context.changesTo = principal.org.changes.position
  }
  context.id = context.service.journal.nextId(principal?.org.id ?? null)
}

/** Returns the message for a key of the right format with invalid options. */
function problemOfKey({ request, service }: RequestContext): string | undefined {
  const secret = request.header('authorization')?.slice(7).trim() ?? ''
  const problems = service.tenants.problemsOfKey(secret)
  if (problems.length === 0) return service.tenants.fullFor(nameInKey(secret) ?? '')
  const texts = problems.map(({ option, problem }) => `${option} ${problem}`)
  return sentence(`Invalid options in the key: ${texts.join('; ')}`)
}

function withFaults(
  context: AuthenticatedContext,
  requested: RequestedFaults | Failure | undefined,
  refusedBy: Stage,
  next: () => Decision | Promise<Decision>,
): Decision | Promise<Decision> {
  if (!requested) return next()
  if (requested instanceof Failure) return decided(context, refusedBy, requested)
  context.effects ??= { reason: requested.reason, requested: [] }
  context.effects.requested?.push(...requested.faults)
  return applyFaults(context, requested.faults, context.effects, next)
}

function checkAndHandle(context: AuthenticatedContext): Decision | Promise<Decision> {
  for (const precondition of context.service.rules.preconditions) {
    const failure = precondition(context)
    if (failure) return decided(context, preconditionStages[failure.name] ?? 'state', failure)
  }
  const { route, request, bindings } = context
  if (!route.body) return handleWithText(context, undefined)
  const received = bindings?.body
  return received
    ? handleBody(context, received)
    : receive(request.raw).then((body) => handleBody(context, body))
}

/** Handles a request whose body was received. */
function handleBody(context: AuthenticatedContext, received: Reception): Decision | Promise<Decision> {
  const { route, request, principal } = context
  const { quirks } = principal
  if (typeof received === 'object' && received.bytes > 0) context.body = received.text ?? null
  if (!route.body) return handleWithText(context, undefined)
  const body = readBody(received, quirks?.bodyOf(route.body, appliedOf(context)) ?? route.body)
  if (body instanceof Failure) return decided(context, 'input', body)
  if (quirks?.readsType(request.header('content-type') ?? null, appliedOf(context)) !== false)
    return handleWithText(context, body)
  return decided(
    context,
    'input',
    fail('unreadable', 'The Content-Type of the body is not application/json.'),
  )
}

/** The step that a failed precondition belongs to. */
const preconditionStages: Partial<Record<FailureName, Stage>> = {
  rate_limited: 'rate_limit',
  unavailable: 'availability',
  not_found: 'extended_set',
}

/** Notes which step decided the request. */
function decided(context: RequestContext, stage: Stage, failure: Failure): Failure {
  context.decidedBy = stage
  const { principal } = context
  if (principal) context.changesFrom = context.changesTo = principal.org.changes.position
  return failure
}

/** Handles the request after applying the faults of its text directives. */
function handleWithText(
  context: AuthenticatedContext,
  body: object | undefined,
): Decision | Promise<Decision> {
  const possible =
    context.operation === 'runTask' || (context.body !== null && mayHaveDirective(context.body))
  const requested = possible ? faultsInText(context, body) : undefined
  return withFaults(context, requested, 'text', () => handle(context, body))
}

/** The set of quirks that are noted as applied, created for the first. */
function appliedOf(context: AuthenticatedContext): Set<string> {
  context.quirks ??= new Set()
  return context.quirks
}

/** Calls the handler. Synchronous, so that no other request runs between its reads and writes. */
function handle(context: AuthenticatedContext, body: object | undefined): Decision {
  const { service, operation, request, principal, effects, id } = context
  const query = readQuery(context.route, request)
  if (query instanceof Failure) return decided(context, 'input', query)
  const { org, key, quirks } = principal
  const now = org.clock.now()
  org.settle(now)
  if (key) {
    key.last_used_at = now
    org.changes.touched('keys', key)
  }
  const handler = service.rules.handlers[operation] as Handler<OperationId>
  const call = {
    org,
    tenants: service.tenants,
    now,
    id: request.param('id') ?? '',
    body,
    query,
    url: request.url,
    runOverrides: effects?.runOverrides,
  }
  context.changesFrom = org.changes.position
  const firstEntry = org.ledger.entries.length
  const before = org.ledger.balance
  const decision =
    quirks?.handle(operation, call as Call, handler, appliedOf(context)) ?? handler(call as Call)
  org.ledger.attribute(firstEntry, id)
  context.credits = org.ledger.balance - before
  context.changesTo = org.changes.position
  return decision
}
