/** A list that begins short and grows when asked. */
import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { Button } from './button.tsx'

/** How many entries are shown at first, and how many more at a time. */
const page = 50

interface Props<Item> {
  readonly items: readonly Item[]
  /** Renders a list item with a key. */
  readonly row: (item: Item) => ComponentChild
  readonly class?: string
}

/** The list. */
export function Longer<Item>({ items, row, class: name = 'entries' }: Props<Item>) {
  const shown = useSignal(page)
  const left = items.length - shown.value
  return (
    <>
      <ul class={name}>{items.slice(0, shown.value).map(row)}</ul>
      {items.length === 0 && <p class="muted">None.</p>}
      {left > 0 && (
        <Button
          act={() => {
            shown.value += page
          }}
        >
          Show {Math.min(page, left)} more
        </Button>
      )}
    </>
  )
}
