/** Serves a request with Hono: creates its context, has it decided, writes the response and records both. */
import type { Context } from 'hono'
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { truncateText } from '#traffic/journal-entry.ts'
import { redactionOf } from '#traffic/redaction.ts'
import { Failure, fail } from '../core/failure.ts'
import { isSilent, type WireFault, withoutEffect } from '../faults/fault.ts'
import {
  badGateway,
  failureParts,
  otherThan,
  type SerializedResponse,
  serialize,
  successParts,
} from '../handlers/respond.ts'
import { isHarmless } from '../journal/view.ts'
import { everyQuirk, type Quirks, type ResponseQuirks } from '../quirks/create.ts'
import { decide } from './decide.ts'
import { appliedPreferences, ineffective } from './faults.ts'
import { contextOf, type Decision, type RequestContext, type Service } from './service.ts'

/** What is to be done to the connection of a response. */
export const wireFaults = new WeakMap<Response, WireFault>()

/** Creates the Hono handler of an operation, or (null) of every other path of the API. */
export function serve(service: Service, operation: OperationId | null) {
  return (c: Context): Response | Promise<Response> => {
    const context = contextOf(service, operation, c)
    try {
      const decision = decide(context)
      if (!(decision instanceof Promise)) return writeResponse(context, decision)
      return decision.then((late) => writeResponse(context, late)).catch((error) => failed(context, error))
    } catch (error) {
      return failed(context, error)
    }
  }
}

function failed(context: RequestContext, error: unknown): Response {
  context.service.onBug(error)
  context.decided_by = 'bug'
  return writeResponse(context, fail('internal_error'))
}

function writeResponse(context: RequestContext, decision: Decision): Response {
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
  const serialized = effects?.badGateway
    ? badGateway(format.now)
    : (quirk?.serialize(parts) ?? serialize(parts))
  const code = failure ? String(Reflect.get(parts.body, 'error')) : null
  if (effects) effects.reason += ineffective(context, failure, serialized.status, code)
  if (operation !== null)
    serialized.headers = { ...serialized.headers, ...explanationOf(context, failure, serialized.status) }
  if (effects?.malformed) serialized.text = serialized.text.trimEnd().slice(0, -1)
  if (decision === withoutEffect && !effects?.badGateway) serialized.text = ''
  record(context, serialized, code, format.variant, quirk?.applied)
  const headers = quirk ? quirk.spell(serialized.headers) : serialized.headers
  const Response = context.bindings?.Response ?? globalThis.Response
  const response = new Response(serialized.text, { status: serialized.status, headers })
  if (effects?.wire) wireFaults.set(response, effects.wire)
  return response
}

/** The quirks of the answer: those of the caller, or every one where a fault says so. */
function quirkOf({ operation, effects, service }: RequestContext, quirks: Quirks | undefined) {
  if (effects?.rejected) return undefined
  return (effects?.quirks ? everyQuirk(service.settings.variant) : quirks)?.next(operation)
}

function formatOf(context: RequestContext, quirk: ResponseQuirks | undefined, failed: boolean) {
  const { operation, principal, service, preference, effects, now } = context
  const { variant, retryAfter } = principal?.settings ?? service.settings
  const org = principal?.org
  const configured = org?.overrides.variant ?? (operation && org?.variants[operation]) ?? variant
  const usual = preference?.variant ?? (failed ? quirk?.errorTable : undefined) ?? configured
  const chosen = effects?.otherVariant && usual !== 'both' ? otherThan(usual) : usual
  return {
    variant: chosen === 'both' ? variant : chosen,
    superset: chosen === 'both',
    retryAfter: effects?.retryAfter ?? quirk?.retryAfter ?? retryAfter,
    now,
  }
}

function explanationOf(context: RequestContext, failure: Failure | undefined, status: number) {
  const { effects, service } = context
  const applied = appliedPreferences(context, failure, status)
  if (!effects && applied.length === 0) return undefined
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
  quirks: ReadonlySet<string> | undefined,
): void {
  const { service, operation, request, principal, bindings, effects, id, now, body } = context
  const { journal, observers } = service
  const { decided_by, changes_before, changes_from, changes_to, credits } = context
  const wire = effects?.abandoned ? 'abandoned' : (effects?.wire?.wire ?? null)
  const reason = effects?.reason ?? null
  const silent = wire === 'abandoned' || (wire !== null && isSilent(wire))
  const [status, error] = silent ? [0, null] : [response.status, code]
  const org_id = principal?.org.id ?? null
  const facts = { id, operation, method: request.method, status, error, reason, wire, org_id, at: now }
  if (journal.active) {
    const connection = bindings?.incoming?.socket ?? bindings?.connection
    const changes = { decided_by, changes_before, changes_from, changes_to, credits }
    journal.add({
      ...facts,
      ...changes,
      number: 0,
      follows: journal.follows(connection, org_id, id),
      key_id: principal?.key?.id ?? null,
      url: request.url,
      headers: headersOf(request, bindings),
      body: body === null ? null : truncateText(body),
      answerHeaders: response.headers,
      answer: truncateText(response.text),
      variant,
      duration_ms: (principal?.org.clock ?? service.clock).now() - now,
      ...(quirks && { quirks }),
    })
  }
  if (observers.size === 0) return
  const org_name = principal?.org.name ?? null
  const duration_ms = performance.now() - context.started
  for (const observe of observers) observe({ ...facts, path: safePath(context), org_name, duration_ms })
}

/** Names and values in turn, as sent. */
function headersOf(request: RequestContext['request'], bindings: RequestContext['bindings']) {
  return bindings?.incoming?.rawHeaders ?? [...request.raw.headers].flat()
}

/** The path for logs. Of a client without a valid credential any word in it may be one. */
function safePath({ service, request, bindings, principal }: RequestContext): string {
  const { path } = request
  const { keysOnly } = service.settings
  if (principal && isHarmless(path, keysOnly)) return path
  return redactionOf({ headers: headersOf(request, bindings) }, keysOnly).text(path)
}
