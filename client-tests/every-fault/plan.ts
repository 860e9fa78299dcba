/** The faults that a client is tried with: every one at each of its requests, and pairs of them. */
import {
  codesOf,
  failuresOf,
  hasVariantSpecificFields,
  type OperationId,
  routeOf,
} from '#contract/operation.ts'
import type { ClientExchange } from './trial.ts'

/**
 * Options that a client has after a fault. `work`: go on, as the specification says how; `doubt`: without a readable answer
 * it may give up, unless the work is done; `refusal`: end with an error.
 */
export type FaultRecoverability = 'work' | 'doubt' | 'refusal'

/** A fault that happens to one request, once. */
interface PlannedFault {
  /** The fault in the grammar of fault rules, as a flag takes it: a column of the matrix. Unique. */
  readonly id: string
  /** Event in a few words. */
  readonly title: string
  readonly recoverability: FaultRecoverability
  /** True if the request takes effect and its answer is lost. */
  readonly losesAnswer: boolean
  /** True if it can happen to a request for an operation. */
  happensTo(operation: OperationId): boolean
}

const anywhere = () => true
const isPaidFor = (operation: OperationId) => routeOf(operation).cost === 1
const where = (code: string) => (operation: OperationId) => codesOf(operation).includes(code)

function planned(
  id: string,
  recoverability: FaultRecoverability,
  title: string,
  happensTo: PlannedFault['happensTo'] = anywhere,
): PlannedFault {
  return { id, recoverability, title, happensTo, losesAnswer: false }
}

/** A fault by which the answer is lost after the request took effect. */
const losing = (...row: Parameters<typeof planned>): PlannedFault => ({
  ...planned(...row),
  losesAnswer: true,
})

/** Every fault that `check --every-fault` tries, in the order of the matrix. */
export const plannedFaults: readonly PlannedFault[] = [
  planned('empty', 'doubt', 'the request is lost before it takes effect'),
  losing('lost', 'doubt', 'the answer is lost after the request took effect; a run ends at once'),
  planned('reset', 'doubt', 'the connection is reset before the request takes effect'),
  planned('cut_header', 'doubt', 'the connection closes in the middle of the headers of the answer'),
  planned('truncate', 'doubt', 'half of the answer comes, then the connection closes'),
  planned('truncate:chunked', 'doubt', 'the same of an answer that told no length'),
  planned('stale', 'doubt', 'the answer comes, and the next request on the connection is reset'),
  planned('idle', 'doubt', 'the answer comes, then the connection closes, as one that was not used'),
  planned('malformed', 'doubt', 'the answer is not JSON'),
  planned('wrong_type', 'doubt', 'the answer is JSON and says that it is HTML'),
  planned('empty_200', 'doubt', 'a 200 without a body, from something in front of the service'),
  planned('delay:2s', 'doubt', 'the answer takes two seconds'),
  planned('hang', 'doubt', 'no answer comes, and the connection stays open'),
  planned('fail', 'work', 'the run is accepted and fails; its credit is refunded', isPaidFor),
  planned('401', 'refusal', '401 unauthorized', where('unauthorized')),
  planned('402', 'refusal', '402 no_credits', where('no_credits')),
  planned('busy', 'work', '409 busy: the run is accepted', where('busy')),
  planned('invalid_request', 'refusal', '409 invalid_request: the run is rejected', (operation) =>
    failuresOf(operation).includes('conflict'),
  ),
  planned('429', 'work', '429 rate_limited, Retry-After in seconds'),
  planned('429:date', 'work', '429 rate_limited, Retry-After as a date'),
  planned('500', 'refusal', '500 internal_error'),
  planned('408', 'doubt', 'a 408 that is not JSON, from something in front of the service'),
  planned('502', 'doubt', 'a 502 that is not JSON, from something in front of the service'),
  planned('504', 'doubt', 'a 504 that is not JSON, from something in front of the service'),
  losing('lost:gateway_error', 'doubt', 'the answer is lost, and a gateway gives a 500 that is not JSON'),
  losing(
    'lost:gateway_error:json',
    'refusal',
    'the answer is lost, and a gateway gives a 500 like that of the API',
  ),
  planned('503', 'work', '503 unavailable'),
  planned('503:date', 'work', '503 unavailable, Retry-After as a date'),
  planned('other_variant', 'work', 'the answer has the other of two shapes', hasVariantSpecificFields),
  planned('quirks', 'work', 'the answer is unusual in every way that the specification allows'),
]

