/** The clocks of the organizations of one mock. They are kept when organizations are reset. */
import { type Clock, createClock } from '../core/clock.ts'

/** Clocks by the name of their organization. */
export class OrganizationClocks {
  readonly #mockClock: Clock
  readonly #byName = new Map<string, Clock>()

  constructor(mockClock: Clock) {
    this.#mockClock = mockClock
  }

  /** Returns the clock of an organization, which follows the clock of the mock until it is changed. */
  of(name: string): Clock {
    const clock = this.#byName.get(name) ?? createClock(undefined, this.#mockClock)
    this.#byName.set(name, clock)
    return clock
  }

  /** Returns the clocks of all organizations ever created. */
  all(): Clock[] {
    return [...this.#byName.values()]
  }
}
