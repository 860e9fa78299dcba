/** A card for a terminal. */
import { oneLine } from '#reporting/one-line.ts'
import type { Card, Verdict } from '../card.ts'
import { among, findingLines, headline, named } from './words.ts'

export function renderText(card: Card): string {
  const broken = (['failed', 'warned'] as const).flatMap((outcome) => among(card, outcome).map(block))
  const idle = among(card, 'not_exercised').map(({ id, needs }) => `  ${id}: needs ${needs}`)
  const kept = among(card, 'passed').map(({ id, statement }) => `  ${id}: ${statement}`)
  return `${[
    ...broken,
    ...listed('Passed:', kept),
    ...listed('Not exercised, which is no pass:', idle),
    [...card.parts.map(partLine), verdictLine(card)].join('\n'),
  ].join('\n\n')}\n`
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? [[title, ...lines].join('\n')] : []
}

/** What a rule says, what was found against it, and how to fix it. */
export function block(verdict: Verdict): string {
  const { outcome, level, id, section, statement, mend } = verdict
  return [
    `${named(outcome)}  ${level} ${id} (${section})`,
    `  ${statement}`,
    ...findingLines(verdict).map(({ text, evidence }) => `${evidence ? '      ' : '    '}${oneLine(text)}`),
    `  Fix: ${mend}`,
  ].join('\n')
}

function partLine({ id, requests, end }: Card['parts'][number]): string {
  return oneLine(`${id}: ${requests} requests${end === null ? '' : `, ${end}`}`)
}

/** `FAILED: 14 passed, …, of 20`. */
export function verdictLine(card: Card): string {
  return `${named(card.outcome).toUpperCase()}: ${headline(card)}`
}
