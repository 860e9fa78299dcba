/** The keys of the page, and the dialog that lists them. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { change, open, param, type View, views } from './state/address.ts'

const keys: readonly (readonly [keys: string, says: string])[] = [
  ['j, k', 'next and previous entry of the list'],
  ['Enter', 'open the entry: move into its details'],
  ['Escape', 'back to the list, or close'],
  ['c', 'copy the open request as curl'],
  ['s', 'send the open request again'],
  ['p', 'pause the list, or show the newest'],
  ['/', 'search'],
  ['1 … 7', 'the views, from left to right'],
  ['?', 'this help'],
]

/** The dialog; open while the address says so. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  const shown = param('help') !== ''
  useLayoutEffect(() => {
    if (shown) dialog.current?.showModal()
    else dialog.current?.close()
  }, [shown])
  const close = () => change({ help: undefined }, { quiet: true })
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keyboard</h2>
      <dl class="keys">
        {keys.map(([key, says]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  )
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
