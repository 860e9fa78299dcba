/** The balance between two bounds: what it was when it was read, and what paid work has taken or given back since. */
import type { RequestEvent } from './event.ts'
import { isBefore, isPast } from './matching.ts'
import type { Balance, Base, Interval, Moment, Over, Paid, State } from './state.ts'

/** Fewest and most credits that an answer may show; infinite where nothing is known. */
interface Bounds {
  readonly least: number
  /** The same if no refund came. */
  readonly unrefunded: number
  readonly most: number
  /** Credits that paid work has used more than there were. */
  readonly overspent: number
  /** The events that each bound rests on; empty: none. */
  readonly leastBy: readonly number[]
  readonly mostBy: readonly number[]
}

type Times = Pick<State, 'consistency' | 'runTimeout' | 'finalStatuses'>

/** Balances are compared in millionths, since they may have fractions. */
const rounded = (credits: number) => Math.round(credits * 1e6) / 1e6

/** Most paid work that an objection cites. */
const mostCited = 8
/** Most readings that are remembered. */
const mostBases = 60

/** The bounds that were found last for a balance: several rules and learning ask for the same. */
const found = new WeakMap<
  Balance,
  { readonly event: RequestEvent; readonly key: string; readonly bounds: Bounds }
>()

/** The bounds of what an answer may show, from every reading that it cannot be older than. */
export function boundsAt(balance: Balance, event: RequestEvent, given: Times): Bounds {
  const { consistency, runTimeout, finalStatuses } = given
  const key = `${consistency} ${runTimeout} ${finalStatuses.failed.size} ${finalStatuses.ordinary.size}`
  const known = found.get(balance)
  if (known?.event === event && known.key === key) return known.bounds
  const bounds = newBounds(balance, event, given)
  found.set(balance, { event, key, bounds })
  return bounds
}

function newBounds({ bases, paid }: Balance, event: RequestEvent, given: Times): Bounds {
  const { id, sent, answer, tenant } = event
  const times = { ...ownOf(given, tenant), consistency: given.consistency, runTimeout: given.runTimeout }
  const at = { by: id, from: sent, to: answer?.received ?? null }
  const others = paid.filter(({ by }) => by !== id)
  const after = others.map((one) => takenAt(one, at, times))
  let [least, unrefunded, most] = [-Infinity, -Infinity, Infinity]
  let [lowest, highest]: [Base | undefined, Base | undefined] = [undefined, undefined]
  for (const base of bases) {
    if (!isBefore(base, { from: sent }, times.consistency)) continue
    const moved = changeSince(base, others, after, times)
    const low = Math.max(0, rounded(base.credits - moved.most))
    const high = rounded(base.credits - moved.least)
    if (low >= least)
      [least, unrefunded, lowest] = [low, Math.max(0, rounded(base.credits - moved.unrefunded)), base]
    if (high <= most) [most, highest] = [high, base]
  }
  const cited = (base: Base | undefined) => (base ? citedBy(base, others, after, times) : [])
  const overspent = Math.max(0, -most)
  return {
    least,
    unrefunded,
    most: Math.max(0, most),
    overspent,
    leastBy: cited(lowest),
    mostBy: cited(highest),
  }
}

/** The events that a bound rests on: a reading, and the paid work that may have changed it since. */
function citedBy(base: Base, paid: readonly Paid[], after: readonly Taken[], times: Times): number[] {
  const moving = paid.filter((one, i) => {
    const moved = changeSince(base, [one], after.slice(i, i + 1), times)
    return moved.least !== 0 || moved.most !== 0 || isBefore(base, one)
  })
  return [base.by, ...moving.slice(-mostCited).flatMap(({ by, over }) => (over ? [by, over.by] : [by]))]
}

/** Fewest and most of the credit that is taken at a reading; `same`: as at every reading from then on. */
interface Taken {
  readonly least: number
  readonly most: number
  /** Most where no refund came. */
  readonly unrefunded: number
  readonly same: boolean
}

/** What can be taken of paid work at a reading, by what is known of it then. */
const taken = {
  notYet: { least: 0, most: 0, unrefunded: 0, same: false },
  perhaps: { least: 0, most: 1, unrefunded: 1, same: false },
  kept: { least: 1, most: 1, unrefunded: 1, same: true },
  refused: { least: 0, most: 0, unrefunded: 0, same: true },
  failed: { least: 0, most: 0, unrefunded: 1, same: true },
  unknown: { least: 0, most: 1, unrefunded: 1, same: true },
} as const satisfies Readonly<Record<string, Taken>>

