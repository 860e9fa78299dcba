/** Renders JUnit XML that GitLab, Jenkins and GitHub actions read: a suite for each group, a case for each result. */
import { escapeXml, escapeXmlAttribute } from '../markup.ts'
import { type Outcome, outcomeWordsOf } from '../outcome.ts'
import { type Report, type ReportResult, reasonTextOf } from '../report.ts'
import { outcomeLine, resultText } from './text.ts'

type Element = 'failure' | 'error' | 'skipped' | 'system-out' | undefined

const elements: Readonly<Record<Outcome, Element>> = {
  passed: undefined,
  warned: 'system-out',
  failed: 'failure',
  suspected: 'failure',
  harness_error: 'error',
  not_applicable: 'skipped',
  not_exercised: 'skipped',
  expected_failure: 'skipped',
}

/** Renders a report as JUnit XML. */
export function renderJunit(report: Report): string {
  const { producer, results, duration_ms = 0, started_at } = report
  const attributes = (name: string, cases: readonly ReportResult[], ms: number) =>
    `name="${escapeXmlAttribute(name)}" ${countsOf(cases, report.strict)} time="${(ms / 1_000).toFixed(3)}"`
  const time = started_at === undefined ? '' : ` timestamp="${started_at.slice(0, 19)}"`
  const suites = [...Map.groupBy(results, ({ group }) => group)].flatMap(([group, cases]) => [
    `  <testsuite ${attributes(group, cases, sumOf(cases))}${time}>`,
    ...properties(report),
    ...cases.flatMap((result) => testCase(result, report.strict)),
    '  </testsuite>',
  ])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes(producer, results, duration_ms)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

const sumOf = (cases: readonly ReportResult[]) => cases.reduce((sum, { duration_ms: ms = 0 }) => sum + ms, 0)

/** The element in a case that tells its outcome. `strict`: a violated SHOULD is a failure. */
function elementOf({ outcome }: ReportResult, strict: boolean): Element {
  return strict && outcome === 'warned' ? 'failure' : elements[outcome]
}

function countsOf(cases: readonly ReportResult[], strict: boolean): string {
  const count = (element: Element) => cases.filter((one) => elementOf(one, strict) === element).length
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
}

const leadOf = ({ lead }: Report) => (lead.length > 0 ? { lead: lead.join(' ') } : {})

function properties(report: Report): string[] {
  const lines = Object.entries({ verdict: outcomeLine(report), ...leadOf(report), ...report.properties }).map(
    ([name, value]) => `      <property name="${name}" value="${escapeXmlAttribute(String(value))}"/>`,
  )
  return ['    <properties>', ...lines, '    </properties>']
}

function testCase(result: ReportResult, strict: boolean): string[] {
  const { group, id, statement, level, outcome, duration_ms: ms = 0 } = result
  const start = `    <testcase classname="${escapeXmlAttribute(group)}" name="${escapeXmlAttribute(`${id} ${statement}`)}" time="${ms / 1_000}"`
  const element = elementOf(result, strict)
  if (element === undefined) return [`${start}/>`]
  const message = ` message="${escapeXmlAttribute(`${outcomeWordsOf(outcome)}: ${reasonTextOf(result)}`)}"`
  const text = escapeXml(resultText(result))
  const body = {
    skipped: `<skipped${message}/>`,
    'system-out': `<system-out>${text}</system-out>`,
    failure: `<failure type="${level}"${message}>${text}</failure>`,
    error: `<error type="${level}"${message}>${text}</error>`,
  }[element]
  return [`${start}>`, `      ${body}`, '    </testcase>']
}
