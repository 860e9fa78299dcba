/** What somebody sets off is done once, however often they click or press Enter meanwhile. */
import { useSignal } from '@preact/signals'

/** Returns whether an action is under way, and a function that starts it unless it is. */
export function useBusy<Input extends unknown[]>(
  act: (...input: Input) => unknown,
): readonly [busy: boolean, start: (...input: Input) => Promise<void>] {
  const busy = useSignal(false)
  const start = async (...input: Input) => {
    if (busy.value) return
    busy.value = true
    try {
      await act(...input)
    } finally {
      busy.value = false
    }
  }
  return [busy.value, start]
}
