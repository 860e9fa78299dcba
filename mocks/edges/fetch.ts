/** The `fetch` of a mock: requests in process, without a connection. */
import { wireFaults } from '../pipeline/serve.ts'
import type { Bindings } from '../pipeline/service.ts'

/** Takes what the global `fetch` takes, so that clients accept it in its place. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

export function createFetch(
  handle: (request: Request, bindings: Bindings) => Response | Promise<Response>,
): Fetch {
  /** What stands for connections: a request takes a free one, or a new one. */
  const free: object[] = []
  return async (input, init) => {
    const request = requestOf(input, init)
    request.signal.throwIfAborted()
    const connection = free.pop() ?? {}
    try {
      const response = handle(request, { connection })
      return received(await (response instanceof Promise ? untilAborted(response, request.signal) : response))
    } finally {
      free.push(connection)
    }
  }
}

/** @throws TypeError, as `fetch` does, if the response has a connection fault other than `stale`. */
function received(response: Response): Response {
  const fault = wireFaults.get(response)
  if (!fault || fault.wire === 'stale') return response
  const name = fault.lost ? `lost ${fault.wire}` : fault.wire
  const effect = fault.lost ? '; the request had its effect' : ''
  throw new TypeError('fetch failed', { cause: new Error(`the mock applied the fault "${name}"${effect}`) })
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
