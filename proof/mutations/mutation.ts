/** Changes how a mock behaves, from outside: what defects and legitimate variations are made of. */
import type { OperationId } from '#contract/operation.ts'
import { createMock, type Mock, rules as usualRules } from '#mocks/app.ts'
import type { MockOptions } from '#mocks/config/options.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Precondition, Rules } from '#mocks/pipeline/service.ts'
import { operationOf } from './matching.ts'

/** A request on its way to the mock. */
export interface Asked {
  readonly request: Request
  /** Null: a control route, or nothing that the API has. */
  readonly operation: OperationId | null
  readonly mock: Mock
}

/** Stands between a client and the mock: may change the request, the answer, or ask again. */
export type Middleware = (asked: Asked, next: (request: Request) => Promise<Response>) => Promise<Response>

/** One change; every part may be left out. What it remembers belongs to one mock. */
export interface Mutation {
  /** Options in place of those that the mock is created with. */
  readonly options?: MockOptions
  /** Ids of quirks of strict-client mode that every organization has. */
  readonly quirks?: readonly string[]
  /** The rules by which it behaves, made from those before. */
  readonly rules?: (rules: Rules) => Rules
  /** Told of each organization when it is first met. */
  readonly meet?: (org: Organization) => void
  readonly middleware?: Middleware
}

/** A mock with alterations; where two touch the same thing, the later one stands before the earlier one. */
export function createMutated(mutations: readonly Mutation[], options: MockOptions = {}): Mock {
  const quirks = mutations.flatMap((one) => one.quirks ?? []).join()
  const mock = createMock(
    Object.assign({}, options, quirks && { strictClient: quirks }, ...mutations.map((one) => one.options)),
    withMeetings(
      mutations,
      mutations.reduce((rules, one) => one.rules?.(rules) ?? rules, usualRules),
    ),
  )
  const fetch = mutations.reduce(
    (next: Mock['fetch'], { middleware }) =>
      middleware
        ? (request) =>
            middleware({ request, operation: operationOf(request.method, request.url), mock }, next)
        : next,
    mock.fetch,
  )
  return { ...mock, fetch, handle: fetch }
}

/** Several alterations as one. */
export function combine(...mutations: readonly Mutation[]): Mutation {
  const options: MockOptions = Object.assign({}, ...mutations.map((one) => one.options))
  return {
    options,
    quirks: mutations.flatMap((one) => one.quirks ?? []),
    rules: (rules) => mutations.reduce((before, one) => one.rules?.(before) ?? before, rules),
    meet(org) {
      for (const one of mutations) one.meet?.(org)
    },
    middleware: (asked, next) =>
      mutations.reduce(
        (inner, { middleware }) =>
          middleware ? (request) => middleware({ ...asked, request }, inner) : inner,
        next,
      )(asked.request),
  }
}

/** A gate before all others, since every request to an organization passes it. */
function withMeetings(mutations: readonly Mutation[], rules: Rules): Rules {
  const met = new WeakSet<Organization>()
  const meet: Precondition = ({ principal: { org } }) => {
    if (met.has(org)) return undefined
    met.add(org)
    for (const one of mutations) one.meet?.(org)
    return undefined
  }
  return { ...rules, preconditions: [meet, ...rules.preconditions] }
}
