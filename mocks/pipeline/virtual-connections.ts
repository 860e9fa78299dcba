/** Which answers a client had in hand when it asked again: those that came before on the same connection. */

/** The last request of an organization on a connection; `era`: how often it was forgotten before. */
interface Turn {
  readonly era: number
  id: string
}

/** Remembers the last request of each organization on each connection. */
export class Connections {
  #last = new WeakMap<object, Map<string | null, Turn>>()
  readonly #eras = new Map<string | null, number>()

  /** The request of an organization before this one on its connection, or null; remembers this one. */
  previousRequest(connection: object | undefined, org_id: string | null, id: string): string | null {
    if (!connection) return null
    const last = this.#last.get(connection) ?? new Map<string | null, Turn>()
    this.#last.set(connection, last)
    const era = this.#eras.get(org_id) ?? 0
    const previousRequest = last.get(org_id)
    if (previousRequest?.era !== era) {
      last.set(org_id, { era, id })
      return null
    }
    const before = previousRequest.id
    previousRequest.id = id
    return before
  }

  /** Forgets what was asked: by one organization, or by all. Ids of requests may begin anew then. */
  forget(org_id?: string): void {
    if (org_id === undefined) this.#last = new WeakMap()
    else this.#eras.set(org_id, (this.#eras.get(org_id) ?? 0) + 1)
  }
}

/** What stands for connections where there are none: a request takes one that is free, or a new one. */
export class VirtualConnections {
  readonly #free: object[] = []

  /** Asks on a lane, which is free again when the answer is there. */
  async use<T>(ask: (connection: object) => T | Promise<T>): Promise<T> {
    const connection = this.#free.pop() ?? {}
    try {
      return await ask(connection)
    } finally {
      this.#free.push(connection)
    }
  }
}
