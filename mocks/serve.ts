/** The road of one request: who asks, may it, what does it say, what happens, how is it answered. */
import type { Context } from 'hono'
import { type OperationId, routeOf } from '#contract/operation.ts'
import { Answering } from './answering.ts'
import { Failure, fail } from './failure.ts'
import type { Call, Handler } from './handlers/handler.ts'
import { readBody, readQuery } from './read-input.ts'
import type { Service, Visit } from './service.ts'

/** A success body with the fields of both variants, or a failure. */
export type Outcome = object | Failure

/** The Hono handler of an operation. */
export function serve(service: Service, operation: OperationId) {
  const route = routeOf(operation)
  const { authenticate } = service.rules
  return (c: Context): Response | Promise<Response> => {
    const answering = new Answering(service, operation, c.req)
    return answering.settle(() => {
      const principal = authenticate(c.req, route.auth, service.tenancy)
      if (!principal) return fail('unauthorized')
      answering.principal = principal
      return decide({ service, operation, route, request: c.req, principal, now: answering.now })
    })
  }
}

/** The Hono handler of paths under the API that are no operation: 404, after authentication. */
export function serveUnknown(service: Service) {
  const { authenticate } = service.rules
  return (c: Context): Response | Promise<Response> => {
    const answering = new Answering(service, null, c.req)
    return answering.settle(() => {
      const byKey = authenticate(c.req, 'key', service.tenancy)
      answering.principal = byKey ?? authenticate(c.req, 'cookie', service.tenancy)
      return answering.principal ? fail('not_found', 'No such route.') : fail('unauthorized')
    })
  }
}

function decide(visit: Visit): Outcome | Promise<Outcome> {
  for (const gate of visit.service.rules.gates) {
    const refusal = gate(visit)
    if (refusal) return refusal
  }
  const { route, request, service } = visit
  if (!route.body) return handle(visit, undefined, visit.now)
  return readBody(request.raw, route.body).then((body) =>
    body instanceof Failure ? body : handle(visit, body, service.world.clock.now()),
  )
}

/** Synchronous: nothing can come between what a handler reads and what it writes. */
function handle(visit: Visit, body: object | undefined, now: number): Outcome {
  const { service, operation, route, request, principal } = visit
  const query = readQuery(route, request)
  if (query instanceof Failure) return query
  principal.org.settle(now)
  if (principal.key) principal.key.last_used_at = now
  const handler = service.rules.handlers[operation] as Handler<OperationId>
  return handler({
    org: principal.org,
    tenancy: service.tenancy,
    now,
    id: request.param('id') ?? '',
    body,
    query,
    url: request.url,
  } as Call)
}
