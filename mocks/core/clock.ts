/** Mock time. Real time until it is set, frozen or advanced; everything in the mock reads it from here. */
import type { ClockState } from './state.ts'

/** A clock in milliseconds since the epoch. */
export interface Clock {
  /** The present moment, ms since the epoch. */
  now(): number
  readonly frozen: boolean
  /** Whether it goes as another clock does: nothing was said to this one since the beginning. */
  readonly following: boolean
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
  /** How it stands; null: it follows. */
  dump(): ClockState | null
  restore(state: ClockState | null): void
}

/** The last moment that a date can hold, ms since the epoch. */
const lastMoment = 8.64e15

function check(at: number): void {
  if (Math.abs(at) <= lastMoment) return
  throw new RangeError('A clock takes ms since the epoch, as far as a Date reaches.')
}

/**
 * Creates a clock that runs, from `start` (ms since the epoch) or from the real time; or one that goes as
 * another does, until it is told otherwise: from then on it is its own, and what happens to the other does not
 * move it.
 */
export function createClock(start?: number, followed?: Clock): Clock {
  /** Ahead of real time, ms. */
  let offset = 0
  let stopped: number | undefined
  let leader: Clock | undefined
  const now = () => leader?.now() ?? stopped ?? Date.now() + offset
  const stand = (at: number, frozen: boolean) => {
    leader = undefined
    stopped = frozen ? at : undefined
    offset = at - Date.now()
  }
  const isFrozen = () => leader?.frozen ?? stopped !== undefined
  const set = (at: number) => {
    check(at)
    stand(at, isFrozen())
  }
  const reset = () => {
    leader = followed
    stopped = undefined
    offset = start === undefined ? 0 : start - Date.now()
  }
  reset()
  return {
    now,
    set,
    reset,
    get frozen() {
      return isFrozen()
    },
    get following() {
      return leader !== undefined
    },
    freeze(at = now()) {
      check(at)
      stand(at, true)
    },
    run() {
      if (leader || stopped !== undefined) stand(now(), false)
    },
    advance(ms) {
      if (ms < 0) throw new RangeError('Time only moves forward: advance by 0 ms or more, or set the clock.')
      set(now() + ms)
    },
    dump: () => (leader ? null : { now: now(), frozen: isFrozen() }),
    restore(state) {
      if (state) stand(state.now, state.frozen)
      else reset()
    },
  }
}
