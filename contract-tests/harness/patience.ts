/** How long events of a run are waited for, and polling until they have come. */
import { NotExercised } from '../client/check-errors.ts'
import type { Target } from '../client/target.ts'

/** A refund after any failed run: if one did not come, the next will not either. */
const refundsOfRuns = ['a refund', 'another refund'] as const

/** The events that checks wait for, each with those that make it hopeless once they were missed. */
const hopelessAfter = {
  'a run to end': [],
  'a failing run to end': ['a run to end'],
  'a second run to end': ['a run to end'],
  'simultaneous runs to end': ['a run to end'],
  'a waiting run to end': ['a run to end', 'simultaneous runs to end'],
  'a refund': refundsOfRuns,
  'another refund': refundsOfRuns,
  'the refund of a generation': [],
} as const

/** What is waited for, as it completes "waiting for …". */
export type AwaitedEvent = keyof typeof hopelessAfter

/** Shortest wait for an event that was missed before, ms: while events of any kind were seen, or none. */
const shortest = { seen: 500, none: 300 } as const

/** Its length says nothing of runs that do not wait. */
const waiting = 'a waiting run to end' satisfies AwaitedEvent

const isRun = (event: AwaitedEvent) => /runs? to end$/.test(event)

export class Patience {
  readonly #full: number
  readonly #missed = new Set<AwaitedEvent>()
  /** The longest waits that ended with the event, ms. */
  readonly #slowest: { run?: number; refund?: number } = {}
  /** The shortest wait for the end of a run, ms. */
  #shortest: number | undefined

  /** full: ms to wait for the first event of a kind. */
  constructor(full: number) {
    this.#full = full
  }

  /** ms to wait for an event: less than the full time if it, or what it depends on, was missed before. */
  for(event: AwaitedEvent): number {
    if (!this.isHopeless(event)) return this.#full
    const slowest = isRun(event) ? this.#slowest.run : this.#slowest.refund
    const known = this.#slowest.run ?? this.#slowest.refund
    const brief = known === undefined ? shortest.none : Math.max(shortest.seen, 3 * (slowest ?? 0))
    return Math.min(this.#full, brief)
  }

  /** Whether an event was missed, so that what it leads to cannot be exercised anywhere. */
  get missed(): boolean {
    return this.#missed.size > 0
  }

  /** The shortest wait for the end of a run, ms; undefined: none has ended. */
  get shortestRun(): number | undefined {
    return this.#shortest
  }

  /** ms that a run takes at least: a part of the shortest wait for the end of one so far. */
  get leastRun(): number {
    return 0.8 * (this.#shortest ?? 0)
  }

  /** ms for which it is no use to look. */
  before(event: AwaitedEvent): number {
    // A run that waits may look ended before it starts.
    return isRun(event) && event !== waiting && !this.isHopeless(event) ? this.leastRun : 0
  }

  /** ms after the first look by which a run is mostly over: then a little more time has passed than the shortest took. */
  after(event: AwaitedEvent): number {
    return isRun(event) && !this.isHopeless(event) ? 0.25 * (this.#shortest ?? 0) : 0
  }

  /** Records how long a wait took, and whether the event came. */
  record(event: AwaitedEvent, came: boolean, ms: number): void {
    if (!came) return void this.#missed.add(event)
    const kind = isRun(event) ? 'run' : 'refund'
    this.#slowest[kind] = Math.max(this.#slowest[kind] ?? 0, ms)
    if (kind === 'run' && event !== waiting) this.#shortest = Math.min(this.#shortest ?? Infinity, ms)
  }

  /** Whether an event is not expected any more, since it or what it depends on was missed. */
  isHopeless(event: AwaitedEvent): boolean {
    return [event, ...hopelessAfter[event]].some((one) => this.#missed.has(one))
  }
}

/** ms before the second look. */
const firstPause = 50
/** Longest pause while a wait is short, ms; long waits are looked at less often. */
const longestPause = 1_000

/** Polls until `look` returns something; undefined if it has not within that many ms. @throws NotExercised if aborted. */
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

/** Called with what is waited for once that takes noticeably long, and the longest that it may take, ms. */
export type OnAwait = (event: AwaitedEvent, within: number) => void

/** Shorter waits are not worth a word, ms. */
const noticeable = 2_000

/** What waits: its clock, and how long it waits for what. */
interface Waiting {
  readonly target: Target
  readonly patience: Patience
  until<T>(within: number, look: () => Promise<T | undefined>): Promise<T | undefined>
}

/** Waits for an event as long as patience allows; undefined if it has not come. */
export async function waitFor<T>(
  waiting: Waiting,
  event: AwaitedEvent,
  look: () => Promise<T | undefined>,
  onAwait: OnAwait = () => undefined,
): Promise<T | undefined> {
  const { target, patience } = waiting
  const started = target.now()
  const within = patience.for(event)
  const unseen = Math.min(patience.before(event), within)
  let isSaid = false
  const say = (waited: number) => {
    if (isSaid || waited < noticeable) return
    isSaid = true
    onAwait(event, within)
  }
  say(unseen)
  if (unseen > 0) await target.sleep(unseen)
  const sayAndLook = () => {
    say(target.now() - started)
    return look()
  }
  let found = await sayAndLook()
  if (found === undefined) {
    await target.sleep(Math.min(patience.after(event), within - unseen))
    found = await waiting.until(started + within - target.now(), sayAndLook)
  }
  patience.record(event, found !== undefined, target.now() - started)
  return found
}
