/** The balance over mock time, and the ledger under it. */
import { useSignal } from '@preact/signals'
import type { EntryView } from '../../model/answers.ts'
import { Card } from '../../parts/card.tsx'
import { Chart, pointsOf } from '../../parts/chart.tsx'
import { atFirst, More } from '../../parts/longer.tsx'
import { amount, count, momentOf, signed } from '../../parts/text.ts'
import { hrefOf } from '../../state/address.ts'

const kinds = { top_up: 'top-up', set: 'set', reserve: 'reserved', refund: 'refunded' }

/** A row: an entry, or the two that together set the balance. */
type LedgerRow = Omit<EntryView, 'kind'> & { readonly kind: keyof typeof kinds }

/** The rows of a ledger, newest first: a balance that was set is emptied and filled at one moment. */
export function rowsOf(ledger: readonly EntryView[]): LedgerRow[] {
  const rows: LedgerRow[] = []
  for (const entry of ledger) {
    const later = rows.at(-1)
    const emptied = entry.kind === 'top_up' && entry.amount < 0 && entry.balance === 0
    const filled =
      emptied && later?.kind === 'top_up' && later.at === entry.at && later.amount === later.balance
    if (filled) rows.pop()
    if (!emptied) rows.push(entry)
    else
      rows.push({ ...entry, ...(filled && { ...later, amount: later.amount + entry.amount }), kind: 'set' })
  }
  return rows
}

/** The card. */
export function BalanceCard({
  ledger,
  now,
}: {
  readonly ledger: readonly EntryView[]
  readonly now: string
}) {
  const shown = useSignal(atFirst)
  const points = pointsOf(ledger)
  const rows = rowsOf(ledger)
  return (
    <Card title="Balance and ledger" aside={count(rows.length, 'entry', 'entries')}>
      <Chart label="Balance over mock time" points={points} end={Date.parse(now)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
      <div class="scroll-x" tabIndex={0} role="group" aria-label="Ledger, scrollable">
        <table>
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
            {rows.slice(0, shown.value).map((entry) => (
              <Entry key={entry.id} {...entry} />
            ))}
          </tbody>
        </table>
      </div>
      <More shown={shown} of={rows.length} />
    </Card>
  )
}

function Entry({ at, kind, amount: credits, balance, subject, request_id }: LedgerRow) {
  return (
    <tr>
      <td class="number">{momentOf(at)}</td>
      <td>{kinds[kind]}</td>
      <td class={`right number ${credits < 0 ? 'down' : 'up'}`}>{signed(credits)}</td>
      <td class="right number">{amount(balance)}</td>
      <td class="clip">{subject}</td>
      <td class="clip">
        {request_id === null ? (
          '–'
        ) : (
          <a href={hrefOf('requests', { q: request_id })}>{`#${request_id.replace(/.*_/, '')}`}</a>
        )}
      </td>
    </tr>
  )
}
