/** A target with something in between: it sees each request, and may answer in the service's place. */
import type { Outgoing, Target } from '../client/target.ts'

export type Between = (
  request: { url: string; path: string } & Outgoing,
  next: () => Promise<Response>,
) => Promise<Response>

/** The target with `between` before it. */
export function middleware(target: Target, between: Between): Target {
  return {
    ...target,
    transport: (url, outgoing) =>
      between({ url, path: url.replace(target.baseUrl, ''), ...outgoing }, () =>
        target.transport(url, outgoing),
      ),
  }
}
