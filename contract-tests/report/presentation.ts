/** The conformance report in the model from which every format is rendered. */
import type { ReportFormat } from '#reporting/formats.ts'
import { renderReport } from '#reporting/render/index.ts'
import type { Evidence, Report, ReportResult } from '#reporting/report.ts'
import { workCreditsText } from '../harness/run-state.ts'
import type { ReportedExchange, ReportedProviderState } from './exchange.ts'
import type { ConformanceReport, ReportedRequirement } from './report.ts'

/** The report on a service as text, in one of its formats. */
export function renderConformance(report: ConformanceReport, format: ReportFormat): string {
  return renderReport(format, report, presentConformance(report))
}

/** The report on a service in the form that every renderer takes. */
export function presentConformance(report: ConformanceReport): Report {
  const { suite, target, outcome, strict, problems, credits, left, run_id, started_at, duration_ms } = report
  const strength = report.strength && presentStrength(report.strength)
  return {
    producer: suite.name,
    title: 'Conformance',
    party: 'the service',
    subject: target.base_url,
    outcome,
    strict,
    facts: {
      variant: target.variant,
      'extended routes': target.extended,
      requests: String(report.requests),
      answers: answersText(report.answers),
      disturbances: disturbancesText(report.disturbances),
      'credits spent': creditsText(credits),
      created: String(report.created.length),
      started: started_at,
      took: `${(duration_ms / 1_000).toFixed(1)} s`,
      suite: `${suite.name} ${suite.version}`,
      run: run_id,
      ...strength?.facts,
    },
    properties: {
      suite_version: suite.version,
      base_url: target.base_url,
      variant: target.variant,
      extended: target.extended,
      run_id,
      outcome,
      credits_limit: credits.limit,
      credits_spent: credits.spent,
      ...report.disturbances,
      ...Object.fromEntries(
        Object.entries(report.answers).map(([status, count]) => [`answers_${status}`, count]),
      ),
      ...strength?.properties,
    },
    lead: report.lead,
    notes: [
      ...(report.server_errors === undefined ? [] : [`${report.server_errors}.`]),
      ...(strength?.notes ?? []),
      ...report.not_selected.map(notSelectedText),
      ...(report.took_along.length > 0 ? [prerequisitesText(report)] : []),
      ...problems,
      ...(left.length > 0 ? [`Keys that could not be deleted: ${left.join(', ')}`] : []),
    ],
    parts: [],
    results: report.requirements.map(presentRequirement),
    started_at,
    duration_ms,
  }
}

/** Most violations listed as unnoticed, for each way to see them. */
const manyMissed = 6

/** The part of a report that says how many violations the run would have noticed, and which it would have missed. */
export function presentStrength(
  strength: NonNullable<ConformanceReport['strength']>,
): Pick<Report, 'notes' | 'facts' | 'properties'> {
  const { noticed, of, events, events_of, requirements, unnoticed } = strength
  const part = events < events_of ? ` in its first ${events} events` : ''
  const by = Object.entries(requirements)
  const groups = Map.groupBy(by, ([id]) => id.split('-')[0])
  const counts = [...groups].map(([name, ones]) => `${name} ${ones.reduce((sum, [, n]) => sum + n, 0)}`)
  const missed = [...Map.groupBy(unnoticed, ({ shown_by }) => shown_by)].map(([way, ones]) => {
    const few = ones.slice(0, manyMissed).map(({ says }) => says.replace(/\.$/, ''))
    const more = ones.length - few.length
    const rest = more > 0 ? `; and ${more} more, which the JSON report lists` : ''
    return `Not noticed, but perhaps with ${way}: ${few.join('; ')}${rest}.`
  })
  return {
    notes: [`This run would have noticed ${noticed} of ${of} violations in what it saw${part}.`, ...missed],
    facts: { 'noticed by': counts.join(', ') },
    properties: {
      strength: `${noticed} of ${of}`,
      strength_noticed_by: by.map((one) => one.join(' ')).join(', '),
      strength_unnoticed: unnoticed.map(({ id }) => id).join(', '),
    },
  }
}

/** `303 others were not selected (--only).` */
function notSelectedText({ flag, count }: ConformanceReport['not_selected'][number]): string {
  return `${count} ${count === 1 ? 'other was' : 'others were'} not selected (${flag}).`
}

