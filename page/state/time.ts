/** Mock time as it passes between two answers of the mock. */
import { signal } from '@preact/signals'
import type { ClockView } from '../model/answers.ts'

/** How often shown times move, ms. */
const step = 250

/** Real time, ms; moves while the page is visible. */
const tick = signal(Date.now())
setInterval(() => {
  if (!document.hidden) tick.value = Date.now()
}, step)

/** When each view of a clock arrived, real ms. */
const arrived = new WeakMap<ClockView, number>()

/** Notes that a view of a clock just arrived. */
export function arrive(clock: ClockView): void {
  arrived.set(clock, Date.now())
}

/** Returns mock time now, ms since the epoch: a clock that runs has moved on since its view arrived. */
export function nowOf(clock: ClockView): number {
  const at = Date.parse(clock.now)
  const start = arrived.get(clock)
  return clock.frozen || start === undefined ? at : at + Math.max(0, tick.value - start)
}
