/** The keys of the page. The dialog that lists them is in the HTML. */
import { effect } from '@preact/signals-core'
import { change, open, param, type View, views } from './state/address.ts'

/** Keeps the dialog open while the address says so. */
export function keepHelp(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#help')
  effect(() => {
    if (param('help') === '') dialog?.close()
    else if (!dialog?.open) dialog?.showModal()
  })
  // What closes it, before it does: its `close` event comes after keys that were pressed later.
  for (const event of ['cancel', 'submit'])
    dialog?.addEventListener(event, () => change({ help: undefined }, { quiet: true }))
}

const writing = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

/** Actions of the shown view by key; a view sets its own. */
export const viewKeys: Record<string, () => void> = {}

/** Listens to the keys that work everywhere, and passes the others to the view. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { key, target } = event
    if (writing(target)) {
      if (key === 'Escape') (target as HTMLElement).blur()
      return
    }
    const view = (Object.keys(views) as View[])[Number(key) - 1]
    const action = viewKeys[key] ?? (key === '?' ? () => change({ help: 1 }) : view && (() => open(view)))
    if (!action || document.querySelector('dialog[open]')) return
    // Enter on a button or link belongs to it.
    if (key === 'Enter' && target instanceof HTMLElement && target.matches('button, a, summary')) return
    event.preventDefault()
    action()
  })
}
