/** The Work Credits that a run of the suite may spend, checked before every paid request. */
import { NotExercised } from '../client/check-errors.ts'

export class Budget {
  /** Credits that may be spent. */
  readonly limit: number
  #spent = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Credits that accepted paid requests have reserved, whether or not they were refunded. */
  get spent(): number {
    return this.#spent
  }

  /** @throws NotExercised if that many more credits are not allowed. */
  allow(credits: number): void {
    if (this.#spent + credits <= this.limit) return
    const left = this.limit - this.#spent
    throw new NotExercised(
      `it may spend ${credits} Work Credit${credits === 1 ? '' : 's'}, but only ${left} of the ${this.limit} allowed are left`,
      `--max-credits ${this.#spent + credits} or more`,
    )
  }

  /** Counts credits as spent. */
  spend(credits: number): void {
    this.#spent += credits
  }
}
