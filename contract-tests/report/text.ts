/** The report for a terminal. */

import { oneLine } from '#reporting/one-line.ts'
import type { ReportedExchange } from './exchange.ts'
import { among, headline, type Report, type ReportedRequirement } from './report.ts'

/** What a failure says: the requirement, what was expected, what came, and how to see it again. */
export function failureText(one: ReportedRequirement): string {
  const told = [
    ['Requirement', one.statement],
    ['Expected', one.expected],
    ['Actual', one.actual],
    ['Reason', one.reason],
    ...(one.evidence ?? []).flatMap(exchangeRows),
  ] as const
  const rows = told.flatMap(([name, text]) =>
    text === undefined ? [] : [`  ${name.padEnd(12)} ${oneLine(text)}`],
  )
  return [`${one.level} ${one.id} (${one.section})`, ...rows].join('\n')
}

/** Longest body and longest `curl` line that a terminal is given; the other reports have them whole. */
const longest = { body: 300, curl: 2_000 }

function exchangeRows({ request, response, curl }: ReportedExchange): [string, string][] {
  const body =
    response.body.length > longest.body ? `${response.body.slice(0, longest.body - 1)}…` : response.body
  const long = `a curl line of ${curl.length} characters; --report json=FILE or html=FILE has it`
  return [
    ['Exchange', `${request.method} ${request.url} -> ${response.status} ${body}`],
    ['Reproduce', curl.length > longest.curl ? long : curl],
  ]
}

export interface TextOptions {
  /** Tells every requirement, also those that passed. */
  readonly verbose: boolean
}

/** The whole report as text. */
export function renderText(report: Report, { verbose }: TextOptions): string {
  const blocks: string[] = []
  for (const one of among(report, 'failed', 'harness_error', 'warned'))
    blocks.push(`${one.outcome.replace('_', ' ')}  ${failureText(one)}`)
  const idle = among(report, 'not_exercised')
  if (idle.length > 0) blocks.push(['Not exercised:', ...reasons(idle, verbose)].join('\n'))
  const absent = among(report, 'not_applicable')
  if (absent.length > 0) blocks.push(['Not applicable:', ...reasons(absent, verbose)].join('\n'))
  const expected = among(report, 'expected_failure')
  if (expected.length > 0)
    blocks.push(
      ['Expected failures:', ...expected.map(({ id, reason }) => `  ${id}: ${oneLine(reason ?? '')}`)].join(
        '\n',
      ),
    )
  if (verbose)
    blocks.push(
      [
        'Passed:',
        ...among(report, 'passed').map(
          ({ id, statement, reason }) => `  ${id}  ${oneLine(statement + (reason ? ` (${reason})` : ''))}`,
        ),
      ].join('\n'),
    )
  blocks.push(...report.problems.map(oneLine))
  blocks.push(verdictLines(report).join('\n'))
  return `${blocks.join('\n\n')}\n`
}

/** Requirements that share a reason, after it; of many only some, where not all are asked for. */
function reasons(requirements: readonly ReportedRequirement[], all: boolean): string[] {
  const byReason = Map.groupBy(
    requirements,
    ({ reason, supply }) => `${reason}${supply ? `; supply ${supply}` : ''}`,
  )
  return [...byReason].map(([reason, those]) => {
    const ids = those.map(({ id }) => id)
    const shown = !all && ids.length > 6 ? [...ids.slice(0, 5), `and ${ids.length - 5} more`] : ids
    return `  ${oneLine(reason)}\n    ${shown.join(', ')}`
  })
}

function verdictLines(report: Report): string[] {
  const { target, credits, requests, duration_ms, left } = report
  const kept = left.length > 0 ? [`Keys that could not be deleted: ${oneLine(left.join(', '))}`] : []
  const facts = [
    `${target.base_url}: variant ${target.variant}, extended routes ${target.extended}`,
    `${requests} requests in ${(duration_ms / 1_000).toFixed(1)} s`,
    `${credits.spent} of ${credits.limit} credits spent`,
  ]
  return [...kept, facts.join('; '), verdictLine(report)]
}

/** `PASSED: 262 passed, 0 failed, of 264`: the verdict, always with its denominator. */
export function verdictLine(report: Report): string {
  return `${report.outcome.toUpperCase()}: ${headline(report)}`
}
