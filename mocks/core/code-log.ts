/**
 * A log of small numbers that takes few bytes: what repeats itself is kept once, with a count. Clients repeat the same
 * requests, so that logs do too.
 */

/** Codes that were pushed after the bytes before a place: those bytes again, from `period` back on. */
interface Repetition {
  readonly at: number
  readonly period: number
  count: number
}

/** The longest period that is noticed. */
const longestPeriod = 64
/** What has to repeat itself before it is noticed, and how often that is checked, in bytes. */
const noticedAfter = 2 * longestPeriod
const checkedEvery = 16
/** Bytes that are reserved at first. */
const firstBytes = 64

/** Codes from 0 to 255, in the order in which they were pushed. */
export class CodeLog {
  /** Codes that no repetition stands for. */
  #bytes = new Uint8Array(0)
  #used = 0
  #length = 0
  readonly #repetitions: Repetition[] = []

  /** Number of codes. */
  get length(): number {
    return this.#length
  }

  /** Number of bytes that are reserved. */
  get size(): number {
    return this.#bytes.length
  }

  /** Adds a code. */
  push(code: number): void {
    this.#length++
    const last = this.#repetitions.at(-1)
    if (last?.at === this.#used && this.#bytes[placeIn(last, last.count)] === code) last.count++
    else this.#append(code, last?.at ?? 0)
  }

  /** Returns the codes, newest first. */
  *newestFirst(): Generator<number> {
    let end = this.#used
    for (const repetition of this.#repetitions.toReversed()) {
      for (; end > repetition.at; end--) yield this.#bytes[end - 1] as number
      for (let i = repetition.count - 1; i >= 0; i--) yield this.#bytes[placeIn(repetition, i)] as number
    }
    for (; end > 0; end--) yield this.#bytes[end - 1] as number
  }

  /** `from`: the place of the first byte that may be repeated. */
  #append(code: number, from: number): void {
    if (this.#used === this.#bytes.length) {
      const longer = new Uint8Array(Math.max(firstBytes, this.#used * 2))
      longer.set(this.#bytes)
      this.#bytes = longer
    }
    this.#bytes[this.#used++] = code
    if (this.#used % checkedEvery > 0 || this.#used - from < noticedAfter) return
    const period = periodOf(this.#bytes.subarray(this.#used - noticedAfter, this.#used))
    if (period > 0) this.#repetitions.push({ at: this.#used, period, count: 0 })
  }
}

const placeIn = ({ at, period }: Repetition, index: number) => at - period + (index % period)

/** Returns the shortest period of bytes; 0: they have none. */
function periodOf(bytes: Uint8Array): number {
  for (let period = 1; period <= longestPeriod; period++) {
    let place = bytes.length - 1
    while (place >= period && bytes[place] === bytes[place - period]) place--
    if (place < period) return period
  }
  return 0
}
