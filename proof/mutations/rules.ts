/** Replaces rules of a mock: handlers, gates, and who is let in. */
import type { HonoRequest } from 'hono'
import type { OperationId } from '#contract/operation.ts'
import type { Call, Handler, Handlers } from '#mocks/handlers/handler.ts'
import type { Precondition } from '#mocks/pipeline/service.ts'
import type { Principal } from '#mocks/tenants/tenant.ts'
import type { Tenants } from '#mocks/tenants/tenants.ts'
import { operationOf } from './matching.ts'
import type { Mutation } from './mutation.ts'

/** Handles an operation in another way; `usual` is the handler that was there before. */
export function handle<O extends OperationId>(
  operation: O,
  handler: (call: Call<O>, usual: Handler<O>) => ReturnType<Handler<O>>,
): Mutation {
  return {
    rules(rules) {
      const usual = rules.handlers[operation] as Handler<O>
      const handlers: Handlers = { ...rules.handlers, [operation]: (call: Call<O>) => handler(call, usual) }
      return { ...rules, handlers }
    },
  }
}

/** Does something after an operation was decided, whatever came of it. */
export function after<O extends OperationId>(
  operation: O,
  effect: (call: Call<O>, outcome: ReturnType<Handler<O>>) => void,
): Mutation {
  return handle(operation, (call, usual) => {
    const outcome = usual(call)
    effect(call, outcome)
    return outcome
  })
}

/** Asks another gate before the usual ones. */
export function precondition(one: Precondition): Mutation {
  return { rules: (rules) => ({ ...rules, preconditions: [one, ...rules.preconditions] }) }
}

/** Lets somebody in to an operation who is refused by right. */
export function admit(
  operation: OperationId,
  principal: (request: HonoRequest, tenants: Tenants) => Principal | undefined,
): Mutation {
  return {
    rules: (rules) => ({
      ...rules,
      authenticate: (request, auth, tenants) =>
        rules.authenticate(request, auth, tenants) ??
        (operationOf(request.method, request.path) === operation ? principal(request, tenants) : undefined),
    }),
  }
}
