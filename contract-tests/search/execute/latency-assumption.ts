/** The assumption that changes show at once, which holds until it is refuted. */
import type { Settings } from '../../harness/terms.ts'

export type LatencyAssumption = ReturnType<typeof createLatencyAssumption>

/** Assumes that changes show at once, until too many suspicions turn out to be mere delays. Times in ms. */
export function createLatencyAssumption({
  consistency,
  runTimeout,
}: Pick<Settings, 'consistency' | 'runTimeout'>) {
  /**
   * Consecutive suspicions that no replay reproduced, those that vanished on the next read, and the ms spent on them.
   */
  let [falseAlarms, vanished, msSpent] = [0, 0, 0]
  const assumed = {
    /** Assumed delay of lists and balances after a change. */
    consistency: 0,
    /** Assumed delay of a refund after the end of a run. */
    runTimeout: 0,
    /** True while the assumption is stricter than the settings. */
    get isOptimistic(): boolean {
      return assumed.consistency < consistency || assumed.runTimeout < runTimeout
    },
    /**
     * Records the outcome of a suspicion; after too many false alarms the settings apply. `hasVanished`: the next read
     * differed. `isOnlyLate`: replays show it only without waits.
     */
    recordSuspicion(isReproduced: boolean, { hasVanished = false, isOnlyLate = false, spentMs = 0 }): void {
      ;[falseAlarms, vanished, msSpent] = isReproduced
        ? [0, 0, 0]
        : [falseAlarms + 1, vanished + Number(hasVanished), msSpent + spentMs]
      const isRefuted =
        falseAlarms >= most.falseAlarms || vanished >= most.vanished || msSpent >= most.msSpent
      if (isOnlyLate || isRefuted) Object.assign(assumed, { consistency, runTimeout })
    },
  }
  return assumed
}

const most = { falseAlarms: 8, vanished: 2, msSpent: 20_000 } as const
