/** A switch that shows what the mock says, not what was clicked. */
import { useSignal } from '@preact/signals'

interface Props {
  readonly label: string
  readonly on: boolean
  readonly set: (on: boolean) => unknown
  readonly disabled?: boolean
}

/** The switch. */
export function Toggle({ label, on, set, disabled = false }: Props) {
  const busy = useSignal(false)
  const click = async () => {
    if (busy.value) return
    busy.value = true
    await set(!on)
    busy.value = false
  }
  return (
    <button
      type="button"
      role="switch"
      class="toggle"
      aria-checked={on}
      aria-busy={busy.value}
      disabled={disabled}
      onClick={click}
    >
      <span class="knob" aria-hidden="true" />
      {label}
    </button>
  )
}
