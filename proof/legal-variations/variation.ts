/** One legitimate quirk: something that an implementation may do and that must not be held against it. */
import type { Variant } from '#contract/route.ts'
import type { Mutation } from '../mutations/mutation.ts'

export interface Variation {
  /** Stable, unique, kebab-case. */
  readonly id: string
  /** What the service does, in the present tense. */
  readonly title: string
  /** What allows it: an anchor of docs/specification.md, such as `#run-refund`, or an RFC, and what is open there. */
  readonly allowed: string
  /** SHOULD findings that it brings; no MUST ever. `*` stands for any letters. */
  readonly warns?: readonly string[]
  /** The only variant to which it can be done; undefined: both. */
  readonly variant?: Variant
  /** Only seen over a real connection; the path under which the service lives there. */
  readonly wire?: { readonly path: string }
  /** Variations of the same group do not go together. */
  readonly group?: string
  /** The change; a new one for each mock. */
  mutate(): Mutation
}
