/** A button that does something in the mock; it is disabled until that is done, so that nothing is done twice. */
import type { ComponentChildren } from 'preact'
import { useBusy } from './busy.ts'

interface Props {
  readonly children: ComponentChildren
  readonly act: () => unknown
  /** The name for screen readers where the shown text is not enough. */
  readonly label?: string | undefined
  readonly kind?: 'main' | 'danger' | 'small' | 'main small' | 'danger small' | undefined
  readonly disabled?: boolean | undefined
}

/** The button. */
export function Button({ children, act, label, kind, disabled = false }: Props) {
  const [busy, start] = useBusy(act)
  return (
    <button
      type="button"
      class={kind}
      aria-label={label}
      aria-busy={busy}
      disabled={disabled}
      onClick={() => start()}
    >
      {children}
    </button>
  )
}
