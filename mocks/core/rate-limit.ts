/** Counts requests per credential (§8.1); a window opens with the first request. */
import type { RateLimit, RateWindow } from './resources.ts'

/** A window that never opened. */
const closed: RateWindow = { opened: Number.NEGATIVE_INFINITY, used: 0 }

/** A fixed-window rate limiter. Times are ms. */
export class RateLimiter {
  readonly #windows = new Map<string, RateWindow>()
  readonly #changing: (window: RateWindow, before: Partial<RateWindow>) => void

  /** `changing` is called before a window changes, with the values that will be replaced. */
  constructor(changing: (window: RateWindow, before: Partial<RateWindow>) => void = () => undefined) {
    this.#changing = changing
  }

  /**
   * Counts a request of a credential and returns 0, or, if the limit is exceeded, returns the ms to wait without
   * counting the request.
   */
  admit(credential: string, rule: RateLimit, now: number): number {
    const window = this.#windowOf(credential)
    if (now >= window.opened + rule.window_ms || now < window.opened) {
      if (rule.limit < 1) return rule.window_ms
      this.#set(window, { opened: now, used: 1 })
      return 0
    }
    if (window.used >= rule.limit) return window.opened + rule.window_ms - now
    this.#changing(window, { used: window.used })
    window.used++
    return 0
  }

  clear(): void {
    for (const window of this.#windows.values()) if (window.used > 0) this.#set(window, closed)
  }

  /** Returns the open windows by credential; `asOf`: as they were. */
  dump(asOf: (window: RateWindow) => RateWindow = (window) => window) {
    const windows = [...this.#windows].map(([credential, window]) => {
      const { opened, used } = asOf(window)
      return [credential, { opened, used }] as const
    })
    return Object.fromEntries(windows.filter(([, { used }]) => used > 0))
  }

  restore(windows: Readonly<Record<string, RateWindow>>): void {
    for (const [credential, window] of Object.entries(windows))
      Object.assign(this.#windowOf(credential), window)
  }

  #windowOf(credential: string): RateWindow {
    const known = this.#windows.get(credential)
    if (known) return known
    const created = { ...closed }
    this.#windows.set(credential, created)
    return created
  }

  #set(window: RateWindow, { opened, used }: RateWindow): void {
    this.#changing(window, { opened: window.opened, used: window.used })
    Object.assign(window, { opened, used })
  }
}
