/** The `fetch` of a mock: requests in process, without a connection. */
import { VirtualConnectionPool, withoutWire } from '../pipeline/connections.ts'
import type { Bindings } from '../pipeline/service.ts'

/** Takes what the global `fetch` takes, so that clients accept it in its place. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

export function createFetch(
  handle: (request: Request, bindings: Bindings) => Response | Promise<Response>,
): Fetch {
  const connections = new VirtualConnectionPool()
  return (input, init) =>
    connections.use((connection) => {
      const request = requestOf(input, init)
      const { signal } = request
      signal.throwIfAborted()
      const response = handle(request, { connection })
      return response instanceof Promise ? untilAborted(withoutWire(response), signal) : withoutWire(response)
    })
}

/** Returns the Request that the arguments of `fetch` describe. @throws TypeError for an invalid URL. */
export function requestOf(...[input, init]: Parameters<Fetch>): Request {
  const isRequest = typeof input === 'object' && 'headers' in input
  return isRequest && init === undefined ? input : new Request(input, init)
}

/** Rejects with the reason of a signal if it is aborted before the response; the request still has its effect. */
function untilAborted(response: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    response.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Returns a function that loads something once; if that fails, the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
