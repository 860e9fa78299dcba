/** Shows something about the organization once it is loaded; until then, or where there is none, says so. */
import type { ComponentChildren } from 'preact'
import type { Organization } from '../model/answers.ts'
import { hrefOf } from '../state/address.ts'
import { details, unavailable } from '../state/details.ts'
import { mock } from '../state/overview.ts'

/** The frame; `children` gets the details. */
export function Loaded({ children }: { readonly children: (all: Organization) => ComponentChildren }) {
  if (unavailable.value !== undefined)
    return (
      <p class="empty" role="status">
        {unavailable.value}{' '}
        <a href={hrefOf('overview', { org: undefined, at: undefined })}>To the overview</a>
      </p>
    )
  const all = details.value
  if (all) return <>{children(all)}</>
  const none = mock.value?.organizations === 0
  return (
    <p class="empty" role="status">
      {none ? 'No organization yet. The first request with a key creates one.' : 'Loading …'}
    </p>
  )
}
