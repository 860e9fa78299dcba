/** Shows something about the organization once it is loaded; until then, or where there is none, says so. */
import type { ComponentChildren } from 'preact'
import type { OrgView, State } from '../model/answers.ts'
import { hrefOf } from '../state/address.ts'
import { details, unavailable } from '../state/details.ts'
import { createOrganization, mock, organization } from '../state/overview.ts'
import { Button } from './button.tsx'

/** The frame; `children` gets the state, which may be of the past, and the organization now. */
export function Loaded({
  children,
}: {
  readonly children: (state: State, org: OrgView) => ComponentChildren
}) {
  if (unavailable.value !== undefined)
    return (
      <p class="empty" role="status">
        {unavailable.value}{' '}
        <a href={hrefOf('overview', { org: undefined, at: undefined })}>To the overview</a>
      </p>
    )
  const [state, org] = [details.value, organization.value]
  if (state && state.org_id === org?.org_id) return <>{children(state, org)}</>
  if (mock.value?.organizations !== 0) return <p class="empty">Loading …</p>
  return (
    <div class="empty" role="status">
      <p>No organization yet. The first request with a key creates one.</p>
      <Button kind="main" act={() => createOrganization({ name: 'demo' })}>
        Create demo
      </Button>
    </div>
  )
}
