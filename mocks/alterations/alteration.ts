/** Changes how a mock behaves, from outside: what defects and legitimate variations are made of. */
import type { OperationId } from '#contract/operation.ts'
import { createMock, type Mock, rules as usualRules } from '../app.ts'
import type { Organization } from '../core/organization.ts'
import type { MockOptions } from '../options.ts'
import type { Gate, Rules } from '../service.ts'
import { operationOf } from './matching.ts'

/** A request on its way to the mock. */
export interface Asked {
  readonly request: Request
  /** Null: a control route, or nothing that the API has. */
  readonly operation: OperationId | null
  readonly mock: Mock
}

/** Stands between a client and the mock: may change the request, the answer, or ask again. */
export type Around = (asked: Asked, next: (request: Request) => Promise<Response>) => Promise<Response>

/** One change; every part may be left out. What it remembers belongs to one mock. */
export interface Alteration {
  /** Options in place of those that the mock is created with. */
  readonly options?: MockOptions
  /** The rules by which it behaves, made from those before. */
  readonly rules?: (rules: Rules) => Rules
  /** Told of each organization when it is first met. */
  readonly meet?: (org: Organization) => void
  readonly around?: Around
}

/** A mock with alterations; where two touch the same thing, the later one stands before the earlier one. */
export function createAltered(alterations: readonly Alteration[], options: MockOptions = {}): Mock {
  const mock = createMock(
    Object.assign({}, options, ...alterations.map((one) => one.options)),
    withMeetings(
      alterations,
      alterations.reduce((rules, one) => one.rules?.(rules) ?? rules, usualRules),
    ),
  )
  const fetch = alterations.reduce(
    (next: Mock['fetch'], { around }) =>
      around
        ? (request) => around({ request, operation: operationOf(request.method, request.url), mock }, next)
        : next,
    mock.fetch,
  )
  return { ...mock, fetch, handle: fetch }
}

/** Several alterations as one. */
export function combine(...alterations: readonly Alteration[]): Alteration {
  const options: MockOptions = Object.assign({}, ...alterations.map((one) => one.options))
  return {
    options,
    rules: (rules) => alterations.reduce((before, one) => one.rules?.(before) ?? before, rules),
    meet(org) {
      for (const one of alterations) one.meet?.(org)
    },
    around: (asked, next) =>
      alterations.reduce(
        (inner, { around }) => (around ? (request) => around({ ...asked, request }, inner) : inner),
        next,
      )(asked.request),
  }
}

/** A gate before all others, since every request to an organization passes it. */
function withMeetings(alterations: readonly Alteration[], rules: Rules): Rules {
  const met = new WeakSet<Organization>()
  const meet: Gate = ({ principal: { org } }) => {
    if (met.has(org)) return undefined
    met.add(org)
    for (const one of alterations) one.meet?.(org)
    return undefined
  }
  return { ...rules, gates: [meet, ...rules.gates] }
}