/** A request by its place in the work of a client: the nth for its operation, from 1. */
interface RequestPosition {
  readonly operation: OperationId
  readonly nth: number
}

/** The faults that one run of a client is to get, as fault rules of the mock. */
export interface FaultCase {
  /** Such as `runTask#1=lost`. */
  readonly id: string
  /** The request that gets the fault; null: several requests, or any. */
  readonly request: string | null
  /** The id of the planned fault; null: several faults, or one that is not planned. */
  readonly fault: string | null
  /** Fault rules of the mock for this case. */
  readonly rules: readonly string[]
  readonly recoverability: FaultRecoverability
  /** True if runs end at once, so that one whose answer was lost is over when the client polls it. */
  readonly endsRuns: boolean
}

/** The case without any fault: the client's usual run, with which the others are compared. */
export const faultFreeCase: FaultCase = {
  id: 'no fault',
  request: null,
  fault: null,
  rules: [],
  recoverability: 'work',
  endsRuns: false,
}

/**
 * Lists the requests of a run that faults can be applied to, as positions such as the second `runTask`: those for an
 * operation, with a valid credential.
 */
export function requestPositions(requests: readonly ClientExchange[]): RequestPosition[] {
  const counts = new Map<OperationId, number>()
  return requests.flatMap(({ operation, org_id }) => {
    if (operation === null || org_id === null) return []
    const nth = (counts.get(operation) ?? 0) + 1
    counts.set(operation, nth)
    return [{ operation, nth }]
  })
}

const textOf = ({ operation, nth }: RequestPosition) => `${operation}#${nth}`

/** One fault at one place. */
interface Injection {
  readonly place: RequestPosition
  readonly fault: PlannedFault
}

function injectionsAt(places: readonly RequestPosition[]): Injection[] {
  return places.flatMap((place) =>
    plannedFaults.filter((fault) => fault.happensTo(place.operation)).map((fault) => ({ place, fault })),
  )
}

const idOf = ({ place, fault }: Injection) => `${textOf(place)}=${fault.id}`
const losesRun = ({ place, fault }: Injection) => fault.losesAnswer && place.operation === 'runTask'

const caseOf = (...injections: Injection[]): FaultCase => ({
  ...faultFreeCase,
  id: injections.map(idOf).join(' '),
  rules: rulesOf(injections),
  endsRuns: injections.some(losesRun),
})

/** Creates the cases with one fault: every fault at every position. */
export const singleFaultCases = (places: readonly RequestPosition[]): FaultCase[] =>
  injectionsAt(places).map((one) => {
    const { id, recoverability } = one.fault
    return { ...caseOf(one), request: textOf(one.place), fault: id, recoverability }
  })

/**
 * Creates cases with two faults at two positions, each pair once. `draw`: returns a random whole number from 0, below
 * its argument.
 */
export function faultPairCases(
  places: readonly RequestPosition[],
  count: number,
  draw: (limit: number) => number,
): FaultCase[] {
  const all = injectionsAt(places)
  const pairs = new Map<string, FaultCase>()
  const possible = (all.length * all.length) / 2
  for (let tries = 0; pairs.size < count && tries < 4 * count && tries < 4 * possible; tries++) {
    const [first, second] = [all[draw(all.length)], all[draw(all.length)]].sort(
      (a, b) => indexOf(places, a) - indexOf(places, b),
    )
    if (!first || !second || first.place === second.place) continue
    const pair = caseOf(first, second)
    // After two faults a client may give up.
    pairs.set(pair.id, { ...pair, recoverability: 'refusal' })
  }
  return [...pairs.values()]
}

const indexOf = (places: readonly RequestPosition[], one: Injection | undefined) =>
  one ? places.indexOf(one.place) : 0

/** Fault rules for faults at different places: one rule for each operation. */
function rulesOf(injections: readonly Injection[]): string[] {
  return [...Map.groupBy(injections, ({ place }) => place.operation)].map(([operation, those]) => {
    const byNumber = new Map(those.map(({ place, fault }) => [place.nth, fault.id]))
    const from = Math.min(...byNumber.keys())
    const length = Math.max(...byNumber.keys()) - from + 1
    const faults = Array.from({ length }, (_, i) => byNumber.get(from + i) ?? 'ok')
    const settings = [length === 1 ? ';times=1' : '', from > 1 ? `;after=${from - 1}` : '']
    return `${operation}=${faults.join(',')}${settings.join('')}`
  })
}
