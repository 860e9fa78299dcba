/** Replaces rules of a mock: handlers, preconditions and authentication. */
import type { HonoRequest } from 'hono'
import type { FailureName } from '#contract/errors.ts'
import type { AnswerOf, OperationId } from '#contract/operation.ts'
import { Failure, fail } from '#mocks/core/failure.ts'
import type { Call, Handler, Handlers } from '#mocks/handlers/handler.ts'
import { rateLimit } from '#mocks/pipeline/decide.ts'
import type { Precondition } from '#mocks/pipeline/service.ts'
import type { Principal } from '#mocks/tenants/tenant.ts'
import type { Tenants } from '#mocks/tenants/tenants.ts'
import { type Mutation, operationOf } from './mutation.ts'

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

/** Changes fields of what an operation answers where it succeeds. */
export function answer<O extends OperationId>(
  operation: O,
  change: (answer: AnswerOf<O>, call: Call<O>) => Partial<AnswerOf<O>> | undefined,
): Mutation {
  return handle(operation, (call, usual) => {
    const outcome = usual(call)
    return outcome instanceof Failure ? outcome : { ...outcome, ...change(outcome, call) }
  })
}

/** Refuses the requests of an operation, or some of them. */
export function refuse<O extends OperationId>(
  operation: O,
  name: FailureName,
  isMeant: (call: Call<O>) => unknown = () => true,
): Mutation {
  return handle(operation, (call, usual) => (isMeant(call) ? (fail(name) as never) : usual(call)))
}

/** Gives credits, or takes them, after an operation succeeded or failed in a way. */
export function give(credits: number, operation: OperationId, failure?: FailureName): Mutation {
  return after(operation, ({ org, now }, outcome) => {
    const isMeant = outcome instanceof Failure ? outcome.name === failure : failure === undefined
    if (isMeant) org.ledger.topUp(credits, now)
  })
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

/** Replaces the rate limit by another precondition. */
export function limiting(other: Precondition): Mutation {
  return {
    rules: (rules) => ({
      ...rules,
      preconditions: rules.preconditions.map((one) => (one === rateLimit ? other : one)),
    }),
  }
}

/** Refuses some of the requests that would be accepted with their credentials. */
export function reject(isMeant: (request: HonoRequest, caller: Principal) => boolean): Mutation {
  return {
    rules: (rules) => ({
      ...rules,
      authenticate(request, auth, tenants) {
        const caller = rules.authenticate(request, auth, tenants)
        return caller && isMeant(request, caller) ? undefined : caller
      },
    }),
  }
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
