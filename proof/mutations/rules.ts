/** Replaces rules of a mock: handlers, preconditions and authentication; and shows changes late. */

import type { FailureName } from '#contract/errors.ts'
import type { AnswerOf, OperationId } from '#contract/operation.ts'
import { createFailure, Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Key, RateLimit } from '#mocks/core/resources.ts'
import type { Handler, HandlerCall, Handlers } from '#mocks/handlers/views.ts'
import { rateLimitPrecondition } from '#mocks/pipeline/decide.ts'
import type { ReceivedRequest } from '#mocks/pipeline/received-request.ts'
import type { Precondition } from '#mocks/pipeline/service.ts'
import { createLateBalanceWrapper, createLateListWrapper } from '#mocks/quirks/late.ts'
import type { HandlerWrapper } from '#mocks/quirks/quirk.ts'
import type { Principal } from '#mocks/tenants/tenant.ts'
import type { Tenants } from '#mocks/tenants/tenants.ts'
import { combineMutations, type Mutation, operationOf } from './mutation.ts'

/** Creates a mutation (a change of a mock) that replaces the handler of an operation; `usual`: the original handler. */
export function replaceHandler<O extends OperationId>(
  operation: O,
  handler: (call: HandlerCall<O>, usual: Handler<O>) => ReturnType<Handler<O>>,
): Mutation {
  return {
    rules(rules) {
      const usual = rules.handlers[operation] as Handler<O>
      const handlers: Handlers = {
        ...rules.handlers,
        [operation]: (call: HandlerCall<O>) => handler(call, usual),
      }
      return { ...rules, handlers }
    },
  }
}

/** Creates a mutation that changes the bodies of requests of an operation before they are handled. */
export function changeRequestBody<O extends OperationId>(
  operation: O,
  change: (body: HandlerCall<O>['body']) => HandlerCall<O>['body'],
): Mutation {
  return replaceHandler(operation, (call, usual) => usual({ ...call, body: change(call.body) }))
}

/**
 * Creates a mutation that handles requests of an operation as if another organization had sent them; `senderOf` returns
 * undefined to keep the sender.
 */
export function handleAsOrganization<O extends OperationId>(
  operation: O,
  senderOf: (call: HandlerCall<O>) => Organization | undefined,
): Mutation {
  return replaceHandler(operation, (call, usual) => usual({ ...call, org: senderOf(call) ?? call.org }))
}

/** Creates a mutation that changes fields of the success answers of an operation. */
export function changeAnswer<O extends OperationId>(
  operation: O,
  change: (answer: AnswerOf<O>, call: HandlerCall<O>) => Partial<AnswerOf<O>> | undefined,
): Mutation {
  return replaceHandler(operation, (call, usual) => {
    const outcome = usual(call)
    return outcome instanceof Failure ? outcome : { ...outcome, ...change(outcome, call) }
  })
}

/** Creates a mutation that refuses all requests of an operation, or those that `isMeant` picks. */
export function refuseRequests<O extends OperationId>(
  operation: O,
  name: FailureName,
  isMeant: (call: HandlerCall<O>) => unknown = () => true,
): Mutation {
  return replaceHandler(operation, (call, usual) =>
    isMeant(call) ? (createFailure(name) as never) : usual(call),
  )
}

/**
 * Creates a mutation that adds credits (if negative, takes them) after a request of an operation was handled: `when`
 * names the failure that it must have been answered with, or picks requests that succeeded.
 */
export function giveCreditsAfterHandling<O extends OperationId>(
  credits: number,
  operation: O,
  when: FailureName | ((call: HandlerCall<O>) => unknown) = () => true,
): Mutation {
  return callAfterHandling(operation, (call, outcome) => {
    const isMeant =
      typeof when === 'function'
        ? !(outcome instanceof Failure) && when(call)
        : outcome instanceof Failure && outcome.name === when
    if (isMeant) call.org.ledger.topUp(credits, call.now)
  })
}

/**
 * Creates a mutation that adds one credit before a request of an operation is handled, if `isMeant` picks the request.
 */
export const giveCreditBeforeHandling = <O extends OperationId>(
  operation: O,
  isMeant: (call: HandlerCall<O>) => unknown,
): Mutation =>
  callBeforeHandling(operation, (call) => {
    if (isMeant(call)) call.org.ledger.topUp(1, call.now)
  })

/** Creates a mutation that calls `effect` before a request of an operation is handled. */
export function callBeforeHandling<O extends OperationId>(
  operation: O,
  effect: (call: HandlerCall<O>) => void,
): Mutation {
  return replaceHandler(operation, (call, usual) => {
    effect(call)
    return usual(call)
  })
}

/** Creates a mutation that calls `effect` after a request of an operation was handled, successfully or not. */
export function callAfterHandling<O extends OperationId>(
  operation: O,
  effect: (call: HandlerCall<O>, outcome: ReturnType<Handler<O>>) => void,
): Mutation {
  return replaceHandler(operation, (call, usual) => {
    const outcome = usual(call)
    effect(call, outcome)
    return outcome
  })
}

