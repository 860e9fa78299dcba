/** Lists with details beside them: their rows, and the keys of the page, most of which act on lists. */
import type { ComponentChildren } from 'preact'
import { useEffect, useElementRef, useSignal } from '../draw.ts'
import { changeAddress, openView, type ViewId, views } from '../state/address.ts'

/** Height of a row, px, as in the style sheet. */
const rowHeight = 28
/** Height of the borders of a list, in rows. */
const borders = 0.1
const heightOf = (rows: number) => `${rows * rowHeight}px`
/** Number of rows that are drawn above and below the visible ones. */
const spare = 6

interface Props {
  readonly label: string
  readonly count: number
  /** Place of the active row; -1: none. */
  readonly active: number
  /** True if the active row is scrolled into view when it changes, which is the default. */
  readonly keep?: boolean
  readonly row: (place: number) => ComponentChildren
  /** Id of the element of a row, for `aria-activedescendant`. */
  readonly idOf: (place: number) => string
  readonly onChoose: (place: number) => void
  /** Called after scrolling: whether the list is at its beginning. */
  readonly onTop?: (atTop: boolean) => void
  readonly keys?: ListKeys['more']
  /** Content of an empty list. */
  readonly none?: ComponentChildren
}

/**
 * A list of any length, of which only the visible rows are drawn. It is a listbox with a single stop of the Tab key.
 */
export function VirtualList(props: Props) {
  const { label, count, active, keep = true, row, idOf, onChoose, onTop, keys, none } = props
  useListKeys({ count, active, choose: onChoose, more: keys })
  const box = useElementRef<HTMLDivElement>()
  const top = useSignal(0)
  const height = useSignal(600)

  useEffect(() => {
    const { current } = box
    if (!current) return
    const observer = new ResizeObserver(() => {
      height.value = current.clientHeight
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const { current } = box
    if (!current || active < 0 || !keep) return
    const [above, below] = [active * rowHeight, (active + 1) * rowHeight - current.clientHeight]
    if (current.scrollTop > above) current.scrollTop = above
    else if (current.scrollTop < below) current.scrollTop = below
  }, [active])

  const first = Math.max(0, Math.floor(top.value / rowHeight) - spare)
  const last = Math.min(count, Math.ceil((top.value + height.value) / rowHeight) + spare)
  const places = Array.from({ length: last - first }, (_, index) => first + index)
  const scroll = () => {
    // The scroll event comes a frame later, when the list may be gone.
    if (!box.current) return
    top.value = box.current.scrollTop
    onTop?.(top.value < rowHeight)
  }
  if (count === 0 && none)
    return (
      <div class="list none" tabIndex={-1}>
        {none}
      </div>
    )
  return (
    <div
      ref={box}
      class="list"
      style={{ maxHeight: heightOf(count + borders) }}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active >= first && active < last ? idOf(active) : undefined}
      onScroll={scroll}
    >
      <div role="presentation" style={{ height: heightOf(count) }}>
        {places.map((place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles keys.
          <div
            key={place}
            id={idOf(place)}
            role="option"
            tabIndex={-1}
            aria-selected={place === active}
            aria-setsize={count}
            aria-posinset={place + 1}
            class="list-row"
            style={{ top: heightOf(place) }}
            onClick={() => onChoose(place)}
          >
            {row(place)}
          </div>
        ))}
      </div>
    </div>
  )
}

/** Actions of the shown view by key. */
const viewKeys: Record<string, () => void> = {}

const writing = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select')

/** Listens for the keyboard shortcuts that work in every view, and passes other keys to the view that is shown. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { key, target } = event
    if (writing(target)) {
      if (key === 'Escape') (target as HTMLElement).blur()
      return
    }
    const view = (Object.keys(views) as ViewId[])[Number(key) - 1]
    const action = viewKeys[key] ?? everywhere[key] ?? (view && (() => openView(view)))
    if (!action || document.querySelector('dialog[open]')) return
    // Enter on a button or link belongs to it.
    if (
      key === 'Enter' &&
      target instanceof HTMLElement &&
      target.matches('button, a:not([aria-current] *), summary')
    )
      return
    event.preventDefault()
    action()
  })
}

interface ListKeys {
  readonly count: number
  /** Place of the active entry; -1: none. */
  readonly active: number
  /** Makes the entry at a place the active one. */
  readonly choose: (place: number) => void
  readonly more?: Readonly<Record<string, () => void>> | undefined
}

/** Moves the focus to the first element that a selector finds. */
export const focusOn = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()
/** The link in the open row of a table, to which keys can move the focus. */
const openRow = 'tr[aria-current] a'

/** The keys of every view. */
const everywhere: Readonly<Record<string, () => void>> = {
  '?': () => changeAddress({ help: 1 }),
  '/': () => focusOn('input[type=search]'),
}

/**
 * Handles the keys of a list while its view is shown: `j`, `k` and the arrows move, Enter and Escape go into the
 * details and back.
 */
export function useListKeys({ count, active, choose, more = {} }: ListKeys): void {
  // Before the next key, which may come before the next frame.
  useEffect(() => {
    const move = (by: number) => () => {
      if (count === 0) return
      choose(Math.min(count - 1, Math.max(0, active + by)))
      focusOn('.list')
      // The row of a table, once it is drawn.
      requestAnimationFrame(() => focusOn(openRow))
    }
    const keys: Record<string, () => void> = {
      j: move(1),
      k: active < 0 ? move(1) : move(-1),
      ArrowDown: move(1),
      ArrowUp: active < 0 ? move(1) : move(-1),
      Enter: () => focusOn('.details'),
      Escape: () => focusOn(`.list, ${openRow}`),
      ...more,
    }
    Object.assign(viewKeys, keys)
    return () => {
      for (const key of Object.keys(keys)) delete viewKeys[key]
    }
  })
}
