/** What a whole run has measured: readings of each side, one a round. */
import type { InProcessReading, InProcessSide } from './in-process.ts'
import type { Growth, Reading } from './measure.ts'
import type { Side } from './side.ts'

export interface Results {
  /** Versions, machine and date, in a sentence. */
  readonly where: string
  readonly rounds: number
  /** The mock first. */
  readonly sides: readonly { readonly side: Side; readonly readings: readonly Reading[] }[]
  readonly growth: readonly {
    readonly side: Side
    readonly tasks: number
    readonly readings: readonly Growth[]
  }[]
  readonly inProcess: readonly {
    readonly side: InProcessSide
    readonly readings: readonly InProcessReading[]
  }[]
  /** Peers that could not be measured, each with its reason. */
  readonly missing: readonly string[]
}
