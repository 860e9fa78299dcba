/** Runs many things, several at a time. */
import { setMaxListeners } from 'node:events'

/** How many of them run at the same time, as the end of a sentence. */
export const atOnce = ({ length }: readonly unknown[], jobs: number): string =>
  length < 2 ? '' : `, ${Math.min(length, jobs)} at a time`

/**
 * The results in the order of the items; without those that were not begun when the signal aborted.
 * `done`: called with each result in that order, as soon as all before it are there.
 */
export async function runAll<T, R extends object>(
  items: readonly T[],
  jobs: number,
  signal: AbortSignal,
  run: (item: T) => Promise<R>,
  done: (result: R) => void = () => undefined,
): Promise<R[]> {
  setMaxListeners(0, process, signal)
  const results: (R | undefined)[] = items.map(() => undefined)
  const waiting = items.entries()
  let reported = 0
  const work = async () => {
    for (const [i, item] of waiting) {
      if (signal.aborted) return
      results[i] = await run(item)
      for (let next = results[reported]; next; next = results[++reported]) done(next)
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, work))
  return results.filter((result) => result !== undefined)
}