function takenAt(one: Paid, at: Interval, { consistency, runTimeout, finalStatuses }: Times): Taken {
  if (at.to !== null && one.from.place > at.to.place) return taken.notYet
  if (one.over === null) return taken.perhaps
  const end = one.over.at
  if (!isPast(end, at.from, consistency)) return taken.perhaps
  const ending = endingOf(one, finalStatuses)
  if (ending === 'kept' || ending === 'refused') return taken[ending]
  return isPast(end, at.from, consistency + runTimeout) ? taken[ending ?? 'unknown'] : taken.perhaps
}

/** What paid work can have taken since a reading; negative: given back. `after`: what of each is taken by then. */
function changeSince(base: Base, paid: readonly Paid[], after: readonly Taken[], times: Times) {
  const moved = { least: 0, most: 0, unrefunded: 0 }
  for (let i = 0; i < paid.length; i++) {
    const [one, then] = [paid[i], after[i]]
    const before = one && takenAt(one, base, times)
    if (!before || !then || before.same) continue
    moved.least += then.least - before.most
    // What is over is not charged any more.
    if (one.over !== null && isPast(one.over.at, base.from, times.consistency)) continue
    moved.most += then.most - before.least
    moved.unrefunded += then.unrefunded - before.least
  }
  return moved
}

/** The final statuses of an organization's own runs. */
function ownOf({ finalStatuses }: Times, tenant: string | null): Pick<Times, 'finalStatuses'> {
  if (finalStatuses.failed.size === 0) return { finalStatuses }
  const own = (all: ReadonlySet<string>) =>
    new Set([...all].flatMap((one) => (one.startsWith(`${tenant} `) ? one.slice(`${tenant} `.length) : [])))
  return { finalStatuses: { failed: own(finalStatuses.failed), ordinary: own(finalStatuses.ordinary) } }
}

/** How paid work ended, as far as it is known: the status of failed runs is learned from those that were arranged. */
function endingOf({ over }: Paid, { failed, ordinary }: State['finalStatuses']): Over['ending'] {
  if (over?.ending !== undefined || over?.status === undefined) return over?.ending
  if (failed.size === 0) return undefined
  if (!failed.has(over.status)) return 'kept'
  return ordinary.size > 0 && !ordinary.has(over.status) ? 'failed' : undefined
}

/** The balance after it was read. A reading that contradicts what is known replaces it. */
export function read(
  balance: Balance,
  event: RequestEvent,
  interval: Interval & { readonly to: Moment },
  credits: number,
  times: Times,
): Balance {
  const { paid, set } = balance
  if (set && !isBefore(set, interval, times.consistency)) return balance
  const { least, most } = boundsAt(balance, event, times)
  const fits = credits >= least && credits <= most
  const kept = fits ? telling(balance, interval, credits).slice(1 - mostBases) : []
  const oldest = kept[0] ?? interval
  const isForgotten = ({ over }: Paid) =>
    over && isPast(over.at, oldest.from, times.consistency + times.runTimeout)
  return {
    ...balance,
    bases: [...kept, { ...interval, credits }],
    paid: paid.filter((one) => !isForgotten(one)),
  }
}

/** The readings without the last one, if it and the one before show the same as a new one, and nothing happened since. */
function telling(
  { bases, paid }: Balance,
  { to }: { readonly to: Moment },
  credits: number,
): readonly Base[] {
  const [before, last] = bases.slice(-2)
  const isSame = last?.credits === credits && before?.credits === credits
  const isSince = (at: Moment | null | undefined) =>
    at != null && before !== undefined && at.place > before.from.place && at.place < to.place
  const isQuiet = !paid.some((one) => isSince(one.from) || isSince(one.to) || isSince(one.over?.at))
  return isSame && isQuiet ? bases.slice(0, -1) : bases
}

/** The balance after a state has set it; undefined: to an unknown value. */
export function setTo(
  balance: Balance,
  interval: Interval & { readonly to: Moment },
  credits: number | undefined,
): Balance {
  return { ...balance, bases: credits === undefined ? [] : [{ ...interval, credits }], set: interval }
}
