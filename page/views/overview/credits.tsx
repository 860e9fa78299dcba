/** Credits: the balance, large, with top up, set and zero. */
import type { State } from '../../model/answers.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Field, Form } from '../../parts/form.tsx'
import { amount, momentOf } from '../../parts/text.ts'
import { control } from '../../state/calls.ts'
import { act, moment } from '../../state/details.ts'
import { organization } from '../../state/overview.ts'
import { undoable } from '../../state/undo.ts'

/** Sums the amounts of one kind. */
const sumOf = ({ ledger }: State, wanted: 'reserve' | 'refund') =>
  ledger.reduce((sum, { kind, amount }) => (kind === wanted ? sum + amount : sum), 0)

/** The card. */
export function CreditsCard({ state }: { readonly state: State }) {
  const add = (credits: number) => act('Top up', 'POST /credits', { add: credits })
  const past = moment.value !== ''
  const org_id = organization.value?.org_id
  const set = (credits: number) => control('POST /credits', { body: { org_id, set: credits } })
  const zero = () =>
    undoable(
      'Set to zero',
      () => () => set(state.credits),
      () => set(0),
      'No credits are left',
    )
  return (
    <Card title="Credits">
      <p class="huge number" role="status">
        {amount(state.credits)}
      </p>
      <p class="muted">
        {amount(-sumOf(state, 'reserve'))} spent so far, {amount(sumOf(state, 'refund'))} refunded; as of{' '}
        {momentOf(state.at.time).slice(11)}
      </p>
      <div class="row">
        {[1, 10, 100].map((credits) => (
          <Button
            key={credits}
            disabled={past}
            label={`Top up ${credits}`}
            kind={credits === 10 ? 'main' : undefined}
            act={() => add(credits)}
          >
            +{credits}
          </Button>
        ))}
        <Button disabled={past} kind="danger" act={zero}>
          Zero
        </Button>
        {!past && (
          <Form
            label="Set the credits"
            button="Set credits"
            submit={({ credits }) => act('Set the credits', 'POST /credits', { set: Number(credits) })}
          >
            <Field name="credits" label="Credits" type="number" min={0} step="any" required size={6} />
          </Form>
        )}
      </div>
    </Card>
  )
}
