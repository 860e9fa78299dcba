/** A target whose every request says who asks, and which one it is, so that a service's logs can be searched. */
import type { Target } from './target.ts'

/** The target with a `User-Agent` and an `X-Request-Id` on each request that has none of its own. */
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
