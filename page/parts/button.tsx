/** A button that does something in the mock; it is disabled until that is done, so that nothing is done twice. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

interface Props {
  readonly children: ComponentChildren
  readonly act: () => unknown
  /** The name for screen readers where the shown text is not enough. */
  readonly label?: string | undefined
  readonly kind?: 'main' | 'danger' | 'small' | undefined
  readonly disabled?: boolean | undefined
}

/** The button. */
export function Button({ children, act, label, kind, disabled = false }: Props) {
  const busy = useSignal(false)
  const click = async () => {
    if (busy.value) return
    busy.value = true
    try {
      await act()
    } finally {
      busy.value = false
    }
  }
  return (
    <button
      type="button"
      class={kind}
      aria-label={label}
      aria-busy={busy.value}
      disabled={disabled}
      onClick={click}
    >
      {children}
    </button>
  )
}
