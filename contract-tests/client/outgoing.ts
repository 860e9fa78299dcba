/** What a call sends: its path, its query, its headers, its body, and what identifies it. */
import type { CallOptions } from './client-settings.ts'
import type { Outgoing, Target } from './target.ts'

/** The path of a route and its query. */
export function addressOf(
  path: string,
  { id = '', rawId = encodeURIComponent(id), query }: CallOptions,
): string {
  const pairs = Array.isArray(query) ? query : Object.entries(query ?? {})
  return path.replace(':id', () => rawId) + (query ? `?${new URLSearchParams(pairs)}` : '')
}

/** The request with these headers and those of the options; a body that is no text is sent as JSON. */
export function outgoingOf(
  method: string,
  { body, headers }: CallOptions,
  always: Readonly<Record<string, string>>,
): Pick<Outgoing, 'method' | 'headers' | 'body'> {
  if (body === undefined) return { method, headers: { ...always, ...headers } }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method, headers: { ...always, 'content-type': 'application/json', ...headers }, body: text }
}

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
