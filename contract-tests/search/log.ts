/** The steps that were done, in order, and which of them brought about an event. */
import { type BurstStep, type CallStep, callsOf, type Step } from './step.ts'

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

  /** The same with each request of a burst as a step of its own; those that stay together are one burst still. */
  apart(isTogether: (call: CallStep) => boolean): Log {
    const log = new Log()
    for (const { step, ...rest } of this.entries)
      for (const one of step.kind === 'burst' ? partsOf(step, isTogether) : [step])
        log.add({ step: one, ...rest })
    return log
  }

  /** The place of a step in the log; undefined: it is not there. */
  placeOf(at: number): number | undefined {
    return this.#places.get(at)
  }
}

/** The requests of a burst, of which some stay together. */
function partsOf(burst: BurstStep, isTogether: (call: CallStep) => boolean): Step[] {
  const kept = burst.calls.filter(isTogether)
  if (kept.length < 2) return [...burst.calls]
  return [...burst.calls.filter((call) => !isTogether(call)), { ...burst, calls: kept }]
}
