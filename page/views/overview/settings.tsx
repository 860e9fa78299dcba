/** The variant, the extended route set, resets, and what identifies the organization. */
import type { OrgView } from '../../model/answers.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { CopyLine } from '../../parts/copy.tsx'
import { Toggle } from '../../parts/toggle.tsx'
import { control } from '../../state/calls.ts'
import { act } from '../../state/details.ts'
import { keepState, undoable } from '../../state/undo.ts'

/** The card. */
export function SettingsCard({ org }: { readonly org: OrgView }) {
  const second = org.variant === 'second'
  const reset = () =>
    undoable(
      'Reset',
      () => keepState(org.org_id),
      async () => {
        for (const part of ['faults', 'state', 'clock'])
          await control(`POST /reset/${part}`, { key: org.api_key, body: {} })
      },
      `${org.key_name} is as it began`,
    )
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
      <p class="muted">
        A reset restores the initial credits, tasks, documents, faults and clock of {org.key_name}. Its
        requests stay in the list.
      </p>
      <Button kind="danger" act={reset}>
        Reset {org.key_name}
      </Button>
    </Card>
  )
}
