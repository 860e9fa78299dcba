/** A situation that a client should cope with: a start, the faults in it, and what is expected of the client. */

import type { OptionPreset } from '../config/options.ts'

export interface Scenario extends OptionPreset {
  /** What happens, and what a good client does about it. */
  readonly shows: string
  /** Ids of the rules of the client report that a client meets here. */
  readonly expects: readonly string[]
}
