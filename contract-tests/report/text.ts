/** The report for a terminal. */
import { among, headline, type Report, type ReportedExchange, type ReportedRequirement } from './report.ts'

/** What a failure says: the requirement, what was expected, what came, and how to see it again. */
export function failureText(one: ReportedRequirement): string {
  const lines = [`${one.level} ${one.id} (${one.section})`, `  Requirement  ${one.statement}`]
  if (one.expected !== undefined) lines.push(`  Expected     ${one.expected}`)
  if (one.actual !== undefined) lines.push(`  Actual       ${one.actual}`)
  if (one.reason !== undefined) lines.push(`  Reason       ${one.reason}`)
  for (const exchange of one.evidence ?? []) lines.push(...exchangeLines(exchange))
  return lines.join('\n')
}

function exchangeLines({ request, response, curl }: ReportedExchange): string[] {
  const body = response.body.length > 300 ? `${response.body.slice(0, 299)}…` : response.body
  return [
    `  Exchange     ${request.method} ${request.url} -> ${response.status} ${body}`,
    `  Reproduce    ${curl}`,
  ]
}

export interface TextOptions {
  /** Lists also what passed. */
  readonly verbose: boolean
}

/** The whole report as text. */
export function renderText(report: Report, { verbose }: TextOptions): string {
  const blocks: string[] = []
  for (const one of among(report, 'failed', 'harness_error', 'warned'))
    blocks.push(`${one.outcome.replace('_', ' ')}  ${failureText(one)}`)
  const idle = among(report, 'not_exercised')
  if (idle.length > 0) blocks.push(['Not exercised:', ...reasons(idle)].join('\n'))
  const absent = among(report, 'not_applicable')
  if (absent.length > 0) blocks.push(['Not applicable:', ...reasons(absent)].join('\n'))
  const expected = among(report, 'expected_failure')
  if (expected.length > 0)
    blocks.push(['Expected failures:', ...expected.map(({ id, reason }) => `  ${id}: ${reason}`)].join('\n'))
  if (verbose)
    blocks.push(
      [
        'Passed:',
        ...among(report, 'passed').map(
          ({ id, statement, reason }) => `  ${id}  ${statement}${reason ? ` (${reason})` : ''}`,
        ),
      ].join('\n'),
    )
  blocks.push(...report.problems)
  blocks.push(verdictLines(report).join('\n'))
  return `${blocks.join('\n\n')}\n`
}

/** Requirements that share a reason, in one line each. */
function reasons(requirements: readonly ReportedRequirement[]): string[] {
  const byReason = Map.groupBy(
    requirements,
    ({ reason, supply }) => `${reason}${supply ? `; supply ${supply}` : ''}`,
  )
  return [...byReason].map(([reason, those]) => {
    const ids = those.map(({ id }) => id)
    const shown = ids.length > 6 ? [...ids.slice(0, 5), `and ${ids.length - 5} more`] : ids
    return `  ${reason}\n    ${shown.join(', ')}`
  })
}

function verdictLines(report: Report): string[] {
  const { target, credits, requests, duration_ms } = report
  const lines = [
    `${target.base_url}: variant ${target.variant}, extended routes ${target.extended}; ${requests} requests in ${(duration_ms / 1_000).toFixed(1)} s; ${credits.spent} of ${credits.limit} credits spent`,
    `${report.outcome.toUpperCase()}: ${headline(report)}`,
  ]
  if (report.left.length > 0) lines.unshift(`Keys that could not be deleted: ${report.left.join(', ')}`)
  return lines
}
