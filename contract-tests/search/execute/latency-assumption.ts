/** The assumption that changes show at once, which holds until it is refuted. */
import type { SuiteSettings } from '../../harness/terms.ts'

/**
 * Limits at which the assumption is refuted: false alarms in a row (no replay showed them), how many of these vanished
 * at the next read, and the ms spent on them.
 */
const most = { falseAlarms: 8, vanished: 2, msSpent: 20_000 } as const

/**
 * The assumption that changes show at once, which is dropped when too many suspicions turn out to be mere lateness.
 * Times in ms.
 */
export class LatencyAssumption {
  /** Assumed delay of lists and balances after a change. */
  consistency = 0
  /** Assumed delay of a refund after the end of a run. */
  runTimeout = 0
  readonly #settings: Pick<SuiteSettings, 'consistency' | 'runTimeout'>
  #doubts = { falseAlarms: 0, vanished: 0, msSpent: 0 }

  constructor({ consistency, runTimeout }: Pick<SuiteSettings, 'consistency' | 'runTimeout'>) {
    this.#settings = { consistency, runTimeout }
  }

  /** True while the assumption is stricter than the settings. */
  get isOptimistic(): boolean {
    const { consistency, runTimeout } = this.#settings
    return this.consistency < consistency || this.runTimeout < runTimeout
  }

  /**
   * Records the outcome of a suspicion; after too many false alarms the settings apply. `hasVanished`: the next read
   * differed. `isOnlyLate`: replays show it only without waits.
   */
  recordSuspicion(isReproduced: boolean, { hasVanished = false, isOnlyLate = false, spentMs = 0 }): void {
    const { falseAlarms, vanished, msSpent } = this.#doubts
    this.#doubts = isReproduced
      ? { falseAlarms: 0, vanished: 0, msSpent: 0 }
      : {
          falseAlarms: falseAlarms + 1,
          vanished: vanished + Number(hasVanished),
          msSpent: msSpent + spentMs,
        }
    const isRefuted = (['falseAlarms', 'vanished', 'msSpent'] as const).some(
      (kind) => this.#doubts[kind] >= most[kind],
    )
    if (isOnlyLate || isRefuted) Object.assign(this, this.#settings)
  }
}
