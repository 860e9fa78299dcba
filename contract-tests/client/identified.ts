/** A target that identifies each request, so that it can be found in the logs of the service. */
import type { Target } from './target.ts'

/** The target with a `User-Agent` and an `X-Request-Id` on each request that does not set them. */
export function identified(target: Target, userAgent: string, nextId: () => string): Target {
  return {
    baseUrl: target.baseUrl,
    transport(url, outgoing) {
      const headers = { 'user-agent': userAgent, ...outgoing.headers }
      const id = outgoing.headers['x-request-id'] ?? nextId()
      return target.transport(url, { ...outgoing, headers: { ...headers, 'x-request-id': id } })
    },
    sleep: (ms, signal) => target.sleep(ms, signal),
    now: () => target.now(),
    close: () => target.close(),
  }
}
