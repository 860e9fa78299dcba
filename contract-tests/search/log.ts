/** The steps that were done, in order, and what each depends on: what it refers to, and states, runs and waits before it. */

import { callsOf, changes, isOf, isPaid, makerOf, refersTo, type Step, tenantsOf } from './step.ts'

export interface Entry {
  readonly step: Step
  /** When it began, ms on the clock of the target. */
  readonly ms: number
  /** The case it belongs to. */
  readonly case: number
}

export class Log {
  readonly entries: Entry[] = []
  readonly #places = new Map<number, number>()

  add(entry: Entry): void {
    for (const { at } of [entry.step, ...callsOf(entry.step)]) this.#places.set(at, this.entries.length)
    this.entries.push(entry)
  }

  /** The same with each request of a burst as a step of its own. */
  apart(): Log {
    const log = new Log()
    for (const { step, ...rest } of this.entries)
      for (const one of step.kind === 'burst' ? step.calls : [step]) log.add({ step: one, ...rest })
    return log
  }

  /** The place of a step in the log; undefined: it is not there. */
  placeOf(at: number | undefined): number | undefined {
    return this.#places.get(at ?? Number.NaN)
  }

  /** A step by its number, or by that of one of its requests; undefined: it is not there. */
  stepAt(at: number | undefined): Step | undefined {
    return this.entries[this.placeOf(at) ?? -1]?.step
  }
}

export const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

/** The places of steps with those of everything that they refer to or depend on. */
export function closed(log: Log, places: Set<number>): Set<number> {
  for (const place of places) {
    const step = log.entries[place]?.step
    if (!step) continue
    for (const at of refersTo(step)) add(places, log.placeOf(at))
    if (isPaid(step)) for (const state of statesBefore(log, place)) places.add(state)
    if (step.kind === 'end') add(places, runBefore(log, place, step))
  }
  add(places, waitBefore(log, Math.max(...places)))
  return places
}

/** The wait before the last step, with nothing but readings between. */
function waitBefore(log: Log, last: number): number | undefined {
  for (let at = last - 1; at >= 0; at--) {
    const step = log.entries[at]?.step as Step
    if (step.kind === 'wait') return at
    if (changes(step)) return undefined
  }
  return undefined
}

function add(places: Set<number>, place: number | undefined): void {
  if (place !== undefined) places.add(place)
}

/** The states that were set up for a paid step: since the paid step before, and the last balance. */
function statesBefore(log: Log, place: number): number[] {
  const [tenant] = tenantsOf(log.entries[place]?.step as Step)
  const found: number[] = []
  let sawPaid = false
  for (let at = place - 1; at >= 0; at--) {
    const step = log.entries[at]?.step
    if (!step || !isOf(tenant)(step)) continue
    if (isPaid(step)) sawPaid = true
    if (step.kind !== 'state' || step.state === 'unread_notification') continue
    if (step.state === 'credits') return [...found, at]
    if (!sawPaid) found.push(at)
  }
  return found
}

/** The request for the run whose end a step awaits. */
function runBefore(log: Log, place: number, end: Step): number | undefined {
  const [thing] = refersTo(end)
  return range(0, place - 1).findLast((at) =>
    callsOf(log.entries[at]?.step as Step).some(
      ({ operation, of }) => operation === 'runTask' && thing !== undefined && makerOf(of) === thing,
    ),
  )
}
