/** The faults that every request of a client is tried with. */
import { codesOf, failuresOf, hasTwoShapes, type OperationId, routeOf } from '#contract/operation.ts'

/**
 * What a fault leaves a client with. `work`: the specification says how to go on. `doubt`: no answer that can be read,
 * so that giving up with an error is right unless the work is done. `refusal`: giving up with an error is right.
 */
export type Outlook = 'work' | 'doubt' | 'refusal'

/** A fault that happens to one request, once. */
export interface PlannedFault {
  /** The fault in the grammar of fault rules, as a flag takes it: a column of the matrix. Unique. */
  readonly id: string
  /** What happens, in a few words. */
  readonly title: string
  readonly outlook: Outlook
  /** Whether it can happen to a request for an operation. */
  happensTo(operation: OperationId): boolean
}

const anywhere = () => true
const isPaidFor = (operation: OperationId) => routeOf(operation).cost === 1
const where = (code: string) => (operation: OperationId) => codesOf(operation).includes(code)

function planned(
  id: string,
  outlook: Outlook,
  title: string,
  happensTo: PlannedFault['happensTo'] = anywhere,
): PlannedFault {
  return { id, outlook, title, happensTo }
}

/** Every fault, in the order of the matrix. */
export const plannedFaults: readonly PlannedFault[] = [
  planned('empty', 'doubt', 'the request is lost before it takes effect'),
  planned('lost', 'doubt', 'the answer is lost after the request took effect; a run ends at once'),
  planned('reset', 'doubt', 'the connection is reset before the request takes effect'),
  planned('truncate', 'doubt', 'half of the answer comes, then the connection closes'),
  planned('malformed', 'doubt', 'the answer is not JSON'),
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
  planned('502', 'doubt', 'a 502 that is not JSON, from something in front of the service'),
  planned('503', 'work', '503 unavailable'),
  planned('other_variant', 'work', 'the answer has the other of two shapes', hasTwoShapes),
  planned('quirks', 'work', 'the answer is unusual in every way that the specification allows'),
]
