/** One switchable violation of the API. */
import type { Variant } from '#contract/route.ts'
import type { Mutation } from '../mutations/mutation.ts'

export interface Defect {
  /** Stable, unique, kebab-case with operation ids as they are. */
  readonly id: string
  /** What the service does wrong, in the present tense. */
  readonly title: string
  /** Ids of the requirements that it breaks, all of them and no others; `*` stands for any letters. */
  readonly breaks: readonly string[]
  /** The only variant in which it is a violation; undefined: both. */
  readonly variant?: Variant
  /** The change; a new one for each mock. */
  mutate(): Mutation
}
