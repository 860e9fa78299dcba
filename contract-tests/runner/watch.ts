/** Judges the traffic of a run by the model: what contradicts all that came before is a finding of its requirement. */
import type { Exchange } from '#traffic/exchange.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import type { Requirement } from '../harness/requirement.ts'
import type { ModelEvent, ModelViolation } from '../model/index.ts'
import { certain } from './undisturbed.ts'

/** What a run shows to the model. */
export interface Watched {
  readonly history: readonly ModelEvent[]
  /** What the model objects to in it. */
  readonly violations: readonly ModelViolation[]
  readonly exchanges: readonly Exchange[]
  /** The results that the checks came to. */
  readonly results: readonly RequirementResult[]
  /** The requirements that were selected. */
  readonly selected: readonly Requirement[]
  /** Those, and what `--only` and `--shard` leave out: for what is a finding wherever it is seen. */
  readonly watched: readonly Requirement[]
}

/**
 * The results that replace those of the checks: one for each requirement that a check found met, or could not test,
 * and that the traffic contradicts. What others may have caused is no finding, and what a check has found already
 * is not found twice: a contradiction in a reply of an operation that a requirement has failed at follows from that.
 * An answer that a valid request may never get follows only from a finding that shows such an answer.
 */
export function watch({
  history,
  violations,
  exchanges,
  results,
  selected,
  watched,
}: Watched): RequirementResult[] {
  const broken = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
  const blamed = new Set(
    broken.flatMap(({ requirement, evidence }) => [
      requirement.operation,
      ...evidence.map(({ operation }) => operation),
    ]),
  )
  const found = new Map<string, RequirementResult>()
  for (const violation of certain(violations, history, exchanges)) {
    const requirement = (violation.once ? watched : selected).find(({ id }) => id === violation.requirement)
    const evidence = exchanges.filter(({ number }) => violation.because.includes(number))
    if (!requirement || found.has(requirement.id)) continue
    if (violation.once ? isShown(evidence, broken) : evidence.some(({ operation }) => blamed.has(operation)))
      continue
    found.set(requirement.id, resultOf(requirement, violation, evidence))
  }
  return [...found.values()]
}

/** Whether the evidence of a broken requirement shows such an answer already. */
function isShown(evidence: readonly Exchange[], broken: readonly RequirementResult[]): boolean {
  const last = evidence.at(-1)
  return broken.some((result) =>
    result.evidence.some(({ operation, status }) => operation === last?.operation && status === last.status),
  )
}

function resultOf(
  requirement: Requirement,
  { expected, actual }: ModelViolation,
  evidence: readonly Exchange[],
): RequirementResult {
  const outcome = requirement.level === 'MUST' ? 'failed' : 'warned'
  return { requirement, outcome, how: 'observed', expected, actual, evidence }
}
