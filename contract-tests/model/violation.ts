/** Violations that the model finds, and the shape of its rules. */

import type { OperationId } from '#contract/operation.ts'
import { type AnsweredRequest, isSuccess } from './event.ts'
import { isSameTrimmed, quoteExpectedAndActual } from './matching.ts'
import type { RequirementId } from './requirement-id.ts'
import type { KnownOrganization, ModelState } from './state.ts'

/** Whether another client may have caused a violation: true, false, or `balance` if only by changing the balance. */
export type AttributionToOthers = boolean | 'balance'

/**
 * The facts that a rule depends on beside the requests that it judges: `balance`: credits shown; `spending`: work
 * accepted beyond them; `solvency`: work refused for want of them; `keys`: the keys that exist.
 */
type Subject = 'balance' | 'spending' | 'solvency' | 'keys'

/** A rule's objection to an answer. `evidence`: ids of earlier events. */
interface Objection {
  readonly expected: string
  readonly actual: string
  readonly evidence: readonly number[]
  /** By how much a number is wrong. */
  readonly delta?: number | undefined
  /** A more exact requirement than the rule's, from other knowledge. */
  readonly cause?: RequirementWithAnchor | undefined
}

/** An objection under a more exact requirement than the rule's. */
interface ExactObjection extends Objection {
  readonly requirement: RequirementId
}

/** A requirement, and its anchor in docs/specification.md. */
export type RequirementWithAnchor = Pick<ModelRule, 'requirement' | 'anchor'>

/**
 * An answer that contradicts earlier events. `evidence`: ids of the events that prove it, in order, the contradicting
 * answer last.
 */
export interface ModelViolation
  extends Objection,
    Pick<
      ModelRule,
      | 'requirement'
      | 'anchor'
      | 'subject'
      | 'promptFormOf'
      | 'attributableToOthers'
      | 'oneSightSuffices'
      | 'neverConsequence'
    > {
  readonly kind: 'violation'
  /** The id of the rule that found it. */
  readonly rule: string
}

/** An answer that also confirms other requirements. */
interface Confirms {
  readonly confirms: readonly RequirementId[]
}

/** Result of a rule: an objection, `true` if the answer is as required, or undefined if the rule does not apply. */
export type RuleJudgement = Objection | ExactObjection | Confirms | true | undefined

/** A rule of the model: judges an answer by what came before, without changing the state. */
export interface ModelRule {
  /** Unique; kebab-case. */
  readonly id: string
  /** Id of the requirement that is violated. */
  readonly requirement: RequirementId
  /** Anchor of docs/specification.md. */
  readonly anchor: string
  /** The operations whose answers it judges. */
  readonly operations: readonly OperationId[]
  readonly subject?: Subject | undefined
  /** Id of the rule that requires the same only once `--consistency` is over; this rule requires it at once. */
  readonly promptFormOf?: string | undefined
  /** Whether another client could cause the same violation: then it must be reproduced. */
  readonly attributableToOthers: AttributionToOthers
  /** True if only a fault of the service can explain a violation, so that one answer is proof enough. */
  readonly oneSightSuffices: boolean
  /** True if a violation never follows from another violation. */
  readonly neverConsequence: boolean
  /** Requests that it judges: authenticated ones, those certainly without access, or all. */
  readonly audience: 'organization' | 'nobody' | 'anybody'
  /** Judges a request with its answer by the knowledge of its organization. */
  judge(org: KnownOrganization, event: AnsweredRequest, state: ModelState): RuleJudgement
}

/**
 * Declares a rule of the model: `declareModelRule(id, requirement, anchor, operations, traits).judge((org, event,
 * state) => …)`.
 */
export const declareModelRule = (
  id: string,
  requirement: RequirementId,
  anchor: string,
  operations: readonly OperationId[],
  traits: Partial<
    Pick<
      ModelRule,
      | 'subject'
      | 'promptFormOf'
      | 'attributableToOthers'
      | 'oneSightSuffices'
      | 'neverConsequence'
      | 'audience'
    >
  > = {},
) => ({
  judge: (judge: ModelRule['judge']): ModelRule => ({
    ...{
      attributableToOthers: false,
      oneSightSuffices: false,
      neverConsequence: false,
      audience: 'organization',
    },
    ...{ id, requirement, anchor, operations, judge, ...traits },
  }),
})

/** Returns `true` if a fact holds, else an objection with the given events as evidence. */
export const judgeFact = (
  fact: boolean,
  expected: string,
  actual: string,
  ...evidence: readonly (number | undefined)[]
): RuleJudgement =>
  fact || { expected, actual, evidence: evidence.filter((eventId) => eventId !== undefined) }

/**
 * Returns `true` if a text equals the expected one up to white space at its ends, or if none is expected; else an
 * objection.
 */
export const judgeSameText = (
  shown: unknown,
  expectedText: string | undefined,
  what: string,
  ...evidence: readonly number[]
): RuleJudgement => {
  if (expectedText === undefined || isSameTrimmed(shown, expectedText)) return true
  const { expected, actual } = quoteExpectedAndActual(expectedText, shown)
  return judgeFact(false, `${what}: ${expected}`, actual, ...evidence)
}

/**
 * Judges each item of an answer, and returns the first objection. Without an objection it returns, for a success, the
 * requirements that items confirm, or else `true`; for other answers, or if `shown` is undefined, undefined.
 */
export function judgeEachItem<T>(
  shown: readonly T[] | undefined,
  { answer }: AnsweredRequest,
  judge: (one: T) => RuleJudgement,
): RuleJudgement {
  const confirms = new Set<RequirementId>()
  for (const one of shown ?? []) {
    const finding = judge(one)
    if (typeof finding !== 'object') continue
    if (!('confirms' in finding)) return finding
    for (const requirement of finding.confirms) confirms.add(requirement)
  }
  if (shown === undefined || !isSuccess(answer)) return undefined
  return confirms.size > 0 ? { confirms: [...confirms] } : true
}
