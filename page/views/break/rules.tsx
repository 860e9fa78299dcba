/** The fault rules that are set, with their counters as they apply. */
import type { RuleReport } from '#mocks/faults/rule.ts'
import { linesOf } from '../../model/fault-rule.ts'
import { Button, CopyLine } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { amount, count } from '../../parts/text.ts'
import { control } from '../../state/calls.ts'
import { attempt } from '../../state/notices.ts'
import { liveRules, organizations, settings } from '../../state/overview.ts'
import { undoable } from '../../state/undo.ts'

/** The card: everything that is set, whoever set it. A rule that is spent is no longer listed. */
export function RulesCard() {
  const all = liveRules.value
  const set = settings.value
  const removeAll = () =>
    undoable(
      'Remove all faults',
      () => async () => {
        for (const { text, org_id, remaining } of all)
          await control('POST /faults', {
            body: { rule: left(text, remaining), org_id: org_id ?? undefined },
          })
      },
      () => control('POST /reset/faults', { body: {} }),
      `Removed ${count(all.length, 'rule')}`,
    )
  return (
    <Card title="What is set">
      {all.length + set.length === 0 && (
        <p class="muted">Nothing: every request is answered as it should be.</p>
      )}
      <ul class="entries">
        {set.map(({ text, end, route, body }) => (
          <li key={text} class="entry row">
            <span class="grow">{text}</span>
            <Button
              kind="small"
              label={`${end}: ${text}`}
              act={() => attempt(text, () => control(route, { body }))}
            >
              {end}
            </Button>
          </li>
        ))}
      </ul>
      <ul class="entries">
        {all.map((rule) => (
          <RuleEntry key={`${rule.org_id} ${rule.id}`} rule={rule} />
        ))}
      </ul>
      {all.length > 0 && (
        <p class="row">
          <Button kind="danger" act={removeAll}>
            Remove all rules
          </Button>
        </p>
      )}
    </Card>
  )
}

/** The text of a rule that applies as often as it still would. */
const left = (text: string, times: number | null) =>
  times === null ? text : `${text.replace(/;times=\d+/, '')};times=${times}`

function RuleEntry({ rule }: { readonly rule: RuleReport }) {
  const { id, org_id, text, faults, matched, fired, remaining } = rule
  const org = org_id === null ? undefined : organizations.value.get(org_id)
  const remove = () =>
    attempt('Remove the rule', () =>
      control(`DELETE /faults/${encodeURIComponent(id)}`, { query: { org_id: org_id ?? undefined } }),
    )
  return (
    <li class="entry">
      <p class="row">
        <code class="rule grow">{text}</code>
        <Button kind="small" label={`Remove ${text}`} act={remove}>
          Remove
        </Button>
      </p>
      <p class="muted">
        {org_id === null ? 'all organizations' : (org?.key_name ?? org_id)}; matched {amount(matched)},
        applied {amount(fired)}
      </p>
      <p class="counter" role="status">
        {remaining === null ? (
          'without limit'
        ) : (
          <>
            <strong class="number">{amount(remaining)}</strong> left
          </>
        )}
      </p>
      <details>
        <summary>The same as flag, header or code</summary>
        {linesOf(text, faults, org?.api_key, location.origin, START).map(([what, line]) => (
          <CopyLine key={what} what={what} text={line} />
        ))}
      </details>
    </li>
  )
}
