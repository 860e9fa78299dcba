/** A small step chart over time, as SVG. */
import type { EntryView } from '../model/fault-rule.ts'
import { axisOf } from '../model/fault-rule.ts'
import { amount, momentOf } from './text.ts'

/** A value from a moment on, ms since the epoch. */
export interface Point {
  readonly at: number
  readonly value: number
}

const most = 1_000

/** Returns the balance over time of a ledger, newest first. */
export const pointsOf = (ledger: readonly EntryView[]): Point[] =>
  ledger
    .slice(0, most)
    .map(({ at, balance }) => ({ at: Date.parse(at), value: balance }))
    .reverse()

const [width, height, edge] = [600, 90, 6]

interface Props {
  readonly label: string
  /** Oldest first. */
  readonly points: readonly Point[]
  /** Where the last value ends. */
  readonly end: number
}

/** The chart; its numbers are in the table beside it. */
export function Chart({ label, points, end }: Props) {
  const [first, last] = [points[0], points.at(-1)]
  const highest = points.reduce((high, { value }) => Math.max(high, value), 0)
  const text =
    first && last ? `${label}: now ${amount(last.value)}, at most ${amount(highest)}` : `${label}: empty`
  const place = axisOf([...points.map(({ at }) => at), end])
  const x = (at: number) => Math.round(edge + place(at) * (width - 2 * edge))
  const y = (value: number) =>
    Math.round(height - edge - (value / Math.max(1, highest)) * (height - 2 * edge))
  const steps = points.map(({ at, value }, nth) => `${nth === 0 ? `M${x(at)} ` : `H${x(at)}V`}${y(value)}`)
  return (
    <figure class="chart">
      <p class="muted number" aria-hidden="true">
        <span>{amount(highest)}</span>
        <span>{amount(highest / 2)}</span>
        <span>0</span>
      </p>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={text}>
        {points.map(({ at, value }, nth) => (
          <rect key={nth} x={x(at)} y={0} width={x(points[nth + 1]?.at ?? end) - x(at)} height={height}>
            <title>
              {amount(value)} since {momentOf(at)}
            </title>
          </rect>
        ))}
        <path
          class="line"
          d={last && `${steps.join('')}H${x(Math.max(end, last.at))}`}
          vector-effect="non-scaling-stroke"
        />
      </svg>
      <figcaption class="muted number">
        <span>{first && momentOf(first.at)}</span>
        <span>long gaps are shortened</span>
        <span>{momentOf(end)}</span>
      </figcaption>
    </figure>
  )
}
