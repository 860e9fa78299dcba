/** Replaces rules of a mock: handlers, preconditions and authentication. */
import type { HonoRequest } from 'hono'
import type { OperationId } from '#contract/operation.ts'
import type { Call, Handler, Handlers } from '#mocks/handlers/handler.ts'
import type { Precondition } from '#mocks/pipeline/service.ts'
import type { Principal } from '#mocks/tenants/tenant.ts'
import type { Tenants } from '#mocks/tenants/tenants.ts'
import { operationOf } from './matching.ts'
import type { Mutation } from './mutation.ts'

/** Replaces a handler; `usual` is the handler before. */
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

/** Adds an effect after an operation was handled, successfully or not. */
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

/** Adds a precondition before the others. */
export function precondition(one: Precondition): Mutation {
  return { rules: (rules) => ({ ...rules, preconditions: [one, ...rules.preconditions] }) }
}

/** Accepts further credentials for an operation. */
export function authorize(
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