/** `Prerequisite requests: a run, a failing run; 1 Work Credit in all.`: a credit that came back is not spent. */
function prerequisitesText({ took_along, credits: { spent } }: ConformanceReport): string {
  return `Prerequisite requests: ${took_along.join(', ')}; ${workCreditsText(spent)} in all.`
}

/** `3 of 20, and 24 that a provider state gave, at most 2 more: answers were lost`. */
function creditsText({ limit, spent, perhaps, given = 0 }: ConformanceReport['credits']): string {
  const ofState = given > 0 ? `, and ${given} that a provider state gave` : ''
  return `${spent} of ${limit}${ofState}${perhaps > 0 ? `, at most ${perhaps} more: answers were lost` : ''}`
}

/** `812 of 200, 53 of 401`. */
function answersText(answers: ConformanceReport['answers']): string {
  const counts = Object.entries(answers).map(([status, count]) => `${count} of ${status}`)
  return counts.join(', ') || 'none'
}

function disturbancesText(disturbances: ConformanceReport['disturbances']): string {
  const { dropped, gateway, waits, waited_ms, repeats } = disturbances
  if (dropped + gateway + waits + repeats === 0) return 'no network errors'
  const waited = `${waits} waits (${(waited_ms / 1_000).toFixed(1)} s)`
  return `${dropped} dropped connections, ${gateway} gateway answers, ${waited}, ${repeats} repeats`
}

/** One requirement of a report in the form that every renderer takes. */
export function presentRequirement({
  evidence = [],
  how,
  ...requirement
}: ReportedRequirement): ReportResult {
  const group = requirement.id.split('-')[0] ?? requirement.id
  return {
    ...requirement,
    how: howTexts[how],
    group,
    findings: [],
    evidence: evidence.map((one) => presentExchange(one, evidence)),
    kept: [],
  }
}

function presentExchange(exchange: ReportedExchange, all: readonly ReportedExchange[]): Evidence {
  const { number, request, response, caller, together, after_wait_ms } = exchange
  const path = URL.parse(request.url)?.pathname ?? request.url
  const summary = `${request.method} ${path} -> ${response.status}`
  const group = together === undefined ? [] : all.filter((one) => one.together === together)
  return {
    summary,
    note: callers[caller],
    ...(number === undefined ? {} : { place: `Entry ${number}` }),
    exchange,
    arranged: (exchange.arranged ?? []).map(arrangedText),
    headers: tellingHeaders.flatMap(([header, name]) => {
      const value = response.headers[header]
      return value === undefined ? [] : [`${name}: ${value}`]
    }),
    ...(after_wait_ms === undefined ? {} : { wait: `${after_wait_ms / 1_000} s after the answer above` }),
    ...(group.length > 1 ? { together: { at: group.indexOf(exchange), of: group.length } } : {}),
    ...(group.length > 1 && group.at(-1) === exchange ? { atOnce: atOnce(group) } : {}),
  }
}

/** Headers shown beside an answer: when to try again, and ids by which the service finds it in its logs. */
const tellingHeaders = [
  ['retry-after', 'Retry-After'],
  ['x-request-id', 'X-Request-Id'],
] as const

/** One shell line that sends requests at once, as they were sent. */
const atOnce = (group: readonly ReportedExchange[]) => `${group.map(({ curl }) => `${curl} & `).join('')}wait`

/** `rate_limit {"limit":1,"window_s":60}, set up 12 ms before`. */
function arrangedText({ state, params, before_ms }: ReportedProviderState): string {
  const values = Object.keys(params).length > 0 ? ` ${JSON.stringify(params)}` : ''
  return `${state}${values}, set up ${before_ms} ms before`
}

const howTexts: Readonly<Record<ReportedRequirement['how'], string>> = {
  observed: 'seen in the traffic',
  induced: 'by requests of its own',
  state: 'in a provider state',
}

const callers: Readonly<Record<ReportedExchange['caller'], string>> = {
  main: 'with the API key',
  other: 'with the key of the other organization',
  session: 'with the browser session',
  'created key': 'with a created key',
  stranger: 'with a credential that is not valid',
  nobody: 'without a credential',
}
