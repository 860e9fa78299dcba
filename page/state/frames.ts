/** One repaint a frame: however much arrives, signals change once before the next paint. */
import { batch } from '@preact/signals'

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

/** Runs work before the next paint; the same work is run once, however often it is asked for. */
export function nextFrame(work: () => void): void {
  waiting.add(work)
  if (planned) return
  planned = true
  // A hidden page paints nothing; there a timer keeps counts right.
  if (document.hidden) setTimeout(run, 500)
  else requestAnimationFrame(run)
}
