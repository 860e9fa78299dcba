/** Lists that begin short and grow when asked. */
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { Button } from './button.tsx'

/** How many entries are shown at first, and how many more at a time. */
export const atFirst = 50

/** The button that shows more of a list; nothing once all of it is shown. */
export function More({ shown, of }: { readonly shown: Signal<number>; readonly of: number }) {
  const left = of - shown.value
  const more = () => {
    shown.value += atFirst
  }
  return left > 0 ? <Button act={more}>Show {Math.min(atFirst, left)} more</Button> : null
}

interface Props<Item> {
  readonly items: readonly Item[]
  /** Renders a list item with a key. */
  readonly row: (item: Item) => ComponentChild
  readonly class?: string
}

/** A list. */
export function Longer<Item>({ items, row, class: name = 'entries' }: Props<Item>) {
  const shown = useSignal(atFirst)
  return (
    <>
      <ul class={name}>{items.slice(0, shown.value).map(row)}</ul>
      {items.length === 0 && <p class="muted">None.</p>}
      <More shown={shown} of={items.length} />
    </>
  )
}
