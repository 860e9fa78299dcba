/** Sends requests with the same credentials one after the other while their limit is exceeded, the oldest first. */
import type { Target } from './target.ts'

interface Queue {
  /** Settles when the last request in the queue is done. */
  tail: Promise<void>
  length: number
  /** When the next request may be sent, ms on the clock of the target. */
  until: number
}

export class Pace {
  readonly #queues = new Map<string, Queue>()

  /** Lets no request with these credentials be sent for that many ms. */
  hold(credentials: string, now: number, ms: number): void {
    const queue = this.#queueOf(credentials)
    queue.until = Math.max(now + ms, queue.until)
  }

  /** Whether requests with these credentials have to queue. */
  isLimited(credentials: string, now: number): boolean {
    const queue = this.#queues.get(credentials)
    return queue !== undefined && (queue.length > 0 || queue.until > now)
  }

  /** Waits for the turn of a request, and until it may be sent; returns the function that ends its turn. */
  async turn(credentials: string, { now, sleep }: Pick<Target, 'now' | 'sleep'>): Promise<() => void> {
    const queue = this.#queueOf(credentials)
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = queue.tail
    queue.tail = before.then(() => promise)
    queue.length++
    await before
    if (queue.until > now()) await sleep(queue.until - now())
    return () => {
      queue.length--
      resolve()
    }
  }

  #queueOf(credentials: string): Queue {
    const known = this.#queues.get(credentials)
    if (known) return known
    const queue: Queue = { tail: Promise.resolve(), length: 0, until: 0 }
    this.#queues.set(credentials, queue)
    return queue
  }
}
