/** Work Credits that the run may spend: asked for before every paid request, so that it stops in time. */
import { NotExercised } from '../client/finding.ts'

export class Budget {
  /** Credits that may be spent. */
  readonly limit: number
  #spent = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Credits that accepted paid requests have reserved, whether or not they came back. */
  get spent(): number {
    return this.#spent
  }

  /** @throws NotExercised where so many more credits are not allowed. */
  allow(credits: number): void {
    if (this.#spent + credits <= this.limit) return
    const left = this.limit - this.#spent
    throw new NotExercised(
      `it may spend ${credits} Work Credit${credits === 1 ? '' : 's'}, and ${left} of the ${this.limit} allowed are left`,
      `--max-credits ${this.#spent + credits} or more`,
    )
  }

  /** Counts credits as spent. */
  spend(credits: number): void {
    this.#spent += credits
  }
}
