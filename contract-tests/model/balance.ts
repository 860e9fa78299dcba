/** Bounds of a balance, from readings and the paid work since. */
import type { RequestEvent } from './event.ts'
import { hasEndedBefore, isMomentEarlier } from './matching.ts'
import type {
  BalanceReading,
  Charge,
  EffectInterval,
  KnownBalance,
  ModelState,
  OrderedMoment,
  PaidWorkCompletion,
} from './state.ts'

/** Minimum and maximum credits that an answer may show; infinite if unknown. */
interface BalanceBounds {
  readonly min: number
  /** Minimum if no refund has arrived. */
  readonly minWithoutRefunds: number
  readonly max: number
  /** Credits used beyond the available ones. */
  readonly overspent: number
  /** The ids of the events that each bound rests on; empty if none. Computed on demand, since few answers need them. */
  minEvidence(): readonly number[]
  maxEvidence(): readonly number[]
}

type Times = Pick<ModelState, 'consistency' | 'runTimeout' | 'finalStatuses'>

/** Rounds to millionths, since balances may have fractions. */
const rounded = (credits: number) => Math.round(credits * 1e6) / 1e6

/** Maximum number of charges that an objection cites. */
const maxCitedCharges = 8
/** Maximum number of remembered readings. */
const maxReadings = 60

/** Cache of bounds, since several rules ask for the same. */
const boundsCache = new WeakMap<
  KnownBalance,
  { readonly event: RequestEvent; readonly key: string; readonly bounds: BalanceBounds }
>()

/**
 * The least and the most credits that a balance in an answer may show, inferred from all earlier balances and requests.
 */
export function balanceBoundsAt(balance: KnownBalance, event: RequestEvent, given: Times): BalanceBounds {
  const { consistency, runTimeout, finalStatuses } = given
  const key = `${consistency} ${runTimeout} ${finalStatuses.failed.size} ${finalStatuses.ordinary.size}`
  const known = boundsCache.get(balance)
  if (known?.event === event && known.key === key) return known.bounds
  const bounds = computeBounds(balance, event, given)
  boundsCache.set(balance, { event, key, bounds })
  return bounds
}

function computeBounds(
  { readings, charges }: KnownBalance,
  event: RequestEvent,
  given: Times,
): BalanceBounds {
  const { id, sent, answer, tenant } = event
  const times = { ...ownOf(given, tenant), consistency: given.consistency, runTimeout: given.runTimeout }
  const at = { eventId: id, from: sent, to: answer?.received ?? null }
  const others = charges.some(({ eventId }) => eventId === id)
    ? charges.filter(({ eventId }) => eventId !== id)
    : charges
  const after = others.map((one) => creditTakenAt(one, at, times))
  let [min, minWithoutRefunds, most] = [-Infinity, -Infinity, Infinity]
  let [lowest, highest]: [BalanceReading | undefined, BalanceReading | undefined] = [undefined, undefined]
  for (const base of readings) {
    if (!hasEndedBefore(base, { from: sent }, times.consistency)) continue
    const moved = creditTakenSince(base, others, after, times)
    const low = Math.max(0, rounded(base.credits - moved.most))
    const high = rounded(base.credits - moved.least)
    if (low >= min)
      [min, minWithoutRefunds, lowest] = [low, Math.max(0, rounded(base.credits - moved.unrefunded)), base]
    if (high <= most) [most, highest] = [high, base]
  }
  const cited = (base: BalanceReading | undefined) => (base ? citedBy(base, others, after, times) : [])
  return {
    min,
    minWithoutRefunds,
    max: Math.max(0, most),
    overspent: Math.max(0, -most),
    minEvidence: () => cited(lowest),
    maxEvidence: () => cited(highest),
  }
}

/** Ids of the events behind a bound: a reading, and the charges that may have changed it since. */
function citedBy(
  base: BalanceReading,
  paid: readonly Charge[],
  after: readonly CreditTaken[],
  times: Times,
): number[] {
  const moving = paid.filter((one, i) => {
    const moved = creditTakenSince(base, [one], after.slice(i, i + 1), times)
    return moved.least !== 0 || moved.most !== 0 || hasEndedBefore(base, one)
  })
  return [
    base.eventId,
    ...moving
      .slice(-maxCitedCharges)
      .flatMap(({ eventId, completion }) => (completion ? [eventId, completion.eventId] : [eventId])),
  ]
}

/** Minimum and maximum share of a charge at a reading. `same`: unchanged at all later readings. */
interface CreditTaken {
  readonly least: number
  readonly most: number
  /** Maximum if no refund has arrived. */
  readonly unrefunded: number
  readonly same: boolean
}

