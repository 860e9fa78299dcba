/**
 * Reloads what the page shows when the mock changes, never more often than the mock can bear, and paints at most once a
 * frame.
 */
import { batch, effect, signal, untracked } from '@preact/signals-core'

/** Grows with each change in the mock. */
const changes = signal(0)
const publish = () => {
  changes.value++
}

/** Notifies views that the state of the mock has changed. */
export function announceMockChange(): void {
  runBeforeNextPaint(publish)
}

/** Grows with each change that the user makes on the page. */
const acts = signal(0)

/** Notifies views that the user has changed something on the page, so that they reload their data at once. */
export function announceUserChange(): void {
  acts.value++
}

/** The shortest pause between two loads of the same data, ms. */
export const minReloadMs = 200
/** The pause after a slow load, as a multiple of its duration. */
const usualRest = 4
/** How many times as long as a load the pause after it must be, for data that is expensive for the mock to provide. */
export const heavyReloadPauseFactor = 19

interface Options {
  /** Names the data to load; when the name changes, the data is loaded at once. */
  readonly key?: () => string
  /** The least pause between two loads, ms. */
  readonly pause?: number
  /** The pause after a slow load, as a multiple of its duration. */
  readonly rest?: number
}

/**
 * Loads data when its key changes, when the user changes something, and soon after the mock has changed. `take` gets
 * the data, or the error, unless the key has changed since. Returns a function that stops the loading.
 */
export function keepLoaded<Loaded>(
  load: () => Promise<Loaded> | undefined,
  take: (loaded: Loaded | undefined, error?: unknown) => void,
  { key = () => '', pause = minReloadMs, rest = usualRest }: Options = {},
): () => void {
  let loading = false
  let again = false
  let stopped = false
  let shown: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = async (): Promise<void> => {
    clearTimeout(timer)
    ;[loading, again] = [true, false]
    const [start, before] = [performance.now(), shown]
    const [{ value, reason }] = (await Promise.allSettled([load()])) as [{ value?: Loaded; reason?: unknown }]
    loading = false
    if (stopped) return
    if (before !== shown) return run()
    take(value, reason)
    timer = setTimeout(
      () => {
        timer = undefined
        if (again) void run()
      },
      Math.max(pause, rest * (performance.now() - start)),
    )
  }
  const stop = effect(() => {
    changes.value
    const wanted = `${acts.value} ${key()}`
    const urgent = wanted !== shown
    shown = wanted
    again = true
    if (!loading && (urgent || timer === undefined)) void untracked(run)
  })
  return () => {
    stop()
    stopped = true
    clearTimeout(timer)
  }
}

const waiting = new Set<() => void>()
let planned = false

function run(): void {
  planned = false
  const due = [...waiting]
  waiting.clear()
  batch(() => {
    for (const work of due) work()
  })
}

/** Runs a function before the browser's next paint, once even if it was requested several times. */
export function runBeforeNextPaint(work: () => void): void {
  waiting.add(work)
  if (planned) return
  planned = true
  // A hidden page paints nothing; there a timer runs the functions.
  if (document.hidden) setTimeout(run, 500)
  else requestAnimationFrame(run)
}
