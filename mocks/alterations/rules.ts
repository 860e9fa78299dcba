/** Replaces rules of a mock: handlers, gates, and who is let in. */
import type { HonoRequest } from 'hono'
import type { OperationId } from '#contract/operation.ts'
import type { Call, Handler, Handlers } from '../handlers/handler.ts'
import type { Gate } from '../service.ts'
import type { Principal, Tenancy } from '../tenancy.ts'
import type { Alteration } from './alteration.ts'
import { operationOf } from './matching.ts'

/** Handles an operation in another way; `usual` is the handler that was there before. */
export function handle<O extends OperationId>(
  operation: O,
  handler: (call: Call<O>, usual: Handler<O>) => ReturnType<Handler<O>>,
): Alteration {
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
): Alteration {
  return handle(operation, (call, usual) => {
    const outcome = usual(call)
    effect(call, outcome)
    return outcome
  })
}

/** Asks another gate before the usual ones. */
export function gate(one: Gate): Alteration {
  return { rules: (rules) => ({ ...rules, gates: [one, ...rules.gates] }) }
}

/** Lets somebody in to an operation who is refused by right. */
export function admit(
  operation: OperationId,
  principal: (request: HonoRequest, tenancy: Tenancy) => Principal | undefined,
): Alteration {
  return {
    rules: (rules) => ({
      ...rules,
      authenticate: (request, auth, tenancy) =>
        rules.authenticate(request, auth, tenancy) ??
        (operationOf(request.method, request.path) === operation ? principal(request, tenancy) : undefined),
    }),
  }
}
