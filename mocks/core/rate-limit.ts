/** Counts requests against a limit for each credential (§8.1): a window opens with the first request. */
import type { RateLimit, RateWindow } from './state.ts'

export class RateLimiter {
  readonly #windows = new Map<string, RateWindow>()

  /**
   * Counts a request of a credential at `now` (ms) and answers 0, or refuses it uncounted and answers the
   * time to wait, ms.
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

  /** Forgets what was counted. */
  clear(): void {
    this.#windows.clear()
  }

  /** The windows by credential. */
  dump(): Record<string, RateWindow> {
    return Object.fromEntries(this.#windows)
  }

  restore(windows: Readonly<Record<string, RateWindow>>): void {
    for (const [credential, window] of Object.entries(windows)) this.#windows.set(credential, window)
  }
}
