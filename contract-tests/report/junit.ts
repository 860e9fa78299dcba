/** JUnit XML that GitLab, Jenkins and GitHub actions read: a suite for each section, a case for each requirement. */
import type { Report, ReportedRequirement } from './report.ts'
import { failureText } from './text.ts'

export function renderJunit(report: Report): string {
  const groups = Map.groupBy(report.requirements, ({ id }) => id.split('-')[0] ?? id)
  const count = (cases: readonly ReportedRequirement[], element: string) =>
    cases.filter((one) => elementOf(one) === element).length
  const totals = (cases: readonly ReportedRequirement[]) =>
    `tests="${cases.length}" failures="${count(cases, 'failure')}" errors="${count(cases, 'error')}" skipped="${count(cases, 'skipped')}"`
  const seconds = (report.duration_ms / 1_000).toFixed(3)
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(report.suite.name)}" ${totals(report.requirements)} time="${seconds}">`,
  ]
  for (const [area, cases] of groups) {
    lines.push(
      `  <testsuite name="${xml(area)}" ${totals(cases)} time="0" timestamp="${report.started_at.slice(0, 19)}">`,
      ...properties(report),
    )
    for (const one of cases) lines.push(...testCase(area, one))
    lines.push('  </testsuite>')
  }
  lines.push('</testsuites>', '')
  return lines.join('\n')
}

function properties(report: Report): string[] {
  const told = {
    suite_version: report.suite.version,
    base_url: report.target.base_url,
    variant: report.target.variant,
    extended: report.target.extended,
    run_id: report.run_id,
    outcome: report.outcome,
    credits_limit: report.credits.limit,
    credits_spent: report.credits.spent,
  }
  const lines = Object.entries(told).map(
    ([name, value]) => `      <property name="${name}" value="${xml(String(value))}"/>`,
  )
  return ['    <properties>', ...lines, '    </properties>']
}

type Element = 'failure' | 'error' | 'skipped' | undefined

function elementOf({ outcome }: ReportedRequirement): Element {
  const elements: Record<ReportedRequirement['outcome'], Element> = {
    passed: undefined,
    warned: undefined,
    failed: 'failure',
    harness_error: 'error',
    not_applicable: 'skipped',
    not_exercised: 'skipped',
    expected_failure: 'skipped',
  }
  return elements[outcome]
}

function testCase(area: string, one: ReportedRequirement): string[] {
  const open = `    <testcase classname="${xml(area)}" name="${xml(`${one.id} ${one.statement}`)}" time="0"`
  const element = elementOf(one)
  if (element === undefined && one.outcome === 'passed') return [`${open}/>`]
  const why = [
    one.outcome.replaceAll('_', ' '),
    one.reason ?? (one.expected && `expected ${one.expected}; got ${one.actual}`),
  ]
    .filter(Boolean)
    .join(': ')
  const body =
    element === undefined
      ? `      <system-out>${xml(why)}</system-out>`
      : element === 'skipped'
        ? `      <skipped message="${xml(why)}"/>`
        : `      <${element} type="${one.level}" message="${xml(why)}">${xml(failureText(one))}</${element}>`
  return [`${open}>`, body, '    </testcase>']
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text that XML 1.0 can carry. */
export function xml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
