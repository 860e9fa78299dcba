/** The variant, the extended route set, resets, and what identifies the organization. */
import type { OrgView } from '../../model/answers.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { CopyLine } from '../../parts/copy.tsx'
import { Toggle } from '../../parts/toggle.tsx'
import { change, goAfter } from '../../state/address.ts'
import { act } from '../../state/details.ts'

/** The card. */
export function SettingsCard({ org }: { readonly org: OrgView }) {
  const second = org.variant === 'second'
  const reset = () =>
    goAfter(act('Reset', 'POST /reset', {}, 'The organization is as it began'), (done) => {
      if (done) change({ org: undefined, at: undefined, task: undefined })
    })
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
