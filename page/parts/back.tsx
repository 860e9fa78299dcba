/** Where a page is too narrow for a list beside its details: the way back to the list. */
import { change } from '../state/address.ts'

/** The button; on a wide page there is none. */
export const Back = () => (
  <button type="button" class="small back" onClick={() => change({ n: undefined, task: undefined })}>
    ← Back to the list
  </button>
)
