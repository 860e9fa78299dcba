/** The road of one request: who asks, may it, what does it say, what happens, how is it answered. */
import type { Context } from 'hono'
import { type OperationId, routeOf } from '#contract/operation.ts'
import { Answering } from './answering.ts'
import { Failure, fail } from './failure.ts'
import { concerns, type Instruction, said } from './faults/instruction.ts'
import { isMagic, magicIn } from './faults/magic.ts'
import { type Affliction, undergo } from './faults/undergo.ts'
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
    const answering = new Answering(service, operation, c.req, c.env)
    return answering.settle(() => {
      const principal = authenticate(c.req, route.auth, service.tenancy)
      answering.identify(principal)
      if (!principal) return fail('unauthorized', service.tenancy.complaint(c.req))
      const visit = { service, operation, route, request: c.req, principal, answering }
      const asked = asksFor(visit)
      return asked ? suffer(visit, asked, () => decide(visit)) : decide(visit)
    })
  }
}

/** The Hono handler of paths under the API that are no operation: 404, after authentication. */
export function serveUnknown(service: Service) {
  const { authenticate } = service.rules
  return (c: Context): Response | Promise<Response> => {
    const answering = new Answering(service, null, c.req, c.env)
    return answering.settle(() => {
      const byKey = authenticate(c.req, 'key', service.tenancy)
      answering.identify(byKey ?? authenticate(c.req, 'cookie', service.tenancy))
      return answering.principal ? fail('not_found', 'No such route.') : fail('unauthorized')
    })
  }
}

/** Instructions, and where they come from. */
interface Asked {
  readonly instructions: readonly Instruction[]
  readonly reason: string
}

/** What is to be done to a request: what its `Prefer` says, else what the rules say. */
function asksFor({ service, operation, principal, answering }: Visit): Asked | undefined {
  const wishes =
    answering.preference?.wishes.filter(({ instruction }) => concerns(operation, instruction)) ?? []
  if (wishes.length > 0) {
    answering.applied.push(...wishes.map((wish) => wish.said))
    const instructions = wishes.map(({ instruction }) => instruction)
    return { instructions, reason: `prefer; fault=${said(instructions)}` }
  }
  const fired = service.faults.meet(operation, principal.org.id)
  return fired && { instructions: [fired.instruction], reason: fired.reason }
}

/** What a text of the request, or of the task that it runs, asks for. */
function asksByMagic({ operation, request, principal }: Visit, body: object | undefined): Asked | undefined {
  const texts =
    operation === 'runTask'
      ? [principal.org.tasks.get(request.param('id') ?? '')?.text]
      : Object.values(body ?? {})
  const about = operation === 'runTask' ? 'run' : operation === 'createTask' ? 'creation' : 'request'
  const instructions = texts.flatMap((text) =>
    typeof text === 'string' && isMagic(text) ? magicIn(text, about) : [],
  )
  const meant = instructions.filter((one) => concerns(operation, one))
  return meant.length > 0 ? { instructions: meant, reason: `magic; fault=${said(meant)}` } : undefined
}

function suffer(
  visit: Visit,
  { instructions, reason }: Asked,
  next: () => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const affliction: Affliction = visit.answering.affliction ?? { reason }
  visit.answering.affliction = affliction
  return undergo(visit, instructions, affliction, next)
}

function decide(visit: Visit): Outcome | Promise<Outcome> {
  for (const gate of visit.service.rules.gates) {
    const refusal = gate(visit)
    if (refusal) return refusal
  }
  const { route, request, answering } = visit
  if (!route.body) return meetMagic(visit, undefined)
  const schema = visit.principal.org.surprises?.bodyOf(route.body) ?? route.body
  return readBody(request.raw, schema, (text) => {
    answering.body = text
  }).then((body) => (body instanceof Failure ? body : meetMagic(visit, body)))
}

function meetMagic(visit: Visit, body: object | undefined): Outcome | Promise<Outcome> {
  const { operation } = visit
  const possible = operation === 'runTask' || (visit.answering.body !== null && isMagic(visit.answering.body))
  const asked = possible ? asksByMagic(visit, body) : undefined
  return asked ? suffer(visit, asked, () => handle(visit, body)) : handle(visit, body)
}

/** Synchronous: nothing can come between what a handler reads and what it writes. */
function handle(visit: Visit, body: object | undefined): Outcome {
  const { service, operation, route, request, principal, answering } = visit
  const query = readQuery(route, request)
  if (query instanceof Failure) return query
  const { org, key } = principal
  const now = org.clock.now()
  org.settle(now)
  if (key) key.last_used_at = now
  const handler = service.rules.handlers[operation] as Handler<OperationId>
  org.ledger.request_id = answering.id
  const call = {
    org,
    tenancy: service.tenancy,
    now,
    id: request.param('id') ?? '',
    body,
    query,
    url: request.url,
    wish: answering.affliction?.wish,
  }
  try {
    return org.surprises?.handle(operation, call as Call, handler) ?? handler(call as Call)
  } finally {
    org.ledger.request_id = null
  }
}
