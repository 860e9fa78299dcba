/** Mock time: real time until it is set, frozen or advanced. All of the mock reads time from here. */

/** The earliest moment that an HTTP date can express (RFC 9110 §5.6.7), the year 0, ms since the epoch. */
export const minHttpDateMs = -62_167_219_200_000
/** The latest moment that an HTTP date can express, the end of the year 9999, ms since the epoch. */
export const maxHttpDateMs = 253_402_300_799_999

const within = (at: number) => at >= minHttpDateMs && at <= maxHttpDateMs

function check(at: number): void {
  if (within(at)) return
  throw new RangeError('A clock takes a moment of the years 0 to 9999.')
}

/** The state of a clock that follows no other clock, as a snapshot holds it. */
export interface ClockState {
  /** Ms since the epoch. */
  readonly now: number
  readonly frozen: boolean
}

/**
 * Creates a clock in ms since the epoch: one that starts at `start` (default: real time), or one that follows another
 * clock until it is changed itself.
 */
export function createClock(start?: number, followed?: { now(): number; readonly frozen: boolean }) {
  /** Offset from real time, ms. */
  let offset = 0
  let stopped: number | undefined
  let leader: typeof followed
  const place = (at: number, frozen: boolean) => {
    leader = undefined
    stopped = frozen ? at : undefined
    offset = at - Date.now()
  }
  const clock = {
    /** Returns the current mock time, ms since the epoch. It ends with the year 9999. */
    now: (): number => leader?.now() ?? stopped ?? Math.min(Date.now() + offset, maxHttpDateMs),
    /** True if time stands still. */
    get frozen(): boolean {
      return leader?.frozen ?? stopped !== undefined
    },
    /** True if the clock follows another one because it has not been changed itself. */
    get following(): boolean {
      return leader !== undefined
    },
    /** Freezes time now or at a moment (ms since the epoch). @throws RangeError for one beyond the years 0 to 9999. */
    freeze(at: number = clock.now()): void {
      check(at)
      place(at, true)
    },
    /** Lets time run from the current moment. */
    run(): void {
      if (leader || stopped !== undefined) place(clock.now(), false)
    },
    /** Advances time by a number of ms; a frozen clock stays frozen. @throws RangeError for a negative number. */
    advance(ms: number): void {
      if (ms < 0) throw new RangeError('A clock advances by 0 ms or more; to go back in time, set it.')
      clock.set(clock.now() + ms)
    },
    /** Sets time to a moment (ms since the epoch); a frozen clock stays frozen. @throws RangeError as `freeze` does. */
    set(at: number): void {
      check(at)
      place(at, clock.frozen)
    },
    /** Restores the initial state of the clock. */
    reset(): void {
      leader = followed
      stopped = undefined
      offset = start === undefined ? 0 : start - Date.now()
    },
    /** Returns the state for a snapshot; null: it follows another clock. */
    dump: (): ClockState | null => (leader ? null : { now: clock.now(), frozen: clock.frozen }),
    /** Restores a saved state. */
    restore(state: ClockState | null): void {
      if (state) place(state.now, state.frozen)
      else clock.reset()
    },
  }
  clock.reset()
  return clock
}

/** A clock that can be frozen, advanced and set; its times are ms since the epoch. */
export type Clock = ReturnType<typeof createClock>

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A duration: `2s`, `150ms`, `1m`, `1h`, `1d`, or a number of ms. */
export type Duration = DurationText | number
/** A duration as text with its unit, such as `2s`. */
export type DurationText = `${number}${keyof typeof units}`

/** Advice for error messages: how to write a duration. */
export const durationFormatAdvice = 'takes a duration such as 2s or 150ms'

/**
 * The longest duration that an option accepts, ms. It keeps the end of whatever is delayed within the dates that a
 * clock can show.
 */
export const maxOptionDurationMs = 365 * 86_400_000

/** The longest duration, ms, to which longer ones are cut: about 30,000 years, which no clock reaches. */
const longest = 1e15

/** Converts a duration such as `2s` to ms; undefined if the value is invalid. */
export function durationMsOf(value: string | number): number | undefined {
  const ms = typeof value === 'number' ? value : ofText(value)
  return ms >= 0 ? Math.min(ms, longest) : undefined
}

/** Converts a duration such as `2s` to ms; undefined if the value is invalid, or longer than `most`, ms. */
export function boundedDurationMsOf(value: string | number, most: number): number | undefined {
  const ms = durationMsOf(value)
  return ms !== undefined && ms <= most ? ms : undefined
}

function ofText(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?(?:e-\d{1,3})?)(ms|s|m|h|d)$/.exec(text) ?? []
  return amount === undefined ? Number.NaN : Number(amount) * units[unit as keyof typeof units]
}

/** A moment: ISO 8601, a Date, or ms since the epoch. */
export type MomentInput = string | number | Date

/** Advice for error messages: how to write a moment. */
export const momentFormatAdvice = 'takes an ISO 8601 date such as 2026-03-01T09:00:00Z'

const iso = /^(\d{4}-\d{2}-\d{2})(?:(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/

/** Converts a moment to ms since the epoch; undefined if the value is invalid or beyond the years 0 to 9999. */
export function epochMsOf(value: MomentInput): number | undefined {
  const isMoment = typeof value === 'number' || value instanceof Date
  const at = typeof value === 'string' ? read(value) : isMoment ? Math.trunc(Number(value)) : Number.NaN
  return within(at) ? at : undefined
}

/** Moments that were formatted before: most of those in lists are. */
const formatted = new Map<number, string>()
/** Moments to keep, so that a mock that runs for weeks does not grow. */
const mostFormatted = 10_000

/** Converts a moment, ms since the epoch, to ISO 8601; null if there is none. */
export function isoTimeOf(at: number): string
export function isoTimeOf(at: number | null | undefined): string | null
export function isoTimeOf(at: number | null | undefined): string | null {
  if (at === null || at === undefined || !Number.isFinite(at)) return null
  const known = formatted.get(at)
  if (known !== undefined) return known
  if (formatted.size >= mostFormatted) formatted.clear()
  const text = new Date(at).toISOString()
  formatted.set(at, text)
  return text
}

/**
 * Parses a moment into ms since the epoch; without a zone it is UTC on every machine. NaN also for a day that its month
 * has not.
 */
function read(text: string): number {
  const [, date = '', time, zone = 'Z'] = iso.exec(text) ?? []
  if (isoTimeOf(Date.parse(date))?.slice(0, 10) !== date) return Number.NaN
  return time === undefined ? Date.parse(date) : Date.parse(date + time + zone)
}
