/** A target with a function in between that sees each request and may answer it. */
import type { Outgoing, Target } from '../client/target.ts'

/** Stands between the suite and a target. `next`: sends the request on, with more headers. */
export type Between = (
  request: { url: string; path: string } & Outgoing,
  next: (headers?: Record<string, string>) => Promise<Response>,
  target: Target,
) => Promise<Response>

/** The target behind a middleware. */
export function middleware(target: Target, between: Between): Target {
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
