/** Rate limits: what each key and the session has used of its window, and a limit to set. */
import type { OrgView } from '../../model/answers.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Field, Form } from '../../parts/form.tsx'
import { amount, count, durationOf, momentOf } from '../../parts/text.ts'
import { arrange } from '../../state/details.ts'

/** The card. */
export function LimitsCard({ org }: { readonly org: OrgView }) {
  const { limit, limits } = org
  return (
    <Card title="Rate limits">
      <p class="muted">
        {limit
          ? `${count(limit.limit, 'request')} in ${durationOf(limit.window_ms)} for each key`
          : 'Off: nothing is limited'}
      </p>
      {limits.length === 0 ? (
        <p class="muted">No window is open.</p>
      ) : (
        limits.map((one) => <Meter key={one.credential} {...one} />)
      )}
      <Form
        label="Set the rate limit"
        button="Set limit"
        submit={({ limit = '', window = '' }) =>
          arrange('rate_limit', true, { limit: Number(limit), window_s: Number(window) })
        }
      >
        <Field name="limit" label="Requests" type="number" min={0} required size={5} />
        <Field name="window" label="in seconds" type="number" min={1} required size={5} />
      </Form>
      <Button disabled={!org.limit_set} act={() => arrange('rate_limit', false)}>
        Remove this limit
      </Button>
    </Card>
  )
}

function Meter({ credential, used, limit, resets_at }: OrgView['limits'][number]) {
  const full = used >= limit
  return (
    <div class="meter">
      <span class="clip">{credential}</span>
      <span class="number">
        {amount(used)} / {amount(limit)}
      </span>
      <meter
        min={0}
        max={limit || 1}
        high={limit * 0.8}
        value={Math.min(used, limit)}
        aria-label={`Requests of ${credential}`}
      />
      <span class="muted">
        {full ? '429 until' : 'resets'} {resets_at && momentOf(resets_at).slice(11)}
      </span>
    </div>
  )
}
