/** The log of requests as a signal: it changes at most once a frame. */
import { computed, signal } from '@preact/signals'
import type { Row } from '../model/answers.ts'
import { RequestLog } from '../model/request-log.ts'
import { nextFrame } from './frames.ts'

/** The log. Read `version` to be told of changes. */
export const log = new RequestLog()
/** Grows with each change of the log. */
export const version = signal(0)
/** Requests that were too many for the stream; the mock has them. */
export const skipped = signal(0)
/** Requests a second, over the last two seconds. */
export const rate = signal(0)
/** How many requests there were since the page was opened. */
export const total = computed(() => {
  version.value
  return log.total + skipped.value
})

const changed = () => {
  version.value++
}

/** Adds rows; the page shows them with the next frame. */
export function addRows(rows: readonly Row[]): void {
  for (const row of rows) log.add(row)
  nextFrame(changed)
}

/** Adds older rows. */
export function merge(rows: readonly Row[]): void {
  log.merge(rows)
  nextFrame(changed)
}

/** Forgets all rows, as after a reset of the journal. */
export function clearRows(): void {
  log.clear()
  skipped.value = 0
  nextFrame(changed)
}

let before = 0
setInterval(() => {
  const now = total.peek()
  rate.value = Math.max(0, Math.round((now - before) / 2))
  before = now
}, 2_000)
