/** Serves a request to the API: creates its context, has it decided, writes the answer and records both. */
import { truncateText } from '#traffic/journal-entry.ts'
import { minSearchedKeyLength, redactorOf } from '#traffic/redaction.ts'
import { createFailure, Failure } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { Key } from '../core/resources.ts'
import { isSilentFault } from '../faults/connection.ts'
import { requestDroppedDecision } from '../faults/fault.ts'
import {
  type Answer,
  failureParts,
  otherVariant,
  serializeAnswer,
  successParts,
  withDateHeader,
} from '../handlers/respond.ts'
import { needsNoRedaction } from '../journal/view.ts'
import {
  type AnswerQuirks,
  createAllCompatibleAnswerQuirks,
  type OrganizationQuirks,
} from '../quirks/create.ts'
import { answerPreflight, withCorsHeaders } from './cross-origin.ts'
import { appliedQuirksOf, decideRequest, setRequestCaller } from './decide.ts'
import { appliedPreferences, ineffectiveFaultsText } from './faults.ts'
import type { ReceivedRequest } from './received-request.ts'
import {
  createRequestContext,
  type Decision,
  type MockParts,
  type RequestContext,
  type RequestSummary,
} from './service.ts'

/** Answers a request to the API, synchronously if possible. */
export function serveApiRequest(service: MockParts, request: ReceivedRequest): Answer | Promise<Answer> {
  const preflight = service.settings.cors ? answerPreflight(request) : undefined
  if (preflight) return preflight
  const context = createRequestContext(service, request)
  try {
    const decision = decideRequest(context)
    if (!(decision instanceof Promise)) return writeAnswer(context, decision)
    return decision.then((late) => writeAnswer(context, late)).catch((error) => failed(context, error))
  } catch (error) {
    return failed(context, error)
  }
}

/**
 * Records in the journal a request to a path outside the API that carries an API key of the organization, so that the
 * client report can object: a key belongs in API requests alone (§5.1). `readAnswer` is called only for such a request.
 */
export async function recordKeyOutsideApi(
  service: MockParts,
  request: ReceivedRequest,
  org: Organization | undefined,
  readAnswer: () => Promise<Answer>,
): Promise<void> {
  const texts = [request.url, ...request.rawHeaders]
  const isSent = ({ secret }: Key) =>
    secret.length >= minSearchedKeyLength && texts.some((text) => text.includes(secret))
  const key = org?.keys.all().find(isSent)
  const principal = key && service.tenants.byKey(key.secret)
  if (!principal) return
  const context = createRequestContext(service, request)
  setRequestCaller(context, principal)
  context.entry.decided_by = 'route'
  record(context, await readAnswer(), null)
}

function failed(context: RequestContext, error: unknown): Answer {
  context.service.onBug(error)
  context.entry.decided_by = 'bug'
  return writeAnswer(context, createFailure('internal_error'))
}

function writeAnswer(context: RequestContext, decision: Decision): Answer {
  const { operation, principal, service, effects, entry } = context
  const failure = decision instanceof Failure ? decision : operation ? undefined : createFailure('not_found')
  const quirk = quirkOf(context, principal ? principal.quirks : service.tenants.quirks)
  const format = formatOf(context, quirk, failure !== undefined)
  entry.variant = format.variant
  const plain =
    failure || operation === null
      ? failureParts(failure ?? createFailure('not_found'), format)
      : successParts(operation, decision, format)
  const parts = quirk?.rewrite(plain) ?? plain
  const answer = effects?.gateway
    ? withDateHeader(effects.gateway, format.now)
    : (quirk?.serialize(parts) ?? serializeAnswer(parts))
  const code = failure ? String(Reflect.get(parts.body, 'error')) : null
  if (effects) effects.reason += ineffectiveFaultsText(context, failure, answer.status, code)
  const explained = operation === null ? undefined : explanationOf(context, failure, answer.status)
  if (explained) answer.headers = { ...answer.headers, ...explained }
  if (effects?.malformed) answer.text = answer.text.trimEnd().slice(0, -1)
  else if (effects?.wrongType)
    answer.headers = { ...answer.headers, 'content-type': 'text/html; charset=utf-8' }
  if (decision === requestDroppedDecision && !effects?.gateway) answer.text = ''
  record(context, answer, code)
  if (service.settings.cors) answer.headers = withCorsHeaders(context.request, answer.headers)
  if (quirk) answer.headers = quirk.spell(answer.headers)
  if (effects?.wire) answer.fault = { ...effects.wire, reason: effects.reason }
  return answer
}

