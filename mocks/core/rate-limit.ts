/** Counts requests per credential (§8.1); a window opens with the first request. */
import { type ChangeHistory, type HistoricalRowReader, readCurrentRow } from './changes.ts'
import type { RateLimit, RateLimitWindow } from './resources.ts'

const closed: RateLimitWindow = { opened: Number.NEGATIVE_INFINITY, used: 0 }

/** A fixed-window rate limiter. Times are ms. */
export class RateLimiter {
  readonly #windows = new Map<string, RateLimitWindow>()
  readonly #changes: ChangeHistory

  constructor(changes: ChangeHistory) {
    this.#changes = changes
  }

  /**
   * Counts a request of a credential and returns 0, or, if the limit is exceeded, returns the ms to wait without
   * counting the request.
   */
  admit(credential: string, rule: RateLimit, now: number): number {
    const window = this.#windowOf(credential)
    if (now >= window.opened + rule.window_ms || now < window.opened) {
      if (rule.limit < 1) return rule.window_ms
      this.#changes.change('windows', window, { opened: now, used: 1 })
      return 0
    }
    if (window.used >= rule.limit) return window.opened + rule.window_ms - now
    this.#changes.count('windows', window)
    return 0
  }

  clear(): void {
    for (const window of this.#windows.values())
      if (window.used > 0) this.#changes.change('windows', window, closed)
  }

  /** Returns the open windows by credential. */
  dump(was: HistoricalRowReader = readCurrentRow): Record<string, RateLimitWindow> {
    const windows = [...this.#windows].map(
      ([credential, window]) => [credential, { ...(was(window) ?? window) }] as const,
    )
    return Object.fromEntries(windows.filter(([, { used }]) => used > 0))
  }

  restore(windows: Readonly<Record<string, RateLimitWindow>>): void {
    for (const [credential, window] of Object.entries(windows))
      Object.assign(this.#windowOf(credential), window)
  }

  #windowOf(credential: string): RateLimitWindow {
    const known = this.#windows.get(credential)
    if (known) return known
    const created = { ...closed }
    this.#windows.set(credential, created)
    return created
  }
}
