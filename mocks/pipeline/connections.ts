/** Connections: which responses a client had received before a request, and what faults do to the connection of a response. */
import type { WireFault } from '../faults/fault.ts'

/** The last request of an organization on a connection; `generation`: the number of resets before it. */
interface LastRequest {
  readonly generation: number
  id: string
}

export class ConnectionHistory {
  #last = new WeakMap<object, Map<string | null, LastRequest>>()
  readonly #generations = new Map<string | null, number>()

  /** Returns the id of the previous request of an organization on a connection, or null, and stores this one. */
  previousRequest(connection: object | undefined, org_id: string | null, id: string): string | null {
    if (!connection) return null
    const last = this.#last.get(connection) ?? new Map<string | null, LastRequest>()
    this.#last.set(connection, last)
    const generation = this.#generations.get(org_id) ?? 0
    const previous = last.get(org_id)
    if (previous?.generation !== generation) {
      last.set(org_id, { generation, id })
      return null
    }
    const previousId = previous.id
    previous.id = id
    return previousId
  }

  /** Returns the id of the last request on a connection that carries one organization; undefined: none. */
  lastOn(connection: object): string | undefined {
    const [last] = this.#last.get(connection)?.values() ?? []
    return last?.id
  }

  /** Discards the requests of one organization, or of all, so that their ids can be reused. */
  forget(org_id?: string): void {
    if (org_id === undefined) this.#last = new WeakMap()
    else this.#generations.set(org_id, (this.#generations.get(org_id) ?? 0) + 1)
  }
}

/** Represents connections in process: a request uses a free one, or a new one. */
export class VirtualConnectionPool {
  readonly #free: object[] = []

  /** Calls `send` with a connection, which is free again when the result is available. */
  async use<T>(send: (connection: object) => T | Promise<T>): Promise<T> {
    const connection = this.#free.pop() ?? {}
    try {
      return await send(connection)
    } finally {
      this.#free.push(connection)
    }
  }
}

export const wireFaults = new WeakMap<Response, WireFault>()

/**
 * Returns a response in process, where there is no connection.
 * @throws TypeError, as `fetch` does, if the response has a connection fault other than `stale`.
 */
export async function withoutWire(response: Response | Promise<Response>): Promise<Response> {
  const settled = await response
  const fault = wireFaults.get(settled)
  if (!fault || fault.wire === 'stale') return settled
  const name = fault.lost ? `lost ${fault.wire}` : fault.wire
  const effect = fault.lost ? '; the request had its effect' : ''
  throw new TypeError('fetch failed', { cause: new Error(`the mock applied the fault "${name}"${effect}`) })
}
