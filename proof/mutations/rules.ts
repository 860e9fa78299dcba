/** Replaces rules of a mock: handlers, preconditions and authentication; and shows changes late. */

import type { HonoRequest } from 'hono'
import type { FailureName } from '#contract/errors.ts'
import type { AnswerOf, OperationId } from '#contract/operation.ts'
import { Failure, fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Key } from '#mocks/core/resources.ts'
import type { Call, Handler, Handlers } from '#mocks/handlers/views.ts'
import { rateLimit } from '#mocks/pipeline/decide.ts'
import type { Precondition } from '#mocks/pipeline/service.ts'
import type { Principal } from '#mocks/tenants/tenant.ts'
import type { Tenants } from '#mocks/tenants/tenants.ts'
import { combine, type Mutation, operationOf } from './mutation.ts'

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

/** A list of rows by their ids, without those that are too young. */
const grown = <Item extends { readonly id: unknown }>(
  items: readonly Item[],
  rows: { get(id: string): { readonly created_at: number } | undefined },
  before: number,
) => items.filter(({ id }) => (rows.get(String(id))?.created_at ?? 0) <= before)

/** The lists of tasks and of documents show what is new after a delay. */
export const lateLists = (delay: number): Mutation => combine(lateTasks(delay), lateDocuments(delay))

export const lateTasks = (delay: number): Mutation =>
  answer('listTasks', ({ items }, { org, now }) => ({ items: grown(items, org.tasks, now - delay) }))

export const lateDocuments = (delay: number): Mutation =>
  answer('listDocuments', ({ items }, { org, now }) => ({ items: grown(items, org.documents, now - delay) }))

/** The list of landing pages shows a new one after a delay. */
export const lateLandingPages = (delay: number): Mutation =>
  answer('listLandingPages', ({ items }, { org, now }) => ({
    items: grown(
      items.map((item) => ({ ...item, id: item.id })),
      org.landingPages,
      now - delay,
    ),
  }))

/** The list of keys shows a new one after a delay. */
export const lateKeyList = (delay: number): Mutation =>
  answer('listKeys', ({ keys }, { org, now }) => ({ keys: grown(keys, org.keys, now - delay) }))

/** The balance of an organization some time ago; entries from before its first request count always. */
function balancesAgo(delay: number) {
  const firsts = new Map<Organization, number>()
  return {
    onOrganization: (org: Organization) => void firsts.set(org, org.ledger.entries.length),
    of: (org: Organization, now: number) =>
      org.ledger.entries
        .filter(({ at }, i) => i < (firsts.get(org) ?? 0) || at <= now - delay)
        .reduce((sum, { amount }) => sum + amount, 0),
  }
}

/** The routes that report the balance show a change after a delay; what can be spent changes at once. */
export function lateBalance(delay: number): Mutation {
  const { onOrganization, of } = balancesAgo(delay)
  return combine(
    { onOrganization },
    ...(['whoami', 'createTask', 'listTasks'] as const).map((operation) =>
      answer(operation, (_, { org, now }) => ({ credits: of(org, now) })),
    ),
  )
}

/** A deleted key is accepted for a while; the list shows it no more. */
export function lateDeletion(
  delay: number,
  isLate: (key: Key, org: Organization) => boolean = () => true,
): Mutation {
  const due = new Map<Key, number>()
  return combine(
    {
      async middleware({ request, mock }, next) {
        for (const [key, at] of due) if (at <= mock.clock.now()) key.deleted = due.delete(key)
        return next(request)
      },
    },
    handle('deleteKey', (call, usual) => {
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
    answer('listKeys', ({ keys }) => {
      const gone = new Set<unknown>([...due.keys()].map(({ id }) => id))
      return { keys: keys.filter(({ id }) => !gone.has(id)) }
    }),
  )
}
