/** Credits: the balance, large, with top up, set and zero; and over mock time, with the ledger under it. */
import { useSignal } from '../../draw.ts'
import type { EntryView, State } from '../../model/fault-rule.ts'
import { Button } from '../../parts/button.tsx'
import { atFirst, Card, More, Table } from '../../parts/card.tsx'
import { Chart, pointsOf } from '../../parts/chart.tsx'
import { Field, Form } from '../../parts/form.tsx'
import { Id } from '../../parts/id.tsx'
import { amount, count, momentOf, signed } from '../../parts/text.ts'
import { control } from '../../state/calls.ts'
import { organization } from '../../state/overview.ts'
import { act, moment } from '../../state/requests.ts'
import { undoable } from '../../state/undo.ts'

/** The balance, large, with top up, set and zero. */
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
        {amount(state.spent)} spent, {amount(state.reserved)} reserved, {amount(state.refunded)} refunded; as
        of {momentOf(state.at.time).slice(11)}
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

const kinds = { top_up: 'top-up', set: 'set', reserve: 'reserved', refund: 'refunded' }

/** The balance over mock time, and the ledger under it. */
export function BalanceCard({
  ledger,
  now,
}: {
  readonly ledger: readonly EntryView[]
  readonly now: string
}) {
  const shown = useSignal(atFirst)
  const points = pointsOf(ledger)
  return (
    <Card title="Balance and ledger" aside={count(ledger.length, 'entry', 'entries')}>
      <Chart label="Balance over mock time" points={points} end={Date.parse(now)} />
      <Table title="Ledger">
        <caption class="hidden">Ledger, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Mock time</th>
            <th scope="col">Kind</th>
            <th scope="col" class="right">
              Credits
            </th>
            <th scope="col" class="right">
              Balance
            </th>
            <th scope="col">For</th>
            <th scope="col">Request</th>
          </tr>
        </thead>
        <tbody>
          {ledger.slice(0, shown.value).map((entry) => (
            <Entry key={entry.id} {...entry} />
          ))}
        </tbody>
      </Table>
      <More shown={shown} of={ledger.length} />
    </Card>
  )
}

function Entry({ at, kind, amount: credits, balance, subject, request_id }: EntryView) {
  return (
    <tr>
      <td class="number">{momentOf(at)}</td>
      <td>{kinds[kind]}</td>
      <td class={`right number ${credits < 0 ? 'down' : 'up'}`}>{signed(credits)}</td>
      <td class="right number">{amount(balance)}</td>
      <td class="clip">
        <Id id={subject} text={subject?.replace(/(_.{4}).*/, '$1…')} />
      </td>
      <td>
        <Id id={request_id} text={`#${request_id?.replace(/.*_/, '')}`} />
      </td>
    </tr>
  )
}
