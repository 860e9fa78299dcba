/** The notifications of an organization, and how many of them are unread (§2). */
import type { Changes } from './changes.ts'
import type { Notification } from './resources.ts'
import { Rows } from './rows.ts'

export class NotificationRows extends Rows<Notification> {
  readonly #changes: () => Changes
  #unread = 0

  constructor(changes: () => Changes) {
    super((row) => changes().added('notifications', row))
    this.#changes = changes
  }

  /** Number of unread notifications. */
  get unread(): number {
    return this.#unread
  }

  override append(notification: Notification): Notification {
    if (!notification.read) this.#unread++
    return super.append(notification)
  }

  override load(notifications: readonly Notification[]): void {
    super.load(notifications)
    this.#unread = this.all().filter(({ read }) => !read).length
  }

  /** Marks a notification as read (§3.4); repeating it changes nothing. */
  markRead(notification: Notification): void {
    if (notification.read) return
    this.#changes().changing('notifications', notification, unread)
    notification.read = true
    this.#unread--
  }
}

/** What a change replaces, shared by all. */
const unread = { read: false }
