/** The steps that were done, in order, and which of them brought about an event. */
import type { Step } from './step.ts'
import { callsOf } from './step.ts'

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
  placeOf(at: number): number | undefined {
    return this.#places.get(at)
  }
}
