/** What a call sends: its path, its query, its headers and its body. Pure. */
import type { CallOptions } from './client-settings.ts'
import type { Outgoing } from './target.ts'

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