/** The quirks of the answer: those of the caller, or all if a fault asks for them. */
function quirkOf(context: RequestContext, quirks: OrganizationQuirks | undefined) {
  const { operation, effects, service, principal, entry } = context
  if (effects?.rejected) entry.quirks = undefined
  else if (effects?.quirks)
    return createAllCompatibleAnswerQuirks(service.settings.variant)?.next(operation, appliedQuirksOf(entry))
  else return quirks?.next(operation, appliedQuirksOf(entry), principal?.org.changes)
  return undefined
}

function formatOf(context: RequestContext, quirk: AnswerQuirks | undefined, failed: boolean) {
  const { operation, principal, service, preference, effects, entry } = context
  const { variant, retryAfter } = principal?.settings ?? service.settings
  const org = principal?.org
  const configured = org?.overrides.variant ?? (operation && org?.variants[operation]) ?? variant
  const usual = preference?.variant ?? (failed ? quirk?.errorTable : undefined) ?? configured
  const chosen = effects?.otherVariant && usual !== 'both' ? otherVariant(usual) : usual
  return {
    variant: chosen === 'both' ? variant : chosen,
    superset: chosen === 'both',
    retryAfter: effects?.retryAfter ?? quirk?.retryAfter ?? retryAfter,
    now: entry.at,
  }
}

function explanationOf(context: RequestContext, failure: Failure | undefined, status: number) {
  const { effects, service, preference } = context
  if (!effects && !preference) return undefined
  const applied = appliedPreferences(context, failure, status)
  return {
    ...(effects && service.settings.reasonHeader ? { 'x-mock-reason': effects.reason } : {}),
    ...(applied.length > 0 ? { 'preference-applied': applied.join(', ') } : {}),
  }
}

/** Records a request with its response. `code`: the `error` code, or null for a success. */
function record(context: RequestContext, response: Answer, code: string | null): void {
  const { service, request, principal, effects, entry } = context
  const { journal, observers } = service
  if (!journal.active && observers.size === 0) return
  entry.cameOn(request.connection, request.arrival)
  entry.url = request.url
  entry.headers = request.rawHeaders
  if (entry.body !== null) entry.body = truncateText(entry.body)
  entry.answerHeaders = response.headers
  entry.answer = truncateText(response.text)
  entry.reason = effects?.reason ?? null
  entry.wire = effects?.abandoned ? 'abandoned' : (effects?.wire?.wire ?? null)
  if (!effects?.abandoned && !(effects?.wire && isSilentFault(effects.wire.wire))) {
    entry.status = response.status
    entry.error = code
  }
  entry.duration_ms = (principal?.org.clock ?? service.clock).now() - entry.at
  if (journal.active) journal.add(entry)
  for (const observe of observers) observe(summaryOf(context))
}

function summaryOf(context: RequestContext): RequestSummary {
  const { id, operation, method, status, error, reason, wire, org_id, at } = context.entry
  const org_name = context.principal?.org.name ?? null
  const duration_ms = performance.now() - context.started
  return {
    ...{ id, operation, method, status, error, reason, wire, org_id, at },
    ...{ path: safePath(context), org_name, duration_ms },
  }
}

/** The path for logs. Without a valid credential, any word in it may be a secret. */
function safePath({ service, request, principal }: RequestContext): string {
  const { path } = request
  const { keysOnly } = service.settings
  if (principal && needsNoRedaction(path, keysOnly)) return path
  return redactorOf({ headers: request.rawHeaders }, keysOnly).text(path)
}
