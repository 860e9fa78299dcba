/** Infers from the balances of an organization what paid requests with lost answers have cost. */

/** Whether a paid request was charged, was not charged, or lost its answer, so that nobody knows. */
export type PaidRequestOutcome = 'taken' | 'not taken' | 'lost'

/**
 * Infers from the balances of an organization what paid requests with lost answers have cost. Until the next balance,
 * such a request may have cost a credit (`open`).
 */
export class LostChargeTracker {
  /** Credits that requests with lost answers have certainly cost. */
  spent = 0
  /** Credits that requests with lost answers may have cost since the last balance. */
  open = 0
  /** Credits of requests with lost answers that no balance has shown so far. */
  #late = 0
  /** The expected balance: the last one that was read, less the charges since; undefined if it is not known. */
  #expected: number | undefined
  #underWay = 0
  #paid = 0

  /** Notes that a paid request is sent; returns a function that notes its outcome. `cost`: in credits. */
  begin(cost: number): (end: PaidRequestOutcome) => void {
    this.#underWay++
    this.#paid++
    return (end) => {
      this.#underWay--
      this.#paid++
      if (end === 'lost') this.open += cost
      if (end === 'taken' && this.#expected !== undefined) this.#expected -= cost
    }
  }

  /** Forgets the expected balance, as something else than a request sets the balance. */
  forget(): void {
    this.#expected = undefined
  }

  /**
   * Begins a reading of the balance; returns a function for its result, which is ignored if paid requests overlapped
   * it.
   */
  read(): (credits: number) => void {
    const before = this.#paid
    return (credits) => {
      if (this.#underWay > 0 || this.#paid !== before) return
      const missing = this.#expected === undefined ? undefined : Math.round(this.#expected - credits)
      this.#expected = credits
      if (missing === undefined) return
      const lost = this.open + this.#late
      const shown = Math.min(Math.max(0, missing), lost)
      this.spent += shown
      this.#late = lost - shown
      this.open = 0
    }
  }
}
