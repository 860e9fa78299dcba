/** A target in mock time: when every check waits, time moves to the end of the shortest wait. */
import type { Target } from '../client/target.ts'

interface Sleeper {
  readonly until: number
  wake(): void
}

/** The clock that a target advances, in ms. */
interface Advancing {
  now(): number
  advance(ms: number): unknown
}

/** The real time, ms, for which mock time stands still while requests may wait for one that is sent in part. */
const mayWaitMs = 1_000

/**
 * A target with a virtual clock: while no request is under way, time jumps to the end of the shortest wait, so that
 * waits cost no real time.
 */
export function withVirtualClock(target: Omit<Target, 'sleep' | 'now'>, clock: Advancing): Target {
  let underWay = 0
  let inPart = 0
  let planned = false
  let timer: NodeJS.Timeout | undefined
  const sleepers: Sleeper[] = []
  const isHeld = () => underWay > 0 && inPart === 0
  const mayWait = () => inPart > 0 && underWay > inPart
  const settle = () => {
    if (isHeld() || sleepers.length === 0) return
    if (planned && (mayWait() || !timer)) return
    clearTimeout(timer)
    timer = mayWait() ? setTimeout(wakeFirst, mayWaitMs, true) : undefined
    planned = true
    // Twice, since what a response leads to may take more than one turn of the event loop.
    if (!timer) setImmediate(() => setImmediate(wakeFirst, false))
  }
  const wakeFirst = (hasWaited: boolean) => {
    planned = false
    timer = undefined
    if (isHeld()) return
    if (mayWait() && !hasWaited) return settle()
    const until = Math.min(...sleepers.map((one) => one.until))
    clock.advance(Math.max(0, until - clock.now()))
    const due = sleepers.filter((one) => one.until <= clock.now())
    sleepers.splice(0, sleepers.length, ...sleepers.filter((one) => !due.includes(one)))
    for (const one of due) one.wake()
    settle()
  }
  return {
    ...target,
    async transport(url, outgoing) {
      underWay++
      const { secondHalf } = outgoing
      if (secondHalf) {
        inPart++
        void secondHalf.finally(() => inPart--).catch(() => undefined)
        settle()
      }
      try {
        return await target.transport(url, outgoing)
      } finally {
        underWay--
        settle()
      }
    },
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers.push({ until: clock.now() + ms, wake })
        settle()
      }),
    now: () => clock.now(),
  }
}
