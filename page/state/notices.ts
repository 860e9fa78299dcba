/** Notices: what an action did, how to undo it, and above all what went wrong. */
import { signal } from '@preact/signals-core'

export interface Notice {
  readonly id: number
  readonly kind: 'done' | 'failed'
  readonly text: string
  /** Takes back what was done; undefined: that is not offered. */
  readonly undo?: (() => void) | undefined
}

/** How long a notice stays, ms: longer where there is something to read or to undo. */
const stays = { done: 4_000, undo: 10_000, failed: 15_000 }
/** The most notices at once. */
const most = 4

let last = 0

/** The notices, oldest first. */
export const notices = signal<readonly Notice[]>([])

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

export function notify(kind: Notice['kind'], text: string, undo?: () => void): void {
  const id = ++last
  notices.value = [...notices.value.slice(1 - most), { id, kind, text, undo }]
  setTimeout(() => dismiss(id), stays[undo ? 'undo' : kind])
}

/**
 * Runs an action. Its failure is shown as a notice that begins with what was attempted, until it is attempted again;
 * returns whether it succeeded.
 */
export async function attempt(what: string, action: () => unknown, done?: string): Promise<boolean> {
  const isOfThis = ({ kind, text }: Notice) => kind === 'failed' && text.startsWith(`${what}: `)
  notices.value = notices.value.filter((notice) => !isOfThis(notice))
  try {
    await action()
    if (done) notify('done', done)
    return true
  } catch (error) {
    notify('failed', `${what}: ${error instanceof Error ? error.message : error}`)
    return false
  }
}

/**
 * Copies a text. Where the address is not secure, browsers offer no clipboard: there a selection is copied.
 * @throws Error if the browser refuses.
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
