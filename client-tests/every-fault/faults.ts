/** The faults that every request of a client is tried with. */
import { codesOf, failuresOf, hasTwoShapes, type OperationId } from '#contract/operation.ts'

/**
 * What a fault leaves a client with. `work`: the specification says how to go on. `doubt`: no answer that can be read,
 * so that giving up with an error is right unless the work is done. `refusal`: giving up with an error is right.
 */
export type Outlook = 'work' | 'doubt' | 'refusal'

/** A fault that happens to one request, once. */
export interface PlannedFault {
  /** Stable, unique: a column of the matrix. */
  readonly id: string
  /** What happens, in a few words. */
  readonly title: string
  /** The same in the grammar of fault rules. */
  readonly fault: string
  readonly outlook: Outlook
  /** Whether it can happen to a request for an operation. */
  happensTo(operation: OperationId): boolean
}

const anywhere = () => true
const where = (code: string) => (operation: OperationId) => codesOf(operation).includes(code)

function planned(
  id: string,
  fault: string,
  outlook: Outlook,
  title: string,
  happensTo: PlannedFault['happensTo'] = anywhere,
): PlannedFault {
  return { id, fault, outlook, title, happensTo }
}

/** Every fault, in the order of the matrix. */
export const plannedFaults: readonly PlannedFault[] = [
  planned('dropped', 'empty', 'doubt', 'the request is lost before it takes effect'),
  planned('lost', 'lost', 'doubt', 'the answer is lost after the request took effect; a run ends at once'),
  planned('reset', 'reset', 'doubt', 'the connection is reset before the request takes effect'),
  planned('truncated', 'truncate', 'doubt', 'half of the answer comes, then the connection closes'),
  planned('malformed', 'malformed', 'doubt', 'the answer is not JSON'),
  planned('slow', 'delay 2s', 'doubt', 'the answer takes two seconds'),
  planned('hangs', 'hang', 'doubt', 'no answer comes, and the connection stays open'),
  planned('401', 'unauthorized', 'refusal', '401 unauthorized', where('unauthorized')),
  planned('402', 'no_credits', 'refusal', '402 no_credits', where('no_credits')),
  planned('busy', 'busy', 'work', '409 busy: the run is accepted', where('busy')),
  planned('409', 'invalid_request', 'refusal', '409 invalid_request: the run is rejected', (operation) =>
    failuresOf(operation).includes('conflict'),
  ),
  planned('429', 'rate_limited', 'work', '429 rate_limited, Retry-After in seconds'),
  planned('429-date', 'rate_limited date', 'work', '429 rate_limited, Retry-After as a date'),
  planned('500', 'internal_error', 'refusal', '500 internal_error'),
  planned('502', 'bad_gateway', 'doubt', 'a 502 that is not JSON, from something in front of the service'),
  planned('503', 'unavailable', 'work', '503 unavailable'),
  planned('variant', 'other_variant', 'work', 'the answer has the other of two shapes', hasTwoShapes),
  planned('quirks', 'quirks', 'work', 'the answer is unusual in every way that the specification allows'),
]
