/** Mock time: real time until it is set, frozen or advanced. All of the mock reads time from here. */
import type { ClockState } from './state.ts'

/** A clock in milliseconds since the epoch. */
export interface Clock {
  /** Returns the current mock time, ms since the epoch. */
  now(): number
  /** Whether time stands still. */
  readonly frozen: boolean
  /** Whether the clock follows another one because it has not been changed itself. */
  readonly following: boolean
  /** Freezes time now or at a moment (ms since the epoch). @throws RangeError for a moment beyond the range of a Date. */
  freeze(at?: number): void
  /** Lets time run from the current moment. */
  run(): void
  /** Advances time by a number of ms; a frozen clock stays frozen. @throws RangeError for a negative number. */
  advance(ms: number): void
  /** Sets time to a moment (ms since the epoch); a frozen clock stays frozen. @throws RangeError as `freeze` does. */
  set(at: number): void
  /** Restores the initial state of the clock. */
  reset(): void
  /** Returns the state for a snapshot; null: it follows another clock. */
  dump(): ClockState | null
  /** Restores a saved state. */
  restore(state: ClockState | null): void
}

/** The latest moment that a Date can represent, ms since the epoch. */
const lastMoment = 8.64e15

function check(at: number): void {
  if (Math.abs(at) <= lastMoment) return
  throw new RangeError('A clock takes ms since the epoch, within the range of a Date.')
}

/**
 * Creates a running clock that starts at `start` (ms since the epoch; default: real time), or one that follows
 * another clock until it is changed itself. From then on the other clock no longer affects it.
 */
export function createClock(start?: number, followed?: Clock): Clock {
  /** Offset from real time, ms. */
  let offset = 0
  let stopped: number | undefined
  let leader: Clock | undefined
  const now = () => leader?.now() ?? stopped ?? Date.now() + offset
  const place = (at: number, frozen: boolean) => {
    leader = undefined
    stopped = frozen ? at : undefined
    offset = at - Date.now()
  }
  const isFrozen = () => leader?.frozen ?? stopped !== undefined
  const set = (at: number) => {
    check(at)
    place(at, isFrozen())
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
      place(at, true)
    },
    run() {
      if (leader || stopped !== undefined) place(now(), false)
    },
    advance(ms) {
      if (ms < 0) throw new RangeError('A clock advances by 0 ms or more; to go back in time, set it.')
      set(now() + ms)
    },
    dump: () => (leader ? null : { now: now(), frozen: isFrozen() }),
    restore(state) {
      if (state) place(state.now, state.frozen)
      else reset()
    },
  }
}
