/** A target with a function in between that sees each request and may answer it. */
import type { Outgoing, Target } from '../client/target.ts'

export type Between = (
  request: { url: string; path: string } & Outgoing,
  next: () => Promise<Response>,
) => Promise<Response>

/** The target behind a middleware. */
export function middleware(target: Target, between: Between): Target {
  return {
    ...target,
    transport: (url, outgoing) =>
      between({ url, path: url.replace(target.baseUrl, ''), ...outgoing }, () =>
        target.transport(url, outgoing),
      ),
  }
}
