/** The report on a client under every fault: what became of each run, and of all together. */
import {
  type ClientReport,
  createClientReport,
  type FaultMatrix,
  type FaultMatrixCell,
  isViolated,
  mergeClientReports,
} from '../client-report.ts'
import { demandResultOf, mayExplainViolationOfLevel } from '../judge.ts'
import { demandsOnWorkLeftBehind } from './effects.ts'
import { type FaultCase, faultFreeCase, plannedFaults } from './plan.ts'
import { type ClientTrial, toReportedRequests } from './trial.ts'

/** A planned combination of faults, and the run of the client under it. */
export interface TriedFaultCase {
  readonly tried: FaultCase
  readonly trial: ClientTrial
}

/** Maximum number of requests that a cell shows. */
const mostTrace = 60

/**
 * Creates the report on a client's runs under every fault. `usual`: its run without a fault; `repeatOf`: returns the
 * command line that repeats a run.
 */
export function createFaultReport(
  usual: ClientTrial,
  runs: readonly TriedFaultCase[],
  strict: boolean,
  repeatOf: (tried: FaultCase) => string,
): ClientReport & { readonly matrix: FaultMatrix } {
  const plain = judgeTrial(usual, undefined, faultFreeCase)
  const known = new Set(plain.rules.filter(isViolated).map(({ id }) => id))
  const judged = runs.map(({ tried, trial }) => ({ tried, trial, report: judgeTrial(trial, usual, tried) }))
  const cells = judged.map(({ tried, trial, report }) => cellOf(tried, trial, report, known, repeatOf(tried)))
  const merged = mergeClientReports([plain, ...judged.map(({ report }) => report)], strict)
  return { ...merged, matrix: matrixOf(usual, cells) }
}

/**
 * Judges one run of a client under faults, by rules and by effects. `usual`: the run without a fault, to compare it
 * with.
 */
export function judgeTrial(
  trial: ClientTrial,
  usual: ClientTrial | undefined,
  { id, recoverability }: FaultCase,
): ClientReport {
  const { parts, rules, strict } = trial.report
  const broken = new Map(rules.filter(isViolated).map((rule) => [rule.id, rule.level]))
  const results = demandsOnWorkLeftBehind.map((effect) => {
    const found = usual && effect.judge({ trial, usual, recoverability })
    const isCaused = effect.followsFrom.some((id) => mayExplainViolationOfLevel(broken.get(id), effect.level))
    const isTold = found && !(isCaused && found.violation !== undefined)
    const result = demandResultOf(
      effect,
      isTold ? [{ ...found, evidence: toReportedRequests(found.evidence) }] : [],
      id,
    )
    if (isViolated(result)) broken.set(effect.id, effect.level)
    return result
  })
  return createClientReport(parts, [...rules, ...results], strict)
}

function cellOf(
  { id, request, fault }: FaultCase,
  { requests, isMet, end, note }: ClientTrial,
  { rules }: ClientReport,
  known: ReadonlySet<string>,
  repeat: string,
): FaultMatrixCell {
  const broken = rules.filter((rule) => isViolated(rule) && !known.has(rule.id))
  const worst = broken.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'warned'
  return {
    id,
    request,
    fault,
    // A run that was cut off shows what was violated, and not that nothing was.
    outcome: broken.length > 0 ? worst : isMet && end ? 'passed' : 'not_exercised',
    violations: broken.map((rule) => ({ id: rule.id, what: rule.findings[0]?.what ?? '' })),
    end: note,
    requests: requests.length,
    repeat,
    trace: toReportedRequests(requests.slice(0, mostTrace)),
  }
}

const weights = { failed: 1_000, warned: 1, not_exercised: 0, passed: 0 }
const weightOf = (cells: readonly FaultMatrixCell[]) =>
  cells.reduce((sum, { outcome }) => sum + weights[outcome], 0)

function matrixOf({ end, note, requests }: ClientTrial, all: readonly FaultMatrixCell[]): FaultMatrix {
  const worstFirst = all.toSorted((a, b) => weightOf([b]) - weightOf([a]))
  const cells = worstFirst.filter(({ request }) => request !== null)
  const rows = [...Map.groupBy(all, ({ request }) => request)].flatMap(([request, those]) =>
    request === null ? [] : [{ request, weight: weightOf(those) }],
  )
  return {
    usual: { ok: end?.ok === true, end: note, requests: requests.length },
    faults: plannedFaults
      .filter(({ id }) => cells.some(({ fault }) => fault === id))
      .map(({ id, title }) => ({ id, title })),
    requests: rows.toSorted((a, b) => b.weight - a.weight).map(({ request }) => request),
    cells,
    others: worstFirst.filter(({ request }) => request === null),
  }
}
