import { expect, test } from 'vitest'
import { reportFormats } from '#reporting/formats.ts'
import { createClientReport, mergeClientReports, type RuleResult } from './client-report.ts'
import { renderClientReport } from './presentation.ts'
import { ruleResultWithoutFindings } from './testing/rule-result.ts'

const evidence = {
  request_id: 'req_1',
  at: '2026-03-01T12:00:00.000Z',
  method: 'GET',
  path: '/api/cli/tasks/<script>|`]]>',
  answer: '402 no_credits',
}
const finding = { part: 'out-of-credits', what: 'did *wrong*\u001b[31m', evidence: [evidence] }
const rules = [
  { ...ruleResultWithoutFindings('must-broken', 'MUST', 'failed'), findings: [finding], more_findings: 3 },
  { ...ruleResultWithoutFindings('should-broken', 'SHOULD', 'warned'), findings: [finding] },
  ruleResultWithoutFindings('kept', 'MUST', 'passed'),
  ruleResultWithoutFindings('idle', 'MUST', 'not_exercised'),
]
const parts = [{ id: 'out-of-credits', org_id: 'org_1', requests: 7, end: 'exit 1' }]
const report = createClientReport(parts, rules, false)

test.each(
  reportFormats.filter((name) => name !== 'junit'),
)('%s shows every rule, what was found, and how to fix it', (name) => {
  const text = renderClientReport(report, name)
  for (const { id } of rules) expect(text).toContain(id)
  for (const part of ['req_1', 'Fix must-broken.', 'what idle needs', 'exit 1', '402 no_credits'])
    expect(text).toContain(part)
})

test.each([
  ['text', /^PASSED with 1 warning: /m],
  ['md', /^# ⚠️ Client report: passed with 1 warning\n/],
  ['html', /<header class="warned">\n<h1>Client report <b>passed with 1 warning<\/b>/],
  ['junit', /<property name="verdict" value="PASSED with 1 warning: /],
] as const)('%s says first how many warnings a pass has', (format, first) => {
  const passed = createClientReport(parts, rules.slice(1), false)
  expect(renderClientReport(passed, format)).toMatch(first)
})

test('the title of an HTML report names who failed', () => {
  expect(renderClientReport(report, 'html')).toContain('<title>Client report: the client failed</title>')
})

test.each([
  'html',
  'text',
  'md',
] as const)('%s says that a client which crashed at once sent nothing', (format) => {
  const silent = createClientReport(
    [{ id: 'out-of-credits', org_id: 'org_1', requests: 0, end: 'exit 3' }],
    [ruleResultWithoutFindings('idle', 'MUST', 'not_exercised')],
    false,
  )
  expect(renderClientReport(silent, format)).toContain('The client sent no request; it ended: exit 3.')
})

const broken = (part: string, ...whats: string[]) => {
  const findings = whats.map((what) => ({ part, what, evidence: [evidence] }))
  return createClientReport(
    [{ ...parts[0], id: part } as (typeof parts)[number]],
    [{ ...ruleResultWithoutFindings('a', 'MUST', 'failed'), findings }],
    false,
  )
}

test('the same twice in one part remains two findings', () => {
  const merged = mergeClientReports(
    [broken('one', 'did wrong', 'did wrong'), broken('two', 'did wrong')],
    false,
  )
  expect(merged.rules[0]?.findings.map(({ part, also }) => [part, also])).toEqual([
    ['one', ['two']],
    ['one', undefined],
  ])
})

test('a report about some rules leaves out others that were not exercised', () => {
  const all = [
    ruleResultWithoutFindings('a', 'MUST', 'passed'),
    ruleResultWithoutFindings('b', 'MUST', 'not_exercised'),
    rules[3] as RuleResult,
  ]
  const about = { ...createClientReport(parts, all, false), about: ['idle'] }
  expect(renderClientReport(about, 'text')).toMatch(/\nPASSED: 1 passed, 0 failed, 1 not exercised, of 2\n$/)
  expect(renderClientReport(about, 'text')).not.toMatch(/^ {2}b:/m)
})
