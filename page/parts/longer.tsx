/** Lists that begin short and grow when asked. */
import type { Signal } from '@preact/signals'
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
