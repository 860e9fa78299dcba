/** Mock time. Real time until it is set, frozen or advanced; everything in the mock reads it from here. */

/** A clock in milliseconds since the epoch. */
export interface Clock {
  /** The present moment, ms since the epoch. */
  now(): number
  readonly frozen: boolean
  /** Stops time where it is, or at the given moment (ms). */
  freeze(at?: number): void
  /** Lets time run on from where it is. */
  run(): void
  /** Moves time forward by that many ms; a frozen clock stays frozen. */
  advance(ms: number): void
  /** Sets time to a moment (ms); a frozen clock stays frozen. */
  set(at: number): void
  /** Back to how the clock began. */
  reset(): void
}

/** The last moment that a date can hold, ms since the epoch. */
const lastMoment = 8.64e15

function check(at: number): void {
  if (Math.abs(at) <= lastMoment) return
  throw new RangeError('A clock takes ms since the epoch, as far as a Date reaches.')
}

/**
 * Creates a clock that runs, from `start` (ms since the epoch) or from what it follows: the real time, or
 * another clock, with which it moves and stands still until it is told otherwise.
 */
export function createClock(start?: number, followed: () => number = Date.now): Clock {
  let offset = 0
  let stopped: number | undefined
  const now = () => stopped ?? followed() + offset
  const set = (at: number) => {
    check(at)
    if (stopped === undefined) offset = at - followed()
    else stopped = at
  }
  const reset = () => {
    stopped = undefined
    offset = start === undefined ? 0 : start - followed()
  }
  reset()
  return {
    now,
    set,
    reset,
    get frozen() {
      return stopped !== undefined
    },
    freeze(at = now()) {
      check(at)
      stopped = at
    },
    run() {
      if (stopped === undefined) return
      offset = stopped - followed()
      stopped = undefined
    },
    advance(ms) {
      if (ms < 0) throw new RangeError('Time only moves forward: advance by 0 ms or more, or set the clock.')
      set(now() + ms)
    },
  }
}
