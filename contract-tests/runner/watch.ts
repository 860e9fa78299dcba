/** Judges the traffic of a run by the model: what contradicts all that came before is a finding of its requirement. */
import type { Exchange } from '#traffic/exchange.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import type { Requirement } from '../harness/requirement.ts'
import { judge, type ModelEvent, type ModelViolation } from '../model/index.ts'
import { certain } from './undisturbed.ts'

/** What a run shows to the model. */
export interface Watched {
  readonly history: readonly ModelEvent[]
  readonly exchanges: readonly Exchange[]
  /** The results that the checks came to. */
  readonly results: readonly RequirementResult[]
  /** The requirements that were selected. */
  readonly selected: readonly Requirement[]
  /** ms in which a list or a balance may show a change late. */
  readonly lag: number
  /** ms in which a refund may follow the end of a run. */
  readonly patience: number
}

/**
 * The results that replace those of the checks: one for each requirement that a check found met, or could not test,
 * and that the traffic contradicts. What others may have caused is no finding, and what a check has found already
 * is not found twice: a contradiction in a reply of an operation that a requirement has failed at follows from that.
 */
export function watch({
  history,
  exchanges,
  results,
  selected,
  lag,
  patience,
}: Watched): RequirementResult[] {
  const { violations } = judge(history, { lag, patience })
  const broken = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
  const blamed = new Set(
    broken.flatMap(({ requirement, evidence }) => [
      requirement.operation,
      ...evidence.map(({ operation }) => operation),
    ]),
  )
  const found = new Map<string, RequirementResult>()
  for (const violation of certain(violations, history, exchanges)) {
    const requirement = selected.find(({ id }) => id === violation.requirement)
    const evidence = exchanges.filter(({ number }) => violation.because.includes(number))
    if (!requirement || found.has(requirement.id)) continue
    if (evidence.some(({ operation }) => blamed.has(operation))) continue
    found.set(requirement.id, resultOf(requirement, violation, evidence))
  }
  return [...found.values()]
}

function resultOf(
  requirement: Requirement,
  { expected, actual }: ModelViolation,
  evidence: readonly Exchange[],
): RequirementResult {
  const outcome = requirement.level === 'MUST' ? 'failed' : 'warned'
  return { requirement, outcome, how: 'observed', expected, actual, evidence }
}
