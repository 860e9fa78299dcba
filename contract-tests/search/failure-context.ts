/** Where a contradiction comes from, and its steps as they can be done again: with their pauses and their balance. */
import type { ModelViolation } from '../model/index.ts'
import { isPaid, type Log } from './closure.ts'
import { comparesBalances, pauseBetween, readsBalance, untilSettled } from './pauses.ts'
import type { Gaps } from './stage.ts'
import { type CallStep, callsOf, type Ref, type StateStep, type Step } from './step.ts'
import { goingAfter } from './trim.ts'

/** The steps of a contradiction: the log, the steps of its events, and the numbers of new steps. */
export interface FailureContext {
  readonly log: Log
  readonly stepOf: (event: number) => number | undefined
  readonly violation: ModelViolation
  /** The balance that the answer to a request showed. */
  readonly creditsIn: (event: number) => number | undefined
  readonly next: () => number
  /** Pauses between steps that are kept, ms: shorter ones are not, longer ones are cut. */
  readonly gaps: Gaps
}

/** Whether a contradiction cites several requests of one burst, whose order may be another the next time. */
export function isRace({ violation, stepOf }: FailureContext, steps: readonly Step[]): boolean {
  const cited = new Set(violation.because.flatMap((event) => stepOf(event) ?? []))
  return steps.some(
    (step) => step.kind === 'burst' && callsOf(step).filter(({ at }) => cited.has(at)).length > 1,
  )
}

/** A balance that an answer to something else showed is read by itself. */
export function readAlone(steps: Step[], { rule }: ModelViolation): Step[] {
  const last = steps.at(-1)
  if (!readsBalance(rule) || last?.kind !== 'call') return steps
  const read: CallStep = { kind: 'call', at: last.at, tenant: last.tenant, as: 'key', operation: 'whoami' }
  return [...steps.slice(0, -1), read]
}

/** The steps at places, with the pauses between those from the first that is cited. */
export function stepsOf(context: FailureContext, places: readonly number[], first: number): Step[] {
  const { log, next, gaps, violation } = context
  const base = baseOf(context)
  const endOf = (of: Ref): Step => ({ kind: 'end', at: next(), tenant: base?.tenant ?? 'main', of })
  const awaitsRefunds = comparesBalances(violation.rule)
  return places.flatMap((place, i): Step[] => {
    const entry = log.entries[place]
    const before = log.entries[places[i - 1] ?? -1]
    if (!entry) return []
    const isLast = i === places.length - 1
    if (place === first && base) {
      const done = places.slice(0, i).flatMap((one) => log.entries[one]?.step ?? [])
      const rest = pauseBetween(before, entry, gaps)
      const wait: Step[] = rest > 0 ? [{ kind: 'wait', at: next(), ms: Math.ceil(rest) }] : []
      return [...goingAfter(done, base.tenant).map((of) => endOf(of)), ...wait, base, entry.step]
    }
    const ms = isLast ? untilSettled(log, places, awaitsRefunds, gaps) : pauseBetween(before, entry, gaps)
    return place > first && ms > 0
      ? [{ kind: 'wait', at: next(), ms: Math.ceil(ms) }, entry.step]
      : [entry.step]
  })
}

/** The state that sets the balance to what it was before the first step that is cited: a reading, or paid work that it shows. */
function baseOf({ log, next, stepOf, creditsIn, violation }: FailureContext): StateStep | undefined {
  const [event = 0, ...others] = violation.because
  const placeOf = (one: number) => log.placeOf(stepOf(one) ?? -1) ?? -1
  const place = placeOf(event)
  const step = log.entries[place]?.step
  const credits = creditsIn(event)
  if (!comparesBalances(violation.rule) || step?.kind !== 'call' || credits === undefined) return undefined
  const earlier = new Set(others.map(placeOf).filter((one) => one >= 0 && one < place))
  const taken = [...earlier].filter((one) => isPaid(log.entries[one]?.step as Step)).length
  const { tenant } = step
  return { kind: 'state', at: next(), tenant, state: 'credits', params: { credits: credits + taken } }
}
