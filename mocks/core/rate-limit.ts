/** Counts requests per credential (§8.1); a window opens with the first request. */
import type { RateLimit, RateWindow } from './state.ts'

/** A fixed-window rate limiter. Times are ms. */
export class RateLimiter {
  readonly #windows = new Map<string, RateWindow>()

  /**
   * Counts a request of a credential and returns 0, or, if the limit is exceeded, returns the ms to wait without
   * counting the request.
   */
  admit(credential: string, rule: RateLimit, now: number): number {
    const window = this.#windows.get(credential)
    if (!window || now >= window.opened + rule.window_ms || now < window.opened) {
      if (rule.limit < 1) return rule.window_ms
      this.#windows.set(credential, { opened: now, used: 1 })
      return 0
    }
    if (window.used >= rule.limit) return window.opened + rule.window_ms - now
    window.used++
    return 0
  }

  /** Discards all counts. */
  clear(): void {
    this.#windows.clear()
  }

  /** Returns the windows by credential. */
  dump(): Record<string, RateWindow> {
    return Object.fromEntries(this.#windows)
  }

  /** Restores saved windows. */
  restore(windows: Readonly<Record<string, RateWindow>>): void {
    for (const [credential, window] of Object.entries(windows)) this.#windows.set(credential, window)
  }
}
