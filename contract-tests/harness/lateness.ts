/** What a run has seen to show later than at once. */
import type { Exchange } from '#traffic/exchange.ts'

/** An effect that may show a moment late, within `--consistency`. */
export type LateKind = 'list' | 'balance' | 'deleted key'

interface LateEffect {
  readonly kind: LateKind
  /** What showed late, as in "task_1". */
  readonly what: string
  /** The request that had the effect, the last response without it, and the first one with it. */
  readonly exchanges: readonly Exchange[]
  readonly ms: number
}

export class Lateness {
  readonly effects: LateEffect[] = []
  /** Sources of effects that did not show within the grace. */
  readonly missed = new Set<string>()
  /** The longest time after which the balance showed a change, ms; 0: it showed all at once. */
  balance_ms = 0
  /** The same for charges that showed after the time that they may take. */
  tooLate_ms = 0

  record(effect: LateEffect): void {
    this.effects.push(effect)
    if (effect.kind === 'balance') this.balance_ms = Math.max(this.balance_ms, effect.ms)
  }

  /** The late effects of a kind, the latest first. */
  of(kind: LateKind): LateEffect[] {
    return this.effects.filter((one) => one.kind === kind).toSorted((a, b) => b.ms - a.ms)
  }
}