/** Share of a charge by the state of its work. */
const creditTaken = {
  notYet: { least: 0, most: 0, unrefunded: 0, same: false },
  perhaps: { least: 0, most: 1, unrefunded: 1, same: false },
  kept: { least: 1, most: 1, unrefunded: 1, same: true },
  refused: { least: 0, most: 0, unrefunded: 0, same: true },
  failed: { least: 0, most: 0, unrefunded: 1, same: true },
  unknown: { least: 0, most: 1, unrefunded: 1, same: true },
} as const satisfies Readonly<Record<string, CreditTaken>>

function creditTakenAt(
  one: Charge,
  at: EffectInterval,
  { consistency, runTimeout, finalStatuses }: Times,
): CreditTaken {
  if (at.to !== null && one.from.seq > at.to.seq) return creditTaken.notYet
  if (one.completion === null) return creditTaken.perhaps
  const end = one.completion.completedAt
  if (!isMomentEarlier(end, at.from, consistency)) return creditTaken.perhaps
  const ending = outcomeOf(one, finalStatuses)
  if (ending === 'kept' || ending === 'refused') return creditTaken[ending]
  return isMomentEarlier(end, at.from, consistency + runTimeout)
    ? creditTaken[ending ?? 'unknown']
    : creditTaken.perhaps
}

/** Credits that paid work can have taken since a reading; negative if returned. */
function creditTakenSince(
  base: BalanceReading,
  paid: readonly Charge[],
  after: readonly CreditTaken[],
  times: Times,
) {
  const moved = { least: 0, most: 0, unrefunded: 0 }
  for (let i = 0; i < paid.length; i++) {
    const [one, then] = [paid[i], after[i]]
    const before = one && creditTakenAt(one, base, times)
    if (!before || !then || before.same) continue
    moved.least += then.least - before.most
    // Completed work is charged no more.
    if (one.completion !== null && isMomentEarlier(one.completion.completedAt, base.from, times.consistency))
      continue
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

/** Outcome of paid work, if known. The status of failed runs is learned from arranged failures. */
function outcomeOf(
  { completion }: Charge,
  { failed, ordinary }: ModelState['finalStatuses'],
): PaidWorkCompletion['outcome'] {
  if (completion?.outcome !== undefined || completion?.status === undefined) return completion?.outcome
  if (failed.size === 0) return undefined
  if (!failed.has(completion.status)) return 'kept'
  return ordinary.size > 0 && !ordinary.has(completion.status) ? 'failed' : undefined
}

/**
 * What the model knows of a balance after an answer showed its value; earlier values that contradict it are dropped.
 */
export function balanceAfterReading(
  balance: KnownBalance,
  event: RequestEvent,
  interval: EffectInterval & { readonly to: OrderedMoment },
  credits: number,
  times: Times,
): KnownBalance {
  const { charges, lastSet } = balance
  if (lastSet && !hasEndedBefore(lastSet, interval, times.consistency)) return balance
  const { min, max } = balanceBoundsAt(balance, event, times)
  const fits = credits >= min && credits <= max
  const kept = fits ? readingsWorthKeeping(balance, interval, credits).slice(1 - maxReadings) : []
  const oldest = kept[0] ?? interval
  const isForgotten = ({ completion }: Charge) =>
    completion && isMomentEarlier(completion.completedAt, oldest.from, times.consistency + times.runTimeout)
  return {
    ...balance,
    readings: [...kept, { ...interval, credits }],
    charges: charges.filter((one) => !isForgotten(one)),
  }
}

/** Drops the last reading if it and its neighbours are equal and nothing happened between. */
function readingsWorthKeeping(
  { readings, charges }: KnownBalance,
  { to }: { readonly to: OrderedMoment },
  credits: number,
): readonly BalanceReading[] {
  const [before, last] = readings.slice(-2)
  const isSame = last?.credits === credits && before?.credits === credits
  const isSince = (at: OrderedMoment | null | undefined) =>
    at != null && before !== undefined && at.seq > before.from.seq && at.seq < to.seq
  const isQuiet = !charges.some(
    (one) => isSince(one.from) || isSince(one.to) || isSince(one.completion?.completedAt),
  )
  return isSame && isQuiet ? readings.slice(0, -1) : readings
}

/**
 * What the model knows of a balance after a provider state set it; `credits` is undefined if the new value is unknown.
 */
export function balanceAfterSet(
  balance: KnownBalance,
  interval: EffectInterval & { readonly to: OrderedMoment },
  credits: number | undefined,
): KnownBalance {
  return { ...balance, readings: credits === undefined ? [] : [{ ...interval, credits }], lastSet: interval }
}
