/** The balance over mock time, and the ledger under it. */
import { useSignal } from '@preact/signals'
import type { EntryView, LedgerView } from '../../model/answers.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Chart } from '../../parts/chart.tsx'
import { amount, count, momentOf, signed } from '../../parts/text.ts'
import { hrefOf } from '../../state/address.ts'

/** How many entries are shown at first, and how many more at a time. */
const page = 50

const kinds = { top_up: 'top-up', reserve: 'reserve', refund: 'refund' }

/** The card. */
export function BalanceCard({ ledger, now }: { readonly ledger: LedgerView; readonly now: string }) {
  const { entries } = ledger
  const shown = useSignal(page)
  const points = entries.map(({ at, balance }) => ({ at: Date.parse(at), value: balance }))
  return (
    <Card
      title="Balance and ledger"
      class="full"
      aside={<span class="muted">{count(entries.length, 'entry', 'entries')}</span>}
    >
      <Chart label="Balance over mock time" points={points} end={Date.parse(now)} />
      <div class="scroll-x">
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
            {entries
              .slice(-shown.value)
              .reverse()
              .map((entry) => (
                <Entry key={entry.id} {...entry} />
              ))}
          </tbody>
        </table>
      </div>
      {entries.length > shown.value && (
        <Button
          act={() => {
            shown.value += page
          }}
        >
          Show {Math.min(page, entries.length - shown.value)} more
        </Button>
      )}
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
      <td class="clip">{subject}</td>
      <td class="clip">
        {request_id === null ? (
          <span class="muted">time or operator</span>
        ) : (
          <a href={hrefOf('requests', { q: request_id })}>{request_id}</a>
        )}
      </td>
    </tr>
  )
}
