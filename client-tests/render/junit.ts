/** JUnit XML: a case for each rule; advice is a failure only with `strict`. */
import { xml, xmlAttribute } from '#reporting/xml.ts'
import type { Card, Verdict } from '../card.ts'
import { block } from './text.ts'
import { findingLines } from './words.ts'

export function renderJunit(card: Card): string {
  const { failed, warned, not_exercised } = card.totals
  const failures = failed + (card.strict ? warned : 0)
  const counts = `tests="${card.rules.length}" failures="${failures}" errors="0" skipped="${not_exercised}" time="0"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="work-agent client report card" ${counts}>`,
    `  <testsuite name="client" ${counts}>`,
    ...card.rules.flatMap((verdict) => testCase(verdict, card.strict)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(verdict: Verdict, strict: boolean): string[] {
  const { id, level, statement, outcome, needs } = verdict
  const open = `    <testcase classname="client" name="${xmlAttribute(`${id} ${statement}`)}" time="0"`
  if (outcome === 'passed') return [`${open}/>`]
  return [`${open}>`, `      ${body()}`, '    </testcase>']

  function body(): string {
    if (outcome === 'not_exercised')
      return `<skipped message="${xmlAttribute(`not exercised: needs ${needs}`)}"/>`
    const found = xmlAttribute(findingLines(verdict)[0]?.text ?? '')
    return outcome === 'failed' || strict
      ? `<failure type="${level}" message="${found}">${xml(block(verdict))}</failure>`
      : `<system-out>${xml(block(verdict))}</system-out>`
  }
}
