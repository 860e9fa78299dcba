/** Looks again and again for something that may take a while. */
import { NotExercised } from '../client/check-errors.ts'
import type { Target } from '../client/target.ts'
import type { AwaitedEvent, Patience } from './patience.ts'

/** ms before the second look. */
const firstPause = 50
/** Longest pause while a wait is short, ms; long waits are looked at less often. */
const longestPause = 1_000

/** Polls until `look` returns something; undefined if it has not within that many ms. @throws NotExercised if aborted. */
export async function poll<T>(
  target: Target,
  within: number,
  look: () => Promise<T | undefined>,
  signal: AbortSignal | undefined,
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
  const found = await waiting.until(within - unseen, () => {
    say(target.now() - started)
    return look()
  })
  patience.record(event, found !== undefined, target.now() - started)
  return found
}
