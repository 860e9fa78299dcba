/** Joins the reports of several parts of one run. */
import { totalsOf } from '#reporting/outcome.ts'
import { catalogue } from '../catalogue/index.ts'
import type { ConformanceReport, ReportedRequirement } from './report.ts'

/** Outcomes of one requirement, the one that counts most first. */
const precedence: readonly ReportedRequirement['outcome'][] = [
  'failed',
  'harness_error',
  'warned',
  'expected_failure',
  'passed',
  'not_applicable',
  'not_exercised',
]

/** What decides the outcome of the merged report. */
interface MergeConditions {
  readonly strict: boolean
  readonly requireComplete: boolean
  /** Ids of requirements that are known not to be exercised, besides those that the parts knew. */
  readonly knownGaps?: readonly string[]
}

/** Problems of a part that the whole decides anew. */
const ofOnePart = /^(?:--require-complete: |--strict: |No requirement was exercised)/

/** Reasons of results that no other part could have changed: the operator left the requirement out. */
const leftOut = 'left out by --skip'

/** The report of the whole. @throws Error if the reports are of different suites or services, or not its parts. */
export function mergeReports(
  reports: readonly ConformanceReport[],
  { strict, requireComplete, knownGaps = [] }: MergeConditions,
): ConformanceReport {
  const [first] = reports
  if (!first) throw new Error('there is no report to merge')
  for (const { suite, target } of reports) {
    if (suite.version !== first.suite.version)
      throw new Error(`the reports are of the versions ${first.suite.version} and ${suite.version}`)
    if (target.base_url !== first.target.base_url)
      throw new Error(`the reports are of ${first.target.base_url} and ${target.base_url}`)
  }
  const wrong = wrongParts(reports)
  if (wrong !== undefined) throw new Error(wrong)
  const requirements = idsIn(reports).map((id) => mostTelling(reports, id))
  const totals = totalsOf(requirements)
  const problems = reports.flatMap((one) => one.problems).filter((one) => !ofOnePart.test(one))
  const not_selected = notSelectedIn(reports, requirements.length)
  const known = new Set([...knownGaps, ...reports.flatMap((one) => one.known_gaps)])
  const isGap = ({ id, outcome, reason }: ReportedRequirement) =>
    outcome === 'not_exercised' && reason !== leftOut && !known.has(id)
  const gaps =
    requirements.filter(isGap).length +
    sum(not_selected.map(({ flag, count }) => (flag === '--only' ? 0 : count)))
  const isExercised = totals.passed + totals.failed + totals.warned + totals.expected_failure > 0
  if (strict && totals.warned > 0) problems.push(`--strict: SHOULD findings count: ${totals.warned}.`)
  if (requireComplete && gaps > 0) problems.push(`--require-complete: requirements not exercised: ${gaps}.`)
  if (!isExercised) problems.push('No requirement was exercised.')
  const isBroken = totals.failed > 0 || (strict && totals.warned > 0) || reports.some(failedOtherwise)
  const { shard: _, ...whole } = first
  return {
    ...whole,
    target: { ...first.target, ...seenIn(reports) },
    outcome: isBroken ? 'failed' : problems.length > 0 ? 'incomplete' : 'passed',
    strict,
    problems: [...new Set(problems)],
    started_at: reports.map(({ started_at }) => started_at).toSorted()[0] ?? first.started_at,
    duration_ms: Math.max(...reports.map(({ duration_ms }) => duration_ms)),
    requests: sum(reports.map(({ requests }) => requests)),
    answers: added(reports.map(({ answers }) => answers)),
    disturbances: added(reports.map(({ disturbances }) => disturbances)),
    totals,
    credits: added(reports.map(({ credits }) => credits)),
    requirements,
    not_selected,
    took_along: [...new Set(reports.flatMap((one) => one.took_along))],
    known_gaps: [...known],
    created: reports.flatMap(({ created }) => created),
    left: reports.flatMap(({ left }) => left),
  }
}

