/** Markdown: for a pull request, or a job's summary page. */
import { fence, folded, prose } from '#reporting/markdown.ts'
import type { Card, Verdict } from '../card.ts'
import { block } from './text.ts'
import { among, headline, named } from './words.ts'

const signs = { passed: '✅', failed: '❌', not_exercised: '⚠️' } as const

export function renderMarkdown(card: Card): string {
  const parts = [
    `# ${signs[card.outcome]} Client report card: ${named(card.outcome)}`,
    headline(card),
    table(
      ['run', 'requests', 'end'],
      card.parts.map(({ id, requests, end }) => [id, String(requests), end ?? '']),
    ),
  ]
  for (const outcome of ['failed', 'warned'] as const) {
    for (const verdict of among(card, outcome))
      parts.push(`## ${prose(verdict.id)} (${outcome})`, fence(block(verdict)))
  }
  const idle = among(card, 'not_exercised')
  if (idle.length > 0) parts.push(folded(`Not exercised (${idle.length})`, rows(idle)))
  const kept = among(card, 'passed')
  if (kept.length > 0) parts.push(folded(`Passed (${kept.length})`, rows(kept)))
  return `${parts.join('\n\n')}\n`
}

function rows(verdicts: readonly Verdict[]): string {
  return table(
    ['rule', 'level', 'statement', 'note'],
    verdicts.map(({ id, level, statement, outcome, needs }) => [
      id,
      level,
      statement,
      outcome === 'not_exercised' ? `needs ${needs}` : '',
    ]),
  )
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...lines.map((cells) => row(cells.map(prose)))].join('\n')
}
