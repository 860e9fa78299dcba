/** Notices: what an action did, how to undo it, and above all what went wrong. */
import { effect, signal, untracked } from '@preact/signals-core'

/** A message at the edge of the page, which disappears by itself. */
interface Notice {
  readonly id: number
  readonly kind: 'done' | 'failed'
  readonly text: string
  /** Takes back what the notice tells of; undefined: not offered. */
  readonly undo?: Undo | undefined
  /** The action that failed, if the notice tells of a failure. */
  readonly attempted?: string | undefined
}

interface Undo {
  (): void
  /** Other things that are taken back, in words; undefined if none. */
  readonly loses?: () => string
}

/** Takes the reason of a failure; returns true if it shows the reason itself, so that no notice is needed. */
type Fail = (reason: string) => boolean

/** Failure handler of the form that is being sent, for an action that starts now. */
let taker: Fail | undefined

/**
 * Runs `act`. If an action that `act` starts at once with `runWithNotice` fails, `fail` gets the reason, before a
 * notice is shown.
 */
export function withFailureHandler<Result>(fail: Fail, act: () => Result): Result {
  taker = fail
  try {
    return act()
  } finally {
    taker = undefined
  }
}

/** The time for which a notice stays, ms: longer where there is something to read or to undo. */
const stays = { done: 4_000, undo: 10_000, failed: 15_000 }
/** Longest time until the page learns of what an action has set up, ms. */
const longestDelay = 2_000
/** The most notices at once. */
const most = 4

let last = 0

/** The notices that are shown, oldest first. */
export const notices = signal<readonly Notice[]>([])

/** Removes a notice by its id. */
export function dismissNotice(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

/**
 * Shows a notice. `holds`: returns true while the event that the notice announces is still to come; once it returns
 * false, the notice goes. `attempted`: the action that failed.
 */
export function showNotice(
  kind: Notice['kind'],
  text: string,
  undo?: Undo,
  holds?: () => boolean,
  attempted?: string,
): void {
  const id = ++last
  notices.value = [...notices.value.slice(1 - most), { id, kind, text, undo, attempted }]
  setTimeout(() => dismissNotice(id), stays[undo ? 'undo' : kind])
  if (!holds) return
  let held = false
  const stop = effect(() => {
    const holdsNow = holds()
    if (held && !holdsNow) untracked(() => dismissNotice(id))
    held ||= holdsNow
  })
  // The announced event may have been over before the page learned that it was to come.
  setTimeout(() => held || dismissNotice(id), longestDelay)
  setTimeout(stop, stays.undo)
}

/**
 * Runs an action; returns whether it succeeded. A failure is shown as a notice that begins with `what`, unless a form
 * shows it.
 */
export async function runWithNotice(what: string, action: () => unknown, done?: string): Promise<boolean> {
  const fail = taker
  notices.value = notices.value.filter(({ attempted }) => attempted !== what)
  try {
    await action()
    if (done) showNotice('done', done)
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (!fail?.(reason)) showNotice('failed', `${what}: ${reason}`, undefined, undefined, what)
    return false
  }
}

/**
 * Copies a text to the clipboard, even at an insecure address, where the browser offers no clipboard. @throws Error if
 * the browser refuses.
 */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (!copied) throw new Error('this browser refuses; select the text and copy it')
}
