/** The log of requests as a signal: it changes at most once a frame. */
import { signal } from '@preact/signals-core'
import type { Row } from '../model/answers.ts'
import { RequestLog } from '../model/request-log.ts'
import { nextFrame } from './changes.ts'

/** The log. Read `version` to be told of changes. */
export const log = new RequestLog()
/** Grows with each change of the log. */
export const version = signal(0)
/** Requests that were too many for the stream and are not loaded yet; the mock has them. */
export const skipped = signal(0)
/** Requests that the page never gets: the journal of the mock had dropped them. */
export const dropped = signal(0)
/** Number of the newest request before the first that was skipped. */
let skippedAfter = Number.POSITIVE_INFINITY
/** Requests a second, over the last two seconds. */
export const rate = signal(0)
/** How many requests the mock has counted. */
export const total = signal(0)

/** The number of the newest request when the rate was last taken; at first that of the first count. */
let before = Number.POSITIVE_INFINITY

/** Takes the number of the newest request of the mock. */
export function countAll(newest: number): void {
  before = Math.min(before, newest)
  total.value = newest
}

const changed = () => {
  version.value++
}

/** Adds rows; the page shows them with the next frame. */
export function addRows(rows: readonly Row[]): void {
  for (const row of rows) log.add(row)
  nextFrame(changed)
}

/** Notes requests of which no row came: they were too many, or the mock no longer has them. */
export function countRowless(kind: typeof skipped, count: number): void {
  if (kind === skipped) skippedAfter = Math.min(skippedAfter, log.newest)
  kind.value += count
  nextFrame(changed)
}

/** Forgets that requests were skipped, because they are loaded; returns after which number. */
export function takeSkipped(): number {
  const after = skippedAfter
  skippedAfter = Number.POSITIVE_INFINITY
  skipped.value = 0
  return after
}

/** Adds older rows. */
export function merge(rows: readonly Row[]): void {
  log.merge(rows)
  nextFrame(changed)
}

/** Forgets all rows, as after a reset of the journal. */
export function clearRows(): void {
  log.clear()
  takeSkipped()
  dropped.value = 0
  nextFrame(changed)
}

setInterval(() => {
  const now = total.peek()
  rate.value = Math.max(0, Math.round((now - before) / 2))
  before = Math.max(before, now)
}, 2_000)
