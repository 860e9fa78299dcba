/** Markdown: for a pull request, or a job's summary page. */
import { fence, folded, prose } from '#reporting/markdown.ts'
import { among, headline, type Report, type ReportedRequirement } from './report.ts'
import { failureText } from './text.ts'

export function renderMarkdown(report: Report): string {
  const { target, credits, suite } = report
  const parts = [
    `# ${marks[report.outcome]} Conformance: ${report.outcome}`,
    headline(report),
    [
      '| target | variant | extended routes | requests | credits | suite |',
      '| --- | --- | --- | --- | --- | --- |',
      `| ${prose(target.base_url)} | ${target.variant} | ${target.extended} | ${report.requests} | ${credits.spent} of ${credits.limit} | ${suite.name} ${suite.version} |`,
    ].join('\n'),
    ...report.problems.map((problem) => `> ${prose(problem)}`),
  ]
  for (const [title, kinds] of loud) {
    const those = among(report, ...kinds)
    if (those.length > 0) parts.push(`## ${title} (${those.length})`, ...those.map(section))
  }
  for (const [title, kind] of quiet) {
    const those = among(report, kind)
    if (those.length > 0) parts.push(folded(`${title} (${those.length})`, table(those)))
  }
  return `${parts.join('\n\n')}\n`
}

const marks = { passed: '✅', failed: '❌', incomplete: '⚠️' } as const

const loud = [
  ['Failed', ['failed', 'harness_error']],
  ['Warned', ['warned']],
] as const

const quiet = [
  ['Not exercised', 'not_exercised'],
  ['Not applicable', 'not_applicable'],
  ['Expected failures', 'expected_failure'],
  ['Passed', 'passed'],
] as const

function section(one: ReportedRequirement): string {
  return `### ${one.id}\n\n${prose(one.statement)}\n\n${fence(failureText(one))}`
}

function table(those: readonly ReportedRequirement[]): string {
  const rows = those.map(({ id, level, statement, reason, supply }) => {
    const why = [reason, supply && `supply ${supply}`].filter(Boolean).join('; ')
    return `| ${id} | ${level} | ${prose(statement)} | ${prose(why)} |`
  })
  return ['| id | level | requirement | note |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
