/** Marks a Response with a connection fault, which the edge that sends it applies. */
import type { WireFault } from './fault.ts'

const marked = new WeakMap<Response, WireFault>()

/** Marks a Response with a connection fault and returns it. */
export function markConnectionFault(response: Response, fault: WireFault): Response {
  marked.set(response, fault)
  return response
}

/** Returns the connection fault of a Response; undefined: it is sent as usual. */
export function wireFaultOf(response: Response): WireFault | undefined {
  return marked.get(response)
}

/**
 * Returns a response in process, where there is no connection.
 * @throws TypeError, as `fetch` does, if the response has a connection fault other than `stale`.
 */
export async function withoutWire(response: Response | Promise<Response>): Promise<Response> {
  const settled = await response
  const fault = wireFaultOf(settled)
  if (!fault || fault.wire === 'stale') return settled
  const name = fault.lost ? `lost ${fault.wire}` : fault.wire
  const effect = fault.lost ? '; the request had its effect' : ''
  throw new TypeError('fetch failed', { cause: new Error(`the mock applied the fault "${name}"${effect}`) })
}
