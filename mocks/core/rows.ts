/** Rows of one resource: appended, never moved, found by id at once whatever their number. */

export class Rows<Row extends { readonly id: string }> {
  readonly #byId = new Map<string, Row>()
  readonly #inOrder: Row[] = []

  append(row: Row): Row {
    this.#byId.set(row.id, row)
    this.#inOrder.push(row)
    return row
  }

  get(id: string): Row | undefined {
    return this.#byId.get(id)
  }

  get size(): number {
    return this.#inOrder.length
  }

  /** All rows, oldest first. */
  all(): readonly Row[] {
    return this.#inOrder
  }

  /** Appends many. */
  load(rows: Iterable<Row>): void {
    for (const row of rows) this.append(row)
  }

  /** The newest rows that match, newest first, at most `limit` of them. */
  newest(limit: number, matches: (row: Row) => boolean = () => true): Row[] {
    const found: Row[] = []
    for (let i = this.#inOrder.length - 1; i >= 0 && found.length < limit; i--) {
      const row = this.#inOrder[i] as Row
      if (matches(row)) found.push(row)
    }
    return found
  }
}
