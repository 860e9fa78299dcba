/** Keeps requests to the second organization apart from times at which it refuses all requests. */
export class Gate {
  #users = 0
  #closed: Promise<void> | undefined
  #drained: (() => void) | undefined

  /** Runs an action once the gate is open. */
  async pass<T>(action: () => Promise<T>): Promise<T> {
    while (this.#closed) await this.#closed
    this.#users++
    try {
      return await action()
    } finally {
      this.#users--
      if (this.#users === 0) this.#drained?.()
    }
  }

  /** Runs an action while nothing passes. */
  async close<T>(action: () => Promise<T>): Promise<T> {
    while (this.#closed) await this.#closed
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#closed = promise
    try {
      if (this.#users > 0) await new Promise<void>((drained) => (this.#drained = drained))
      return await action()
    } finally {
      this.#closed = undefined
      this.#drained = undefined
      resolve()
    }
  }
}
