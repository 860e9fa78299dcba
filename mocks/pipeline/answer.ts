/** The answer of the pipeline to a request, as an edge sends it. */
import type { ConnectionFault } from '../faults/connection.ts'

/** An answer of the pipeline, which an edge sends. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Fault of the connection that carries it, and the reason; undefined: none. */
  readonly fault?: (ConnectionFault & { readonly reason: string }) | undefined
}
