/** Records a request and its response in the journal, and reports them to observers. */
import type { Variant } from '#contract/route.ts'
import { redactionOf } from '#traffic/redaction.ts'
import { isSilent } from '../faults/fault.ts'
import type { SerializedResponse } from '../handlers/respond.ts'
import { truncateText } from '../journal/journal.ts'
import { isHarmless } from '../journal/view.ts'
import type { RequestContext } from './service.ts'

/**
 * Records a request and its response. `code`: the `error` code, or null for a success; `quirks`: those that made the
 * response differ.
 */
export function record(
  context: RequestContext,
  response: SerializedResponse,
  code: string | null,
  variant: Variant,
  quirks: ReadonlySet<string> | undefined,
): void {
  const { service, operation, request, principal, bindings, effects, id, now } = context
  const { journal, observers, connections } = service
  const wire = effects?.abandoned ? 'abandoned' : (effects?.wire?.wire ?? null)
  const reason = effects?.reason ?? null
  const silent = wire === 'abandoned' || (wire !== null && isSilent(wire))
  const [status, error] = silent ? [0, null] : [response.status, code]
  const org_id = principal?.org.id ?? null
  if (journal.active) {
    const connection = bindings?.incoming?.socket ?? bindings?.connection
    journal.add({
      id,
      number: 0,
      follows: connections.previousRequest(connection, org_id, id),
      org_id,
      key_id: principal?.key?.id ?? null,
      operation,
      method: request.method,
      url: request.url,
      headers: headersOf(request, bindings),
      body: context.body === null ? null : truncateText(context.body),
      status,
      answerHeaders: response.headers,
      answer: truncateText(response.text),
      error,
      reason,
      wire,
      variant,
      at: now,
      duration_ms: (principal?.org.clock ?? service.clock).now() - now,
      decided_by: context.decidedBy,
      changes_before: context.changesBefore,
      changes_from: context.changesFrom,
      changes_to: context.changesTo,
      credits: context.credits,
      ...(quirks && { quirks }),
    })
  }
  if (observers.size === 0) return
  const { method } = request
  const path = safePath(context)
  const duration_ms = performance.now() - context.started
  const facts = { id, operation, method, path, status, error, reason, wire, org_id }
  const summary = { ...facts, org_name: principal?.org.name ?? null, at: now, duration_ms }
  for (const observe of observers) observe(summary)
}

/** Names and values in turn, as sent. */
function headersOf(
  request: RequestContext['request'],
  bindings: RequestContext['bindings'],
): readonly string[] {
  return bindings?.incoming?.rawHeaders ?? [...request.raw.headers].flat()
}

/** The path for logs. Of a client without a valid credential any word in it may be one. */
function safePath({ service, request, bindings, principal }: RequestContext): string {
  const { path } = request
  const { keysOnly } = service.settings
  if (principal && isHarmless(path, keysOnly)) return path
  return redactionOf({ headers: headersOf(request, bindings) }, keysOnly).text(path)
}
