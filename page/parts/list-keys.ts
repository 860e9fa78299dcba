/** The keys of a list with details beside it. */
import { useLayoutEffect } from 'preact/hooks'
import { viewKeys } from '../keys.ts'

interface ListKeys {
  readonly count: number
  /** Place of the active entry; -1: none. */
  readonly active: number
  /** Makes the entry at a place the active one. */
  readonly choose: (place: number) => void
  /** Further keys of the view. */
  readonly more?: Readonly<Record<string, () => void>>
}

const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()

/** Sets the keys while the view is shown: `j`, `k` and the arrows move, Enter and Escape go into the details and back. */
export function useListKeys({ count, active, choose, more = {} }: ListKeys): void {
  // Before the next key, which may come before the next frame.
  useLayoutEffect(() => {
    const move = (by: number) => () => {
      if (count === 0) return
      choose(Math.min(count - 1, Math.max(0, active + by)))
      focus('.list')
    }
    const keys: Record<string, () => void> = {
      j: move(1),
      k: active < 0 ? move(1) : move(-1),
      ArrowDown: move(1),
      ArrowUp: active < 0 ? move(1) : move(-1),
      Enter: () => focus('.details'),
      Escape: () => focus('.list'),
      '/': () => focus('input[type=search]'),
      ...more,
    }
    Object.assign(viewKeys, keys)
    return () => {
      for (const key of Object.keys(keys)) delete viewKeys[key]
    }
  })
}
