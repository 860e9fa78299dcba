/** Marks a Response with what is to happen to its connection; the edge that sends it does it. */
import type { Wire } from './instruction.ts'

export interface WireFault {
  readonly wire: Wire
  /** How long a dribble takes, ms. */
  readonly ms: number
}

const marked = new WeakMap<Response, WireFault>()

export function markConnectionFault(response: Response, fault: WireFault): Response {
  marked.set(response, fault)
  return response
}

/** What is to happen to the connection of a Response; undefined: it is sent as usual. */
export function wireFaultOf(response: Response): WireFault | undefined {
  return marked.get(response)
}

/** In a process there is no connection: whatever happens to it is a failed request. */
export async function withoutWire(response: Response | Promise<Response>): Promise<Response> {
  const settled = await response
  const fault = wireFaultOf(settled)
  if (!fault || fault.wire === 'stale') return settled
  throw new TypeError('fetch failed', { cause: new Error(`the mock was asked for "${fault.wire}"`) })
}
