/** The variant, the extended route set, resets, and what identifies the organization. */
import type { OrgView } from '../../model/answers.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { CopyLine } from '../../parts/copy.tsx'
import { Toggle } from '../../parts/toggle.tsx'
import { change } from '../../state/address.ts'
import { act } from '../../state/details.ts'
import { loadOverview } from '../../state/overview.ts'

/** The card. */
export function SettingsCard({ org }: { readonly org: OrgView }) {
  const second = org.variant === 'second'
  const reset = async () => {
    if (!(await act('Reset', 'POST /reset', {}, 'The organization is as it began'))) return
    change({ org: undefined, at: undefined, task: undefined })
    await loadOverview()
  }
  return (
    <Card title="Variant and routes">
      <Toggle
        label={`Second variant${org.variant === 'mixed' ? ' (now mixed)' : ''}`}
        on={second}
        set={() => act('Variant', 'PUT /settings', { variant: second ? 'first' : 'second' })}
      />
      <Toggle
        label="Extended route set"
        on={org.extended}
        set={(extended) => act('Extended routes', 'PUT /settings', { extended })}
      />
      <CopyLine what="org_id" text={org.org_id} />
      <CopyLine what="key" text={org.api_key} />
      <CopyLine what="session" text={org.session_cookie} />
      <Button kind="danger" act={reset}>
        Reset this organization
      </Button>
    </Card>
  )
}
