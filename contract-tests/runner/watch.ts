/** Judges the traffic of a run by the model: what contradicts all that came before is a finding of its requirement. */
import type { Exchange } from '#traffic/exchange.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import { isProbe, type Requirement } from '../harness/requirement.ts'
import type { ModelEvent, ModelViolation } from '../model/index.ts'
import { followsFrom } from './consequences.ts'
import { howOf } from './results.ts'
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
 * is not found twice: a contradiction in a reply of an operation that a requirement has failed at follows from that,
 * and one that rests on an event of an earlier contradiction from that one.
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
  const found = new Map<string, RequirementResult>()
  /** The first contradiction that rests on an event, by its requirement. */
  const causes = new Map<number, string>()
  const isStrict = (violation: ModelViolation) =>
    watched.find(({ id }) => id === violation.requirement)?.level === 'MUST'
  const counted = certain(violations, history, exchanges)
  for (const violation of [...counted.filter(isStrict), ...counted.filter((one) => !isStrict(one))]) {
    const { requirement: id, because, once } = violation
    if (because.some((event) => (causes.get(event) ?? id) !== id)) continue
    for (const event of because) causes.set(event, id)
    const requirement = (once ? watched : selected).find((one) => one.id === id)
    const evidence = exchanges.filter(({ number }) => because.includes(number))
    if (!requirement || found.has(id)) continue
    const others = broken.filter((one) => !followsFrom(one, [{ id, evidence }]))
    if (once ? isShown(evidence, broken) : isBlamed(evidence, others)) continue
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

/** Whether a requirement has failed at an operation of the evidence. */
function isBlamed(evidence: readonly Exchange[], broken: readonly RequirementResult[]): boolean {
  const blamed = broken.flatMap((one) => [one.requirement, ...one.evidence]).map(({ operation }) => operation)
  return evidence.some(({ operation }) => blamed.includes(operation))
}

function resultOf(
  requirement: Requirement,
  { expected, actual }: ModelViolation,
  evidence: readonly Exchange[],
): RequirementResult {
  const outcome = requirement.level === 'MUST' ? 'failed' : 'warned'
  const how = isProbe(requirement) && requirement.isJudged ? howOf(requirement) : 'observed'
  return { requirement, outcome, how, expected, actual, evidence }
}
