/** Counts requests per credential (§8.1); a window opens with the first request. */
import type { RateLimit, RateWindow } from './state.ts'

/** A window that never opened. */
const closed: RateWindow = { opened: Number.NEGATIVE_INFINITY, used: 0 }

/** Callbacks of a limiter. */
export interface LimiterEvents {
  /** Called after one more request was counted; `place`: that of its credential, by when each was first seen. */
  counted(place: number): void
  /** Called before a window opens or closes; `before`: the values that will be replaced. */
  changing(window: RateWindow, before: RateWindow): void
}

/** A fixed-window rate limiter. Times are ms. */
export class RateLimiter {
  readonly #windows = new Map<string, RateWindow & { readonly place: number }>()
  readonly #events: LimiterEvents | undefined

  constructor(events?: LimiterEvents) {
    this.#events = events
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
    window.used++
    this.#events?.counted(window.place)
    return 0
  }

  /** Discards all counts. */
  clear(): void {
    for (const window of this.#windows.values()) if (window.used > 0) this.#set(window, closed)
  }

  /** Returns the open windows by credential; `valuesOf`: other values that they had. */
  dump(valuesOf: (window: RateWindow, place: number) => RateWindow = (window) => window) {
    const windows = [...this.#windows].map(([credential, window]) => {
      const { opened, used } = valuesOf(window, window.place)
      return [credential, { opened, used }] as const
    })
    return Object.fromEntries(windows.filter(([, { used }]) => used > 0))
  }

  /** Restores saved windows. */
  restore(windows: Readonly<Record<string, RateWindow>>): void {
    for (const [credential, window] of Object.entries(windows))
      Object.assign(this.#windowOf(credential), window)
  }

  #windowOf(credential: string): RateWindow & { readonly place: number } {
    const known = this.#windows.get(credential)
    if (known) return known
    const created = { ...closed, place: this.#windows.size }
    this.#windows.set(credential, created)
    return created
  }

  #set(window: RateWindow, { opened, used }: RateWindow): void {
    this.#events?.changing(window, { opened: window.opened, used: window.used })
    Object.assign(window, { opened, used })
  }
}
