/** The search field of a view; what it holds is part of the address. */
import { change, param } from '../state/address.ts'

/** The field. `/` moves into it. */
export function Search({ label }: { readonly label: string }) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={`${label} ( / )`}
      value={param('q')}
      onInput={(event) => change({ q: event.currentTarget.value }, { quiet: true })}
    />
  )
}
