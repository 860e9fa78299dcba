/** What changed in the mock: what is shown is loaded again, but never more often than the mock can bear. */
import { effect, signal, untracked } from '@preact/signals'
import { nextFrame } from './frames.ts'

/** Grows when something changed. */
export const changes = signal(0)
const publish = () => {
  changes.value++
}

/** Notes that something changed. */
export function changed(): void {
  nextFrame(publish)
}

/** The least pause between two loads, ms. A slow load is followed by a pause of four times its length. */
const usual = 200

interface Options {
  /** What is loaded; when it changes, it is loaded at once. */
  readonly key?: () => string
  /** The least pause between two loads, ms. */
  readonly pause?: number
}

/**
 * Keeps something loaded: calls `load` at once when the key changes, and soon after the mock changed. Returns a
 * function that stops this.
 */
export function keepLoaded(
  load: () => Promise<void>,
  { key = () => '', pause = usual }: Options = {},
): () => void {
  let loading = false
  let again = false
  let shown: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = async (): Promise<void> => {
    clearTimeout(timer)
    ;[loading, again] = [true, false]
    const [start, before] = [performance.now(), shown]
    await load()
    loading = false
    if (before !== shown) return run()
    timer = setTimeout(
      () => {
        timer = undefined
        if (again) void run()
      },
      Math.max(pause, 4 * (performance.now() - start)),
    )
  }
  const stop = effect(() => {
    changes.value
    const wanted = key()
    const urgent = wanted !== shown
    shown = wanted
    again = true
    if (!loading && (urgent || timer === undefined)) void untracked(run)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}
