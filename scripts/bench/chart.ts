/** The chart of the results as SVG: requests per second relative to the mock, one bar a side. Pure. */
import type { Results } from './results.ts'

/** Width of the mock's bar. */
const unit = 330
const left = 250
const step = 30
const top = 64

/** The chart; readable in light and dark mode. */
export function chartOf({ sides, rows, rounds, date }: Results): string {
  const bars = sides
    .flatMap(({ name, kind }) =>
      rows.get?.[name]?.times[0] ? [{ name, kind, share: 1 / rows.get[name].times[0] }] : [],
    )
    .sort((a, b) => b.share - a.share)
  const height = top + bars.length * step + 8
  const texts = bars.map(({ name, share }) => `${name} ${share.toFixed(2)}`)
  const width = left + Math.max(1, ...bars.map(({ share }) => share)) * unit + 60
  const drawn = bars.map(({ name, kind, share }, i) => {
    const y = top + i * step
    const length = Math.round(share * unit * 10) / 10
    return `  <g class="${kind}">
    <text x="${left - 12}" y="${y + 15}" text-anchor="end">${escapeXml(name)}</text>
    <rect x="${left}" y="${y}" width="${length}" height="20" rx="3"/>
    <text x="${left + length + 8}" y="${y + 15}">${share.toFixed(2)}</text>
  </g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" role="img" aria-labelledby="title desc">
  <title id="title">Requests per second, relative to the mock</title>
  <desc id="desc">An authenticated GET over 20 connections, median of ${rounds} rounds, ${date}; more is better. ${escapeXml(texts.join('; '))}.</desc>
  <style>
    text { font: 14px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328; }
    .heading { font-weight: 600; }
    .note { font-size: 12px; fill: #59636e; }
    .own rect { fill: #0969da; }
    .own text { font-weight: 600; }
    .peer rect { fill: #8c959f; }
    .baseline rect { fill: none; stroke: #8c959f; stroke-dasharray: 4 3; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .note { fill: #9198a1; }
      .own rect { fill: #4493f8; }
      .peer rect { fill: #656c76; }
      .baseline rect { stroke: #9198a1; }
    }
  </style>
  <text class="heading" x="12" y="24">Requests per second, relative to the mock</text>
  <text class="note" x="12" y="44">Authenticated GET, 20 connections; more is better. Dashed: the baseline, not a product.</text>
${drawn.join('\n')}
</svg>
`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
