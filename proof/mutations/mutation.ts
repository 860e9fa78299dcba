/** Mutations of a mock: what defects and legal variations consist of. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { createMock, defaultRequestBehaviour, type Mock } from '#mocks/app.ts'
import { createdKeyPrefix, type Organization } from '#mocks/core/organization.ts'
import type { QuirkId } from '#mocks/core/quirk-id.ts'
import { requestFromArguments } from '#mocks/edges/fetch.ts'
import type { DecisionFunctions, Precondition } from '#mocks/pipeline/service.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { apiKeyPrefix } from '#mocks/tenants/tenant.ts'

/** A request to a mock, as a middleware gets it. */
export interface InterceptedRequest {
  readonly request: Request
  /** The operation of the request; null: it is for a control route, or for no route of the API. */
  readonly operation: OperationId | null
  readonly mock: Mock
}

/** True if a request carries a key of the mock, of any kind. */
export const hasKey = (request: Pick<Request, 'headers'>): boolean =>
  hasKeyWith(apiKeyPrefix, request) || carriesCreatedKey(request)

/** True if a request carries a key that was created through the API. */
export const carriesCreatedKey = (request: Pick<Request, 'headers'>): boolean =>
  hasKeyWith(createdKeyPrefix, request)

const hasKeyWith = (prefix: string, { headers }: Pick<Request, 'headers'>): boolean =>
  headers.get('authorization')?.startsWith(`Bearer ${prefix}`) === true

/** A function between a client and the mock, which can change the request or the answer, or send further requests. */
export type Middleware = (
  context: InterceptedRequest,
  next: (request: Request) => Promise<Response>,
) => Promise<Response>

/**
 * A change of the behaviour of a mock, which defects and legal variations consist of; every part is optional. Its state
 * belongs to one mock.
 */
export interface Mutation {
  /** Options that override those of the mock. */
  readonly options?: MockOptions
  /** The ids of strict-client quirks that every organization gets. */
  readonly quirks?: readonly QuirkId[]
  /** Replaces the functions that decide requests, given those before. */
  readonly rules?: (rules: DecisionFunctions) => DecisionFunctions
  /** Called with each organization before its first request. */
  readonly onOrganization?: (org: Organization) => void
  readonly middleware?: Middleware
}

/** A mutation with an id and a title, such as a defect or a variation. */
export interface NamedMutation {
  /** Stable, unique, kebab-case with operation ids as they are. */
  readonly id: string
  /** Behaviour of the service, in the present tense. */
  readonly title: string
  /** The only variant in which it is tried; undefined: both. */
  readonly variant?: Variant
  /** Creates the change of the mock, anew for each mock. */
  mutate(): Mutation
}

/** Parses the key of a table row, `WORDS id (note): Title`, of which words and note may be missing. */
export function parseTableKey(name: string) {
  const [, words, id = '', note, title = ''] =
    /^(?:([^:(]+) )?([^: (]+)(?: \(([^)]+)\))?: (.+)$/.exec(name) ?? []
  return { words: words?.split(' ') ?? [], id, note, title }
}

/** Creates a mock and applies mutations to it; a later one wraps an earlier one. */
export function createMutatedMock(mutations: readonly Mutation[], options: MockOptions = {}): Mock {
  const all = combineMutations(...mutations)
  const quirks = all.quirks.join()
  const mock = createMock(
    { ...options, ...(quirks && { strictClient: quirks }), ...all.options },
    withOrganizations(all.onOrganization, all.rules(defaultRequestBehaviour)),
  )
  const handle = (request: Request) =>
    all.middleware({ request, operation: null, mock }, (changed) => mock.fetch(changed))
  return {
    ...mock,
    fetch: async (...args) => handle(requestFromArguments(...args)),
    handle: (received) => handle(received.toRequest()),
  }
}

/** Combines several mutations into one; a later one wraps an earlier one. */
export function combineMutations(...mutations: readonly Mutation[]) {
  return {
    options: Object.assign({}, ...mutations.map((one) => one.options)) as MockOptions,
    quirks: mutations.flatMap((one) => one.quirks ?? []),
    rules: (rules: DecisionFunctions) =>
      mutations.reduce((before, one) => one.rules?.(before) ?? before, rules),
    onOrganization(org: Organization) {
      for (const one of mutations) one.onOrganization?.(org)
    },
    middleware: ({ request: first, mock }, next) =>
      mutations.reduce(
        (inner, { middleware }) =>
          middleware
            ? (request) =>
                middleware({ request, operation: operationOf(request.method, request.url), mock }, inner)
            : inner,
        next,
      )(first),
  } satisfies Mutation
}

/** Adds a precondition before all others, which calls `meet` with each organization at its first request. */
function withOrganizations(meet: (org: Organization) => void, rules: DecisionFunctions): DecisionFunctions {
  const known = new WeakSet<Organization>()
  const onOrganization: Precondition = ({ principal: { org } }) => {
    if (!known.has(org)) meet(org)
    known.add(org)
    return undefined
  }
  return { ...rules, preconditions: [onOrganization, ...rules.preconditions] }
}

const patterns = operationIds.map((operation) => {
  const { method, path } = routeOf(operation)
  return { operation, method, pattern: new RegExp(`${path.replace(':id', '[^/?#]*')}(?:[?#]|$)`) }
})

/** Finds the operation of a method and a path, under any prefix; null if there is none. */
export const operationOf = (method: string, url: string): OperationId | null =>
  patterns.find((one) => one.method === method && one.pattern.test(url))?.operation ?? null
