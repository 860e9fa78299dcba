/** What a search is asked to do, and how far it is. */
import type { Finding } from './findings.ts'

/** How long to search, and how. */
export interface ExploreOptions {
  /** ms of real time, or steps. */
  readonly until: { readonly ms: number } | { readonly steps: number }
  readonly seed: number
  /** Most requests at once. */
  readonly clients: number
}

/** How far the search is. */
export interface Progress {
  readonly steps: number
  readonly situations: number
  readonly requirements: number
  readonly findings: readonly Finding[]
  /** The requirement whose violation is being looked into. */
  readonly looking?: string | undefined
}
