/** The waits for events of a run, and polling until they have come. */
import { NotExercised } from '../client/check-errors.ts'
import type { Target } from '../client/target.ts'

/** A refund after any failed run: if one did not come, the next will not either. */
const refundsOfRuns = ['a refund', 'another refund'] as const

/** The events that checks wait for, as they complete "waiting for …", each with those that make it hopeless once missed. */
const awaitedEvents = {
  'a run to end': { kind: 'run', hopelessAfter: [] },
  'a failing run to end': { kind: 'run', hopelessAfter: ['a run to end'] },
  'a second run to end': { kind: 'run', hopelessAfter: ['a run to end'] },
  'simultaneous runs to end': { kind: 'run', hopelessAfter: ['a run to end'] },
  'a waiting run to end': { kind: 'run', hopelessAfter: ['a run to end', 'simultaneous runs to end'] },
  'a refund': { kind: 'refund', hopelessAfter: refundsOfRuns },
  'another refund': { kind: 'refund', hopelessAfter: refundsOfRuns },
  'the refund of a generation': { kind: 'refund', hopelessAfter: [] },
} as const

/** The name of an event that checks wait for, such as `a refund`. */
export type AwaitedEvent = keyof typeof awaitedEvents

/**
 * Shortest wait for an event that was missed before, ms: `seen` if a run's end or a refund was ever seen, else `none`.
 */
const shortest = { seen: 500, none: 300 } as const

/** The event whose time says nothing of runs that do not wait. */
const waiting = 'a waiting run to end' satisfies AwaitedEvent

const isRun = (event: AwaitedEvent) => awaitedEvents[event].kind === 'run'

/**
 * The times for which checks wait for each kind of event, ms; they become shorter once an event of the kind did not
 * come.
 */
export type Deadlines = ReturnType<typeof createDeadlines>

/** Creates the deadlines of a run. `full`: ms to wait for the first event of a kind. */
export function createDeadlines(full: number) {
  const missed = new Set<AwaitedEvent>()
  /** The longest waits that ended with the event, ms. */
  const slowest: { run?: number; refund?: number } = {}
  /** The shortest wait for the end of a run, and the longest for which one was seen to go on, ms. */
  let shortestRun: number | undefined
  let goingOn = 0

  /** True if an event is not expected any more, since it or what it depends on was missed. */
  const isHopeless = (event: AwaitedEvent) =>
    [event, ...awaitedEvents[event].hopelessAfter].some((one) => missed.has(one))

  const deadlines = {
    isHopeless,
    /** ms to wait for an event: less than the full time if it, or what it depends on, was missed before. */
    for(event: AwaitedEvent): number {
      if (!isHopeless(event)) return full
      const slow = isRun(event) ? slowest.run : slowest.refund
      const known = slowest.run ?? slowest.refund
      const brief = known === undefined ? shortest.none : Math.max(shortest.seen, 3 * (slow ?? 0))
      return Math.min(full, brief)
    },
    /** True if an event was missed, so that what it leads to cannot be exercised anywhere. */
    get missed(): boolean {
      return missed.size > 0
    },
    /** The shortest wait for the end of a run, ms; undefined if none has ended. */
    get shortestRun(): number | undefined {
      return shortestRun
    },
    /** ms after which a run is mostly over: between those for which one was seen to go on and to be over. */
    get usualRun(): number {
      return (1.05 * (goingOn + (shortestRun ?? 0))) / 2
    },
    /** ms after its cause in which it is useless to look for an event. */
    before(event: AwaitedEvent): number {
      // A run that waits may look ended before it starts.
      if (!isRun(event) || event === waiting || isHopeless(event)) return 0
      // The others are looked at while they go on, if at all, before they are waited for.
      return event === 'a run to end' ? 0.8 * (shortestRun ?? 0) : deadlines.usualRun
    },
    /**
     * ms between the first look for an event and the second: by then a run has had a little longer than the shortest
     * took.
     */
    after: (event: AwaitedEvent) => (isRun(event) && !isHopeless(event) ? 0.25 * (shortestRun ?? 0) : 0),
    /**
     * Records whether an event `came`. `ms`: from its cause to the last look; `unseen`: from its cause to the last look
     * that did not see it; `waited`: the wait itself, ms.
     */
    record(event: AwaitedEvent, came: boolean, ms: number, unseen = 0, waited = ms): void {
      if (!came) return void missed.add(event)
      const { kind } = awaitedEvents[event]
      // An event seen at the first look may have come long before.
      slowest[kind] = Math.max(slowest[kind] ?? 0, unseen > 0 ? ms : Math.min(ms, waited))
      if (kind !== 'run' || event === waiting) return
      shortestRun = Math.min(shortestRun ?? Infinity, ms)
      goingOn = Math.min(Math.max(goingOn, unseen), shortestRun)
    },
  }
  return deadlines
}

/** The time for which a balance is watched before changes by other clients are ruled out, ms. */
export const balanceQuietMs = 5_000

/** ms before the second look. */
const firstPause = 75
/** Longest pause while a wait is short, ms; long waits are looked at less often. */
const longestPause = 1_000

/**
 * Calls `look` until it returns something; undefined if it has not within `within` ms. @throws NotExercised if
 * aborted.
 */
export async function poll<T>(
  target: Target,
  within: number,
  look: () => Promise<T | undefined>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const started = target.now()
  const deadline = started + within
  let pause = firstPause
  for (;;) {
    if (signal?.aborted) throw new NotExercised('the run was interrupted')
    const found = await look()
    if (found !== undefined || target.now() >= deadline) return found
    await target.sleep(Math.max(1, Math.min(pause, deadline - target.now())))
    pause = Math.min(pause * 1.5, Math.max(longestPause, (target.now() - started) / 8))
  }
}

/**
 * A listener that is called at the start of a wait that may exceed 2 s, with the awaited event and the longest wait,
 * ms.
 */
export type OnLongWait = (event: AwaitedEvent, within: number) => void

/** Shortest wait that a listener is told of, ms. */
const noticeable = 2_000

/** The means of a wait for an event: a clock, deadlines and polling. */
interface Waiting {
  readonly target: Target
  readonly deadlines: Deadlines
  until<T>(within: number, look: () => Promise<T | undefined>): Promise<T | undefined>
}

/**
 * Polls `look` until it returns a value; undefined once the deadline of the event has passed. `since`: the time of the
 * cause of the event, ms.
 */
export async function pollUntilDeadline<T>(
  waiting: Waiting,
  event: AwaitedEvent,
  look: () => Promise<T | undefined>,
  onAwait: OnLongWait = () => undefined,
  since = waiting.target.now(),
): Promise<T | undefined> {
  const { target, deadlines } = waiting
  const started = target.now()
  const within = deadlines.for(event)
  const unseen = Math.max(0, Math.min(deadlines.before(event) - (started - since), within))
  let isSaid = false
  const say = (waited: number) => {
    if (isSaid || waited < noticeable) return
    isSaid = true
    onAwait(event, within)
  }
  say(unseen)
  if (unseen > 0) await target.sleep(unseen)
  let missing = since
  const sayAndLook = async () => {
    say(target.now() - started)
    const asked = target.now()
    const seen = await look()
    if (seen === undefined) missing = asked
    return seen
  }
  let found = await sayAndLook()
  if (found === undefined) {
    await target.sleep(Math.min(deadlines.after(event), within - unseen))
    found = await waiting.until(started + within - target.now(), sayAndLook)
  }
  const now = target.now()
  deadlines.record(event, found !== undefined, now - since, missing - since, now - started)
  return found
}
