/** A scenario: a situation that clients should handle, as options and the expected client behaviour. */

import type { OptionPreset } from '../config/options.ts'

/** Options for a situation, and the client rules that it exercises. */
export interface Scenario<Id extends string = string> extends OptionPreset {
  readonly id: Id
  /** What happens, and what a good client does. */
  readonly shows: string
  /** Ids of the rules of the client report that the scenario exercises. */
  readonly expects: readonly string[]
}

/** Declares a scenario and keeps the literal type of its id. */
export function scenario<const Id extends string>(declaration: Scenario<Id>): Scenario<Id> {
  return declaration
}
