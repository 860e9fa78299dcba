/** The balance of an organization over mock time as a step chart, and the ledger under it. */
import { createTimeScale } from '../../model/fault-rule.ts'
import type { LedgerEntryView } from '../../model/organization.ts'
import { Card, Table } from '../../parts/card.tsx'
import { countText, formatMoment, formatNumber, formatSignedNumber } from '../../parts/text.ts'
import { IdLink } from '../../parts/value.tsx'

/** The most entries in the chart. */
const most = 1_000

const [width, height, edge] = [600, 90, 6]

const label = 'Balance over mock time'

/**
 * The balance as steps up to `now`, ms since the epoch; the table below has its numbers. It stands still after the
 * clock was set back.
 */
function Chart({ ledger, now }: { readonly ledger: readonly LedgerEntryView[]; readonly now: number }) {
  let latest = Number.NEGATIVE_INFINITY
  const points = ledger
    .slice(0, most)
    .reverse()
    .map(({ at, balance: value }) => {
      latest = Math.max(latest, Date.parse(at))
      return { at: latest, value }
    })
  const end = Math.max(latest, now)
  const [first, last] = [points[0], points.at(-1)]
  const highest = points.reduce((high, { value }) => Math.max(high, value), 0)
  const text =
    first && last
      ? `${label}: now ${formatNumber(last.value)}, at most ${formatNumber(highest)}`
      : `${label}: empty`
  const place = createTimeScale([...points.map(({ at }) => at), end])
  const x = (at: number) => Math.round(edge + place(at) * (width - 2 * edge))
  const y = (value: number) =>
    Math.round(height - edge - (value / Math.max(1, highest)) * (height - 2 * edge))
  const steps = points.map(({ at, value }, nth) => `${nth === 0 ? `M${x(at)} ` : `H${x(at)}V`}${y(value)}`)
  return (
    <figure class="chart">
      <p class="muted number" aria-hidden="true">
        <span>{formatNumber(highest)}</span>
        <span>{formatNumber(highest / 2)}</span>
        <span>0</span>
      </p>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={text}>
        <path class="line" d={last && `${steps.join('')}H${x(end)}`} vector-effect="non-scaling-stroke" />
      </svg>
      <figcaption class="muted number">
        <span>{first && formatMoment(first.at)}</span>
        <span>long gaps are shortened</span>
        <span>{formatMoment(end)}</span>
      </figcaption>
    </figure>
  )
}

const kinds = { top_up: 'top-up', set: 'set', reserve: 'reserved', refund: 'refunded' }

/** The balance over mock time, and the ledger under it. */
export function BalanceCard({
  ledger,
  now,
}: {
  readonly ledger: readonly LedgerEntryView[]
  readonly now: string
}) {
  return (
    <Card title="Balance and ledger" aside={countText(ledger.length, 'entry', 'entries')}>
      <Chart ledger={ledger} now={Date.parse(now)} />
      <Table
        title="Ledger"
        heads={['Mock time', 'Kind', '#Credits', '#Balance', 'For', 'Request']}
        rows={ledger}
        row={(entry) => <Entry key={entry.id} {...entry} />}
      />
    </Card>
  )
}

function Entry({ at, kind, amount: credits, balance, subject, request_id }: LedgerEntryView) {
  return (
    <tr>
      <td class="number">{formatMoment(at)}</td>
      <td>{kinds[kind]}</td>
      <td class={`right number ${credits < 0 ? 'down' : 'up'}`}>{formatSignedNumber(credits)}</td>
      <td class="right number">{formatNumber(balance)}</td>
      <td class="clip">
        <IdLink id={subject} text={subject?.replace(/(_.{4}).*/, '$1…')} />
      </td>
      <td>
        <IdLink id={request_id} text={`#${request_id?.replace(/.*_/, '')}`} />
      </td>
    </tr>
  )
}
