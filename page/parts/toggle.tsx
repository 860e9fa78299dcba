/** A switch that shows what the mock says, not what was clicked. */
import { useBusy } from './busy.ts'

interface Props {
  readonly label: string
  readonly on: boolean
  readonly set: (on: boolean) => unknown
  readonly disabled?: boolean
}

/** The switch. */
export function Toggle({ label, on, set, disabled = false }: Props) {
  const [busy, start] = useBusy(() => set(!on))
  return (
    <button
      type="button"
      role="switch"
      class="toggle"
      aria-checked={on}
      aria-busy={busy}
      disabled={disabled}
      onClick={start}
    >
      <span class="knob" aria-hidden="true" />
      {label}
    </button>
  )
}
