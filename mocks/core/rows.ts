/** The rows of one resource: append-only, with constant-time access by id. */
import type { ChangeHistory } from './changes.ts'
import type { Notification } from './resources.ts'

/** The rows of one kind of resource, in order of creation; a row is found by its id in constant time. */
export class Rows<Row extends { readonly id: string }> {
  readonly #byId = new Map<string, Row>()
  readonly #inOrder: Row[] = []
  readonly #added: (row: Row) => void

  /** `added` is called after each row that is appended, unless it is loaded. */
  constructor(added: (row: Row) => void = () => undefined) {
    this.#added = added
  }

  append(row: Row): Row {
    this.#push(row)
    this.#added(row)
    return row
  }

  get(id: string): Row | undefined {
    return this.#byId.get(id)
  }

  get size(): number {
    return this.#inOrder.length
  }

  /** Returns all rows, oldest first. */
  all(): readonly Row[] {
    return this.#inOrder
  }

  load(rows: Iterable<Row>): void {
    for (const row of rows) this.#push(row)
  }

  #push(row: Row): void {
    this.#byId.set(row.id, row)
    this.#inOrder.push(row)
  }

  /** Returns at most `limit` matching rows, newest first. */
  newest(limit: number, matches: (row: Row) => boolean = () => true): Row[] {
    const found: Row[] = []
    for (let i = this.#inOrder.length - 1; i >= 0 && found.length < limit; i--) {
      const row = this.#inOrder[i] as Row
      if (matches(row)) found.push(row)
    }
    return found
  }
}

/** The notifications of an organization, which also count those that are unread. */
export class NotificationRows extends Rows<Notification> {
  readonly #changes: () => ChangeHistory

  constructor(changes: () => ChangeHistory) {
    super((row) => changes().added('notifications', row))
    this.#changes = changes
  }

  get unread(): number {
    return this.all().filter(({ read }) => !read).length
  }

  /** Marks a notification as read (§3.4); repeating it changes nothing. */
  markRead(notification: Notification): void {
    if (!notification.read) this.#changes().change('notifications', notification, { read: true })
  }
}
