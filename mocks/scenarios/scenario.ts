/** A scenario: a situation that clients should handle, as options and the expected client behaviour. */

import type { OptionPreset } from '../config/options.ts'

/** Options for a situation, and the client rules that it exercises. */
export interface Scenario<Id extends string = string> extends OptionPreset {
  readonly id: Id
  /** What happens, and what a good client does. */
  readonly shows: string
  /** Ids of the rules of the client report that the scenario exercises. */
  readonly expects: readonly string[]
  /** Whether a good client can finish its work; default: it can. */
  readonly canFinish?: boolean
  /** Whether nothing goes wrong: what a client does here is its usual work. */
  readonly isPlain?: boolean
  /** How often `check` runs a client that does its work at least; default: once. */
  readonly checkRuns?: number
  /** Options of `check`, with which the situation arises at once and passes soon, whatever the client does first. */
  readonly checkOptions?: OptionPreset['options']
}

/** Declares a scenario and keeps the literal type of its id. */
export function scenario<const Id extends string>(declaration: Scenario<Id>): Scenario<Id> {
  return declaration
}
