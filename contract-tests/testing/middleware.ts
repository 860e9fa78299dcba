/** A target with a function in between that sees each request and may answer it. */
import type { OutgoingRequest, Target } from '../client/target.ts'

/** A function that answers a request in place of a target. `next` sends it on, with additional headers. */
export type Middleware = (
  request: { url: string; path: string } & OutgoingRequest,
  next: (headers?: Record<string, string>) => Promise<Response>,
  target: Target,
) => Promise<Response>

/** The target with a middleware in front of it. */
export function withMiddleware(target: Target, between: Middleware): Target {
  return {
    ...target,
    transport: (url, outgoing) =>
      between(
        { url, path: url.replace(target.baseUrl, ''), ...outgoing },
        (headers = {}) =>
          target.transport(url, { ...outgoing, headers: { ...outgoing.headers, ...headers } }),
        target,
      ),
  }
}
