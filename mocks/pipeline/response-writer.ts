/** Creates the Response to a decision: applies the shape, quirks and effects of faults, and records it. */
import { Failure, fail } from '../core/failure.ts'
import { withoutEffect } from '../faults/fault.ts'
import { markConnectionFault } from '../faults/wire.ts'
import {
  badGateway,
  failureParts,
  otherThan,
  type ResponseFormat,
  serialize,
  successParts,
} from '../handlers/respond.ts'
import { everyQuirk } from '../quirks/create.ts'
import type { Quirks, ResponseQuirks } from '../quirks/quirk.ts'
import { appliedPreferences, ineffective } from './faults.ts'
import { record } from './record.ts'
import type { Decision, RequestContext } from './service.ts'

/** Creates and records the response to a request. */
export function writeResponse(context: RequestContext, decision: Decision): Response {
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
  if (operation !== null) serialized.headers = { ...serialized.headers, ...explanationOf(context, failure) }
  if (effects?.malformed) serialized.text = serialized.text.trimEnd().slice(0, -1)
  if (decision === withoutEffect && !effects?.badGateway) serialized.text = ''
  record(context, serialized, code, format.variant, quirk?.applied)
  const headers = quirk ? quirk.spell(serialized.headers) : serialized.headers
  const response = new Response(serialized.text, { status: serialized.status, headers })
  return effects?.wire ? markConnectionFault(response, effects.wire) : response
}

/** The quirks of the answer: those of the caller, or every one where a fault says so. */
function quirkOf({ operation, effects, service }: RequestContext, quirks: Quirks | undefined) {
  if (effects?.rejected) return undefined
  return (effects?.quirks ? everyQuirk(service.settings.variant) : quirks)?.next(operation)
}

function formatOf(
  context: RequestContext,
  quirk: ResponseQuirks | undefined,
  failed: boolean,
): ResponseFormat {
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

/** Returns headers that name the faults and preferences that were applied. */
function explanationOf(
  context: RequestContext,
  failure: Failure | undefined,
): Record<string, string> | undefined {
  const { effects, service } = context
  const applied = appliedPreferences(context, failure)
  if (!effects && applied.length === 0) return undefined
  return {
    ...(effects && service.settings.reasonHeader ? { 'x-mock-reason': effects.reason } : {}),
    ...(applied.length > 0 ? { 'preference-applied': applied.join(', ') } : {}),
  }
}
