/** A list that renders only the rows in view, whatever its length. Rows have one height and never move. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Height of a row, px; the style sheet has the same. */
export const rowHeight = 28
/** Rows rendered beyond either edge. */
const spare = 6

interface Props {
  readonly label: string
  readonly count: number
  /** Place of the active row; -1: none. */
  readonly active: number
  /** Whether a change of the active row scrolls it into view; default: it does. */
  readonly keep?: boolean
  /** Renders the row at a place. */
  readonly row: (place: number) => ComponentChildren
  /** Id of the element of a row, for `aria-activedescendant`. */
  readonly idOf: (place: number) => string
  readonly onChoose: (place: number) => void
  /** Whether the list is scrolled to its beginning. */
  readonly onTop?: (atTop: boolean) => void
}

/** The list: a listbox that is one stop of the Tab key. */
export function VirtualList({ label, count, active, keep = true, row, idOf, onChoose, onTop }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const top = useSignal(0)
  const height = useSignal(600)

  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const observer = new ResizeObserver(() => {
      height.value = current.clientHeight
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    const { current } = box
    if (!current || active < 0 || !keep) return
    const [above, below] = [active * rowHeight, (active + 1) * rowHeight - current.clientHeight]
    if (current.scrollTop > above) current.scrollTop = above
    else if (current.scrollTop < below) current.scrollTop = below
  }, [active])

  const first = Math.max(0, Math.floor(top.value / rowHeight) - spare)
  const last = Math.min(count, Math.ceil((top.value + height.value) / rowHeight) + spare)
  const places = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  const scroll = () => {
    // The event comes with the next frame: the list may be gone.
    if (!box.current) return
    top.value = box.current.scrollTop
    onTop?.(top.value < rowHeight)
  }
  return (
    <div
      ref={box}
      class="list"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active >= first && active < last ? idOf(active) : undefined}
      onScroll={scroll}
    >
      <div role="presentation" style={{ height: `${count * rowHeight}px` }}>
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
            style={{ transform: `translateY(${place * rowHeight}px)` }}
            onClick={() => onChoose(place)}
          >
            {row(place)}
          </div>
        ))}
      </div>
    </div>
  )
}
