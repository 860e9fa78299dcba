/** A first-in, first-out queue with constant-time access at both ends. */
export class Queue<T> {
  #items: T[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  /** Returns the first item without removing it. */
  peek(): T | undefined {
    return this.#items[this.#head]
  }

  /** Returns all items, in order. */
  items(): readonly T[] {
    return this.#items.slice(this.#head)
  }

  /** Removes and returns the first item. */
  shift(): T | undefined {
    const item = this.#items[this.#head]
    if (item === undefined) return undefined
    this.#head++
    if (this.#head > 1_000 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }
}