/** Why reports are not the parts of one whole, each once; undefined: they are. */
function wrongParts(reports: readonly ConformanceReport[]): string | undefined {
  const runs = reports.map(({ run_id }) => run_id)
  const again = runs.find((id, i) => runs.indexOf(id) < i)
  if (again !== undefined) return `the report of the run ${again} is given twice`
  const shards = reports.flatMap(({ shard }) => shard ?? [])
  if (shards.length === 0) return undefined
  if (shards.length < reports.length)
    return `${shards.length} of ${reports.length} reports are of a shard, the others of a whole run`
  const [{ of } = { of: 0 }] = shards
  const other = shards.find((one) => one.of !== of)
  if (other) return `the shard ${other.part}/${other.of} is no part of a run in ${of} shards`
  const named = (parts: readonly number[]) => parts.map((part) => `${part}/${of}`).join(', ')
  const counts = Array.from({ length: of }, (_, i) => shards.filter(({ part }) => part === i + 1).length)
  const partsWhere = (is: (count: number) => boolean) =>
    counts.flatMap((count, i) => (is(count) ? [i + 1] : []))
  const [missing, doubled] = [partsWhere((count) => count === 0), partsWhere((count) => count > 1)]
  const wrong = [
    ...(missing.length > 0 ? [`the shard ${named(missing)} is missing`] : []),
    ...(doubled.length > 0 ? [`the shard ${named(doubled)} is given twice`] : []),
  ]
  return wrong.length > 0 ? wrong.join(', and ') : undefined
}

/** The numbers of all parts, added up by their names. */
function added<Name extends string>(parts: readonly Readonly<Record<Name, number>>[]): Record<Name, number> {
  const names = new Set(parts.flatMap((part) => Object.keys(part) as Name[]))
  const sums = [...names].map((name) => [name, sum(parts.map((part) => part[name] ?? 0))])
  return Object.fromEntries(sums) as Record<Name, number>
}

/** The ids that some part selected, in the order of the catalogue. */
function idsIn(reports: readonly ConformanceReport[]): string[] {
  const ids = new Set(reports.flatMap(({ requirements }) => requirements.map(({ id }) => id)))
  return catalogue.flatMap(({ id }) => (ids.has(id) ? [id] : []))
}

/** What no part selected, by the flags of the part that selected most. */
function notSelectedIn(reports: readonly ConformanceReport[], selected: number) {
  const [widest] = reports.toSorted((a, b) => b.requirements.length - a.requirements.length)
  let added = selected - (widest?.requirements.length ?? 0)
  return (widest?.not_selected ?? []).flatMap(({ flag, count }) => {
    const left = Math.max(0, count - added)
    added -= count - left
    return left > 0 ? [{ flag, count: left }] : []
  })
}

/** A part that failed for another reason than a requirement: a stale or expired expected failure. */
function failedOtherwise({ outcome, totals, strict }: ConformanceReport): boolean {
  return outcome === 'failed' && totals.failed === 0 && !(strict && totals.warned > 0)
}

function mostTelling(reports: readonly ConformanceReport[], id: string): ReportedRequirement {
  const results = reports.flatMap(({ requirements }) => requirements.filter((one) => one.id === id))
  const rankOf = ({ outcome, reason }: ReportedRequirement) =>
    precedence.indexOf(outcome) + (reason?.startsWith('not in the shard') ? 0.5 : 0)
  const [result] = results.toSorted((a, b) => rankOf(a) - rankOf(b))
  return result as ReportedRequirement
}

/** The variant and the extended routes as the first part that knows them saw them. */
function seenIn(reports: readonly ConformanceReport[]) {
  const known = (name: 'variant' | 'extended') =>
    reports.map(({ target }) => target[name]).find((value) => value !== 'unknown') ?? 'unknown'
  return { variant: known('variant'), extended: known('extended') }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
