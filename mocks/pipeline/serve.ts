/** Serves a request to the API: creates its context, has it decided, writes the answer and records both. */
import type { Variant } from '#contract/route.ts'
import { truncateText } from '#traffic/journal-entry.ts'
import { redactionOf } from '#traffic/redaction.ts'
import { Failure, fail } from '../core/failure.ts'
import type { QuirkId } from '../core/quirk-id.ts'
import { isSilent } from '../faults/connection.ts'
import { withoutEffect } from '../faults/fault.ts'
import {
  failureParts,
  gatewayResponse,
  otherVariant,
  type SerializedResponse,
  serialize,
  successParts,
} from '../handlers/respond.ts'
import { isHarmless, type RecordedEntry } from '../journal/view.ts'
import { type AnswerQuirks, everyQuirk, type Quirks } from '../quirks/create.ts'
import type { Answer } from './answer.ts'
import { answerPreflight, withCorsHeaders } from './cross-origin.ts'
import { decideRequest } from './decide.ts'
import { appliedPreferences, ineffectiveFaultsText } from './faults.ts'
import type { ReceivedRequest } from './received-request.ts'
import {
  contextOf,
  type Decision,
  type RequestContext,
  type RequestSummary,
  type Service,
} from './service.ts'

/** Answers a request to the API, synchronously if possible. */
export function serve(service: Service, request: ReceivedRequest): Answer | Promise<Answer> {
  const preflight = service.settings.cors ? answerPreflight(request) : undefined
  if (preflight) return preflight
  const context = contextOf(service, request)
  try {
    const decision = decideRequest(context)
    if (!(decision instanceof Promise)) return writeAnswer(context, decision)
    return decision.then((late) => writeAnswer(context, late)).catch((error) => failed(context, error))
  } catch (error) {
    return failed(context, error)
  }
}

function failed(context: RequestContext, error: unknown): Answer {
  context.service.onBug(error)
  context.decided_by = 'bug'
  return writeAnswer(context, fail('internal_error'))
}

function writeAnswer(context: RequestContext, decision: Decision): Answer {
  const { operation, principal, service, effects } = context
  const failure = decision instanceof Failure ? decision : operation ? undefined : fail('not_found')
  const quirks = principal ? principal.quirks : service.tenants.quirks
  const quirk = quirkOf(context, quirks)
  for (const id of context.quirks ?? []) quirk?.applied.add(id)
  const format = formatOf(context, quirk, failure !== undefined)
  const plain =
    failure || operation === null
      ? failureParts(failure ?? fail('not_found'), format)
      : successParts(operation, decision, format)
  const parts = quirk?.rewrite(plain) ?? plain
  const serialized = effects?.gateway
    ? gatewayResponse(effects.gateway, format.now)
    : (quirk?.serialize(parts) ?? serialize(parts))
  const code = failure ? String(Reflect.get(parts.body, 'error')) : null
  if (effects) effects.reason += ineffectiveFaultsText(context, failure, serialized.status, code)
  const explained = operation === null ? undefined : explanationOf(context, failure, serialized.status)
  if (explained) serialized.headers = { ...serialized.headers, ...explained }
  if (effects?.malformed) serialized.text = serialized.text.trimEnd().slice(0, -1)
  else if (effects?.wrongType)
    serialized.headers = { ...serialized.headers, 'content-type': 'text/html; charset=utf-8' }
  if (decision === withoutEffect && !effects?.gateway) serialized.text = ''
  record(context, serialized, code, format.variant, quirk?.applied)
  const { status, text } = serialized
  const visible = service.settings.cors
    ? withCorsHeaders(context.request, serialized.headers)
    : serialized.headers
  const fault = effects?.wire && { ...effects.wire, reason: effects.reason }
  return { status, headers: quirk ? quirk.spell(visible) : visible, text, fault }
}

/** The quirks of the answer: those of the caller, or every one where a fault says so. */
function quirkOf({ operation, effects, service }: RequestContext, quirks: Quirks | undefined) {
  if (effects?.rejected) return undefined
  return (effects?.quirks ? everyQuirk(service.settings.variant) : quirks)?.next(operation)
}

function formatOf(context: RequestContext, quirk: AnswerQuirks | undefined, failed: boolean) {
  const { operation, principal, service, preference, effects, now } = context
  const { variant, retryAfter } = principal?.settings ?? service.settings
  const org = principal?.org
  const configured = org?.overrides.variant ?? (operation && org?.variants[operation]) ?? variant
  const usual = preference?.variant ?? (failed ? quirk?.errorTable : undefined) ?? configured
  const chosen = effects?.otherVariant && usual !== 'both' ? otherVariant(usual) : usual
  return {
    variant: chosen === 'both' ? variant : chosen,
    superset: chosen === 'both',
    retryAfter: effects?.retryAfter ?? quirk?.retryAfter ?? retryAfter,
    now,
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

/**
 * Records a request and its response. `code`: the `error` code, or null for a success; `quirks`: those that made the
 * response differ.
 */
function record(
  context: RequestContext,
  response: SerializedResponse,
  code: string | null,
  variant: Variant,
  quirks: ReadonlySet<QuirkId> | undefined,
): void {
  const { service, operation, request, principal, effects, id, now, body } = context
  const { journal, observers } = service
  if (!journal.active && observers.size === 0) return
  const wire = effects?.abandoned ? 'abandoned' : (effects?.wire?.wire ?? null)
  const silent = wire === 'abandoned' || (wire !== null && isSilent(wire))
  const org_id = principal?.org.id ?? null
  const entry = {
    id,
    follows: journal.follows(request.connection, org_id, id),
    number: 0,
    org_id,
    key_id: principal?.key?.id ?? null,
    operation,
    method: request.method,
    url: request.url,
    headers: request.rawHeaders,
    body: body === null ? null : truncateText(body),
    status: silent ? 0 : response.status,
    answerHeaders: response.headers,
    answer: truncateText(response.text),
    error: silent ? null : code,
    reason: effects?.reason ?? null,
    wire,
    variant,
    at: now,
    duration_ms: (principal?.org.clock ?? service.clock).now() - now,
    quirks,
    decided_by: context.decided_by,
    changes_before: context.changes_before,
    changes_from: context.changes_from,
    changes_to: context.changes_to,
    credits: context.credits,
  }
  if (journal.active) journal.add(entry)
  for (const observe of observers) observe(summaryOf(context, entry))
}

function summaryOf(context: RequestContext, entry: RecordedEntry): RequestSummary {
  const { id, operation, method, status, error, reason, wire, org_id, at } = entry
  const org_name = context.principal?.org.name ?? null
  const duration_ms = performance.now() - context.started
  return {
    ...{ id, operation, method, status, error, reason, wire, org_id, at },
    ...{ path: safePath(context), org_name, duration_ms },
  }
}

/** The path for logs. Of a client without a valid credential any word in it may be one. */
function safePath({ service, request, principal }: RequestContext): string {
  const { path } = request
  const { keysOnly } = service.settings
  if (principal && isHarmless(path, keysOnly)) return path
  return redactionOf({ headers: request.rawHeaders }, keysOnly).text(path)
}