/** Creates a mutation that checks a precondition before all others. */
export const addPrecondition = (one: Precondition): Mutation => ({
  rules: (rules) => ({ ...rules, preconditions: [one, ...rules.preconditions] }),
})

/** Creates a mutation that replaces the rate limit by another precondition. */
export function replaceRateLimit(other: Precondition): Mutation {
  return {
    rules: (rules) => ({
      ...rules,
      preconditions: rules.preconditions.map((one) => (one === rateLimitPrecondition ? other : one)),
    }),
  }
}

/** A request under a limit. */
interface LimitedRequest {
  /** The key or session that it counts for. */
  readonly credential: string
  readonly org: Organization
  /** ms since the epoch. */
  readonly at: number
}

/**
 * Creates a mutation that replaces the counting of the rate limit: `waitFor` returns how long a request has to wait,
 * ms; 0: it is served.
 */
export const overrideRateLimitWait = (
  waitFor: (rule: RateLimit, request: LimitedRequest) => number,
): Mutation =>
  replaceRateLimit(({ principal: { credential, org, settings }, entry: { at } }) => {
    const rule = org.overrides.rate_limit ?? settings.rateLimit
    const wait_ms = rule === 'off' ? 0 : waitFor(rule, { credential, org, at })
    return wait_ms > 0 ? createFailure('rate_limited', undefined, wait_ms) : undefined
  })

/** Decides anew whose a request is, after the usual authentication. */
function authenticating(
  change: (usual: Principal | undefined, request: ReceivedRequest, tenants: Tenants) => Principal | undefined,
): Mutation {
  return {
    rules: (rules) => ({
      ...rules,
      authenticate: (request, auth, tenants) =>
        change(rules.authenticate(request, auth, tenants), request, tenants),
    }),
  }
}

/**
 * Creates a mutation that refuses as unauthorized the requests that `isMeant` picks among those with valid credentials.
 */
export const rejectCredentials = (
  isMeant: (request: ReceivedRequest, caller: Principal) => boolean,
): Mutation => authenticating((caller, request) => (caller && isMeant(request, caller) ? undefined : caller))

/**
 * Creates a mutation that accepts further credentials for an operation; `principal` returns the caller, or undefined to
 * refuse.
 */
export const acceptCredentials = (
  operation: OperationId,
  principal: (request: ReceivedRequest, tenants: Tenants) => Principal | undefined,
): Mutation =>
  authenticating((caller, request, tenants) => {
    if (caller || operationOf(request.method, request.path) !== operation) return caller
    return principal(request, tenants)
  })

/** Lists, the field that has their items, and the rows that these show. */
const lists = {
  listTasks: ['items', 'tasks'],
  listDocuments: ['items', 'documents'],
  listKeys: ['keys', 'keys'],
  listLandingPages: ['items', 'landingPages'],
} as const

/** Creates a mutation that changes the items of a list. */
export const changeListItems = (
  operation: keyof typeof lists,
  // biome-ignore lint/suspicious/noExplicitAny: any kind of item
  change: (items: any[], org: Organization, now: number) => unknown[],
): Mutation => {
  const [name] = lists[operation]
  return changeAnswer(operation, (answer, { org, now }) => {
    return { [name]: change(Reflect.get(answer, name) as object[], org, now) } as never
  })
}

/** Creates a mutation by which a list leaves out what was created in the last `delay` ms. */
export const showCreationsLate = (operation: keyof typeof lists, delay: number): Mutation =>
  replaceHandler(operation, createLateListWrapper(delay) as never)

/**
 * Creates a mutation by which answers show a change of the balance after `delay` ms: all answers, or those for which
 * `isLate` returns true. What can be spent changes at once.
 */
export function delayBalance(delay: number, isLate: () => boolean = () => true): Mutation {
  const late = createLateBalanceWrapper(delay)
  const shown: HandlerWrapper = (call, usual, random) => (isLate() ? late(call, usual, random) : usual(call))
  const operations = ['whoami', 'createTask', 'listTasks'] as const
  return combineMutations(...operations.map((operation) => replaceHandler(operation, shown as never)))
}

/** Creates a mutation by which a deleted key is still accepted for `delay` ms, although the list no longer shows it. */
export function delayDeletion(
  delay: number,
  isLate: (key: Key, org: Organization) => boolean = () => true,
): Mutation {
  const due = new Map<Key, number>()
  return combineMutations(
    {
      async middleware({ request, mock }, next) {
        for (const [key, at] of due) if (at <= mock.clock.now()) key.deleted = due.delete(key)
        return next(request)
      },
    },
    replaceHandler('deleteKey', (call, usual) => {
      const key = call.org.keys.get(call.id)
      const isAffected = key !== undefined && isLate(key, call.org)
      const again = key && due.has(key)
      if (again) key.deleted = true
      const answer = usual(call)
      if (key && (again || ('ok' in answer && isAffected))) {
        key.deleted = false
        if (!again) due.set(key, call.now + delay)
      }
      return answer
    }),
    changeAnswer('listKeys', ({ keys }) => {
      const gone = new Set<unknown>([...due.keys()].map(({ id }) => id))
      return { keys: keys.filter(({ id }) => !gone.has(id)) }
    }),
  )
}
