/** Creates the Hono handlers, which create the context of a request, decide it and write the response. */
import type { Context } from 'hono'
import { type OperationId, routeOf } from '#contract/operation.ts'
import { fail } from '../core/failure.ts'
import { readPreference } from '../faults/prefer.ts'
import { decide } from './decide.ts'
import { writeResponse } from './response-writer.ts'
import type { Bindings, RequestContext, Service } from './service.ts'

/** Creates the Hono handler of an operation, or (null) of every other path of the API. */
export function serve(service: Service, operation: OperationId | null) {
  return (c: Context): Response | Promise<Response> => {
    const context = createContext(service, operation, c)
    try {
      const decision = decide(context)
      if (!(decision instanceof Promise)) return writeResponse(context, decision)
      return decision.then((late) => writeResponse(context, late)).catch((error) => failed(context, error))
    } catch (error) {
      return failed(context, error)
    }
  }
}

/** Returns the response after an internal error. */
function failed(context: RequestContext, error: unknown): Response {
  context.service.onBug(error)
  context.decidedBy = 'bug'
  return writeResponse(context, fail('internal_error'))
}

function createContext(service: Service, operation: OperationId | null, c: Context): RequestContext {
  const request = c.req
  const prefer = request.header('prefer')
  const preference = prefer === undefined ? undefined : readPreference(prefer)
  return {
    service,
    operation,
    route: operation && routeOf(operation),
    request,
    bindings: c.env as Bindings | undefined,
    started: performance.now(),
    preference,
    followed: new Set(),
    principal: undefined,
    id: '',
    now: service.clock.now(),
    body: null,
    effects: undefined,
    quirks: undefined,
    decidedBy: 'state',
    changesBefore: 0,
    changesFrom: 0,
    changesTo: 0,
    credits: 0,
  }
}
