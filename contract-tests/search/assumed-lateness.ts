/**
 * How late lists, balances and refunds are taken to be: not at all, until the service shows one late. What only this
 * assumption objects to is a suspicion: a finding if a replay shows it that waits as long as the settings allow.
 */

/** ms. */
export class AssumedLateness {
  /** Of a list or a balance, after a change. */
  lag = 0
  /** Of a refund, after the end of a run. */
  patience = 0
  /** Suspicions in a row that no replay has shown, and those of them that were over a moment later. */
  #vain = 0
  #over = 0
  /** ms that were spent on them. */
  #spent = 0
  readonly #allowed: { readonly lag: number; readonly patience: number }

  constructor(allowed: { readonly lag: number; readonly patience: number }) {
    this.#allowed = allowed
  }

  /** Whether less is assumed than the settings allow. */
  get isAssumed(): boolean {
    const { lag, patience } = this.#allowed
    return this.lag < lag || this.patience < patience
  }

  /**
   * Notes whether a replay has shown a suspicion; after some in vain, the assumption is given up. `isOver`: it was over a
   * moment later; `isLate`: replays have shown it, but not with waits; `spent`: ms that it took to find out.
   */
  note(isShown: boolean, { isOver = false, isLate = false, spent = 0 }): void {
    this.#vain = isShown ? 0 : this.#vain + 1
    this.#over = isShown ? 0 : this.#over + (isOver ? 1 : 0)
    this.#spent = isShown ? 0 : this.#spent + spent
    const isVain = this.#vain >= most.vain || this.#over >= most.over || this.#spent >= most.spent
    if (isLate || isVain) Object.assign(this, this.#allowed)
  }
}

const most = { vain: 8, over: 2, spent: 20_000 } as const
