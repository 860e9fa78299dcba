/** The balance as two bounds: what it was when it was read, less what may have been taken, plus what may be refunded. */
import type { RequestEvent } from './event.ts'
import { isBefore } from './matching.ts'
import type { Balance, Base, Paid, Span } from './state.ts'

/** Fewest and most credits that an answer may show; infinite where nothing is known. `by`: the reading it rests on. */
export interface Bounds {
  readonly least: number
  readonly most: number
  readonly by: readonly number[]
}

const unbounded: Bounds = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY, by: [] }

/** Balances are compared in millionths, since they may have fractions. */
const rounded = (credits: number) => Math.round(credits * 1e6) / 1e6

/** The bounds of what an answer may show, from the last reading that it cannot be older than. */
export function boundsAt({ bases, paid }: Balance, { sent, answer }: RequestEvent, lag: number): Bounds {
  const base = bases.findLast((one) => isBefore(one, { from: sent }, lag))
  if (!base) return unbounded
  const taken = paid.filter(
    (one) =>
      (one.to === null ||
        (one.waits && (one.over === null || one.over.place > base.from.place)) ||
        one.to.place > base.from.place ||
        one.to.ms + lag >= base.from.ms) &&
      (answer === null || one.from.place < answer.received.place),
  )
  return {
    least: Math.max(0, rounded(base.credits - taken.length)),
    most: base.most,
    by: [base.by, ...taken.slice(-3).map(({ by }) => by)],
  }
}

/** The balance after it was read. A reading that contradicts what is known replaces it. */
export function read(
  balance: Balance,
  span: Span & Pick<Base, 'to'>,
  credits: number,
  patience: number,
  lag: number,
): Balance {
  const { bases, paid, set } = balance
  if (set && !isBefore(set, span, lag)) return balance
  const open = paid.filter((one) => one.from.place < span.to.place && isOpen(one, span, patience))
  const last = bases.at(-1)
  const cap = rounded(credits + open.length)
  const fits = last !== undefined && credits <= last.most
  const base: Base = { ...span, credits, most: fits ? Math.min(last.most, cap) : cap }
  const outdated = bases.findLastIndex((one) => isBefore(one, span, lag))
  return { ...balance, bases: [...(fits ? bases.slice(Math.max(0, outdated)) : []), base] }
}

/** Whether a refund may still follow. */
const isOpen = ({ over, refundable }: Paid, { from }: Span, patience: number) =>
  refundable && (over === null || over.ms + patience >= from.ms)

/** The balance after a state has set it; undefined: to an unknown value. */
export function setTo(balance: Balance, span: Span & Pick<Base, 'to'>, credits: number | undefined): Balance {
  const refunds = balance.paid.filter(({ refundable }) => refundable).length
  const bases = credits === undefined ? [] : [{ ...span, credits, most: credits + refunds }]
  return { ...balance, bases, set: span }
}
