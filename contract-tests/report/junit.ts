/** JUnit XML that GitLab, Jenkins and GitHub actions read: a suite for each section, a case for each requirement. */
import { xml, xmlAttribute } from '#reporting/xml.ts'
import type { Report, ReportedRequirement } from './report.ts'
import { failureText } from './text.ts'

export function renderJunit(report: Report): string {
  const groups = Map.groupBy(report.requirements, ({ id }) => id.split('-')[0] ?? id)
  const count = (cases: readonly ReportedRequirement[], element: string) =>
    cases.filter((one) => elementOf(one, report.strict) === element).length
  const totals = (cases: readonly ReportedRequirement[]) =>
    `tests="${cases.length}" failures="${count(cases, 'failure')}" errors="${count(cases, 'error')}" skipped="${count(cases, 'skipped')}"`
  const seconds = (report.duration_ms / 1_000).toFixed(3)
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xmlAttribute(report.suite.name)}" ${totals(report.requirements)} time="${seconds}">`,
  ]
  for (const [area, cases] of groups) {
    lines.push(
      `  <testsuite name="${xmlAttribute(area)}" ${totals(cases)} time="0" timestamp="${report.started_at.slice(0, 19)}">`,
      ...properties(report),
    )
    for (const one of cases) lines.push(...testCase(area, one, report.strict))
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
    ([name, value]) => `      <property name="${name}" value="${xmlAttribute(String(value))}"/>`,
  )
  return ['    <properties>', ...lines, '    </properties>']
}

type Element = 'failure' | 'error' | 'skipped' | undefined

const elements: Readonly<Record<ReportedRequirement['outcome'], Element>> = {
  passed: undefined,
  warned: undefined,
  failed: 'failure',
  harness_error: 'error',
  not_applicable: 'skipped',
  not_exercised: 'skipped',
  expected_failure: 'skipped',
}

/** What a case holds. A SHOULD finding is a failure where it counts as one. */
function elementOf({ outcome }: ReportedRequirement, strict: boolean): Element {
  return strict && outcome === 'warned' ? 'failure' : elements[outcome]
}

function testCase(area: string, one: ReportedRequirement, strict: boolean): string[] {
  const open = `    <testcase classname="${xmlAttribute(area)}" name="${xmlAttribute(`${one.id} ${one.statement}`)}" time="0"`
  const element = elementOf(one, strict)
  if (one.outcome === 'passed') return [`${open}/>`]
  const reason = one.reason ?? (one.expected && `expected ${one.expected}; got ${one.actual}`)
  const told = [reason, one.supply && `supply ${one.supply}`].filter(Boolean).join('; ')
  const why = `${one.outcome.replaceAll('_', ' ')}: ${told}`
  const body =
    element === undefined
      ? `      <system-out>${xml(why)}</system-out>`
      : element === 'skipped'
        ? `      <skipped message="${xmlAttribute(why)}"/>`
        : `      <${element} type="${one.level}" message="${xmlAttribute(why)}">${xml(failureText(one))}</${element}>`
  return [`${open}>`, body, '    </testcase>']
}
