/**
 * Changes in the mock: shown data is loaded again, but never more often than the mock can bear, and painted once a
 * frame.
 */
import { batch, effect, signal, untracked } from '@preact/signals-core'

/** Grows when something changed. */
const changes = signal(0)
const publish = () => {
  changes.value++
}

/** Tells views that the state of the mock has changed. */
export function announceMockChange(): void {
  runBeforeNextPaint(publish)
}

/** Grows when somebody changed something on the page. */
const acts = signal(0)

/** Tells views that the user has changed something on the page, so that they load it at once. */
export function announceUserChange(): void {
  acts.value++
}

/** The least pause between two loads of the same data, ms. */
export const minReloadMs = 200
/** The pause after a slow load, in lengths of the load. */
const usualRest = 4
/** The least pause between two loads that are much work for the mock, as a multiple of the duration of a load. */
export const heavyReloadPauseFactor = 19

interface Options {
  /** Identity of the loaded data; when it changes, it is loaded at once. */
  readonly key?: () => string
  /** The least pause between two loads, ms. */
  readonly pause?: number
  /** The pause after a slow load, in lengths of the load. */
  readonly rest?: number
}

/**
 * Loads something when the key changes, when the user acts, and soon after the mock has changed. `take` gets what was
 * loaded, or why nothing was, unless the key has changed; returns the function that stops it.
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

/** Runs a function before the next paint, once however often it is asked for. */
export function runBeforeNextPaint(work: () => void): void {
  waiting.add(work)
  if (planned) return
  planned = true
  // A hidden page paints nothing; there a timer keeps counts right.
  if (document.hidden) setTimeout(run, 500)
  else requestAnimationFrame(run)
}
