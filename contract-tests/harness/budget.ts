/** The Work Credits that a run of the suite may spend, checked before every paid request. */
import { NotExercised } from '../client/check-errors.ts'

export class Budget {
  /** Credits that may be spent. */
  readonly limit: number
  /** Credits that the selected requirements may spend together: never more than the limit. */
  readonly #planned: number
  #spent = 0

  constructor(limit: number, planned = limit) {
    this.limit = limit
    this.#planned = Math.min(limit, planned)
  }

  /** Credits that accepted paid requests have reserved, whether or not they were refunded. */
  get spent(): number {
    return this.#spent
  }

  /** Credits that may still be spent. */
  get left(): number {
    return this.#planned - this.#spent
  }

  /** @throws NotExercised if that many more credits are not allowed. */
  allow(credits: number): void {
    if (this.#spent + credits <= this.#planned) return
    if (this.#spent + credits <= this.limit)
      throw new NotExercised(
        `it may spend ${counted(credits)}, but ${this.#spent} of the ${this.#planned} planned are spent`,
      )
    const left = this.limit - this.#spent
    throw new NotExercised(
      `it may spend ${counted(credits)}, but only ${left} of the ${this.limit} allowed are left`,
      `--max-credits ${this.#spent + credits} or more`,
    )
  }

  /** Counts credits as spent. */
  spend(credits: number): void {
    this.#spent += credits
  }
}

const counted = (credits: number) => `${credits} Work Credit${credits === 1 ? '' : 's'}`
