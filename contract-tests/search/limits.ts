/** How many requests and how much time shrinking may take. */
import type { Stage } from './stage.ts'

/** Most requests, ms, and waits for a list and a refund: to try few steps, to try many, and to make many fewer. */
export const most = {
  few: { requests: 180, ms: 9_000, waits: 2 },
  many: { requests: 500, ms: 7_000, waits: 4 },
  /** `small`: requests of what is short already, and how often they may be sent; what is `long` is sliced first. */
  ddmin: { small: { requests: 14, times: 2 }, times: 8, long: 24, ms: 10_000, waits: 2 },
  confirm: 3,
  /** Requests to show again what can be read again. */
  readable: 24,
} as const

/** Requests of a history that is tried twice where its order depends on chance. */
export const racing = 25
/** Requests of a history that is tried again to find out whether the service is late. */
export const short = 12
/** ms that a replay may wait longer so that what it shows counts at once. */
export const brief = 400
/** The share of what was shown last that a slice of it may have to be tried. */
export const worthwhile = 0.7

export interface Limits {
  readonly requests: number
  readonly ms: number
  readonly waits: number
}
/** What is left. */
export type Budget = () => Pick<Limits, 'requests' | 'ms'>

/** What is left of limits from now on. `isSettled`: replays wait as long as the service may be late. */
export function budgetOf(
  { t: { target, settings }, end }: Pick<Stage, 't' | 'end'>,
  { requests, ms, waits }: Limits,
  isSettled: boolean,
  sent: () => number,
): Budget {
  const wait = isSettled ? settings.consistency + settings.runTimeout : 0
  const [before, until] = [sent(), target.now() + ms + waits * wait]
  return () => ({ requests: requests - (sent() - before), ms: Math.min(until - target.now(), end.left) })
}
