/**
 * The model: the specification as a nondeterministic state machine. The mock chooses, the model allows.
 *
 *   const { violations, state } = judge(history, { consistency: 2_000 })   // a whole history, overlapping requests included
 *
 *   const state = newState(2_000)                                  // or as it happens:
 *   onInvoke(state, event)                                         //   a request is sent
 *   onReturn(state, event)                                       //   its answer arrives → ModelViolation[]
 *
 * - A history consists of `RequestEvent`s (who, what, when; `answer: null` where it was lost) and `ArrangedEvent`s.
 *   Moments have a `seq` (the order in which one client saw them) and ms.
 * - `State` holds for each organization what is known of its tasks, documents, notifications, keys and balance, as
 *   constraints with the events that they rest on. What was never seen is not constrained: the start may be unknown.
 * - A request may have its effect from its sending until its answer; one that was lost, at any later time, or never.
 *   `mayOverlap` and `endedBefore` ask whether an effect can explain an answer: where it can, nothing is objected to.
 * - Rules (`rules`) read the state and an answer and object; learning changes the state. Each rule stands alone and
 *   carries its requirement, its anchor and whether other clients could cause the same (`attributableToOthers: true`: accuse only
 *   what was seen again in a fresh context, or several times in one history).
 * - `violation.evidence` lists the ids of the events that suffice for the contradiction, the last one contradicting.
 */
export { attributeToCause, balanceRules, isBalanceRequirement, withCause } from './attribution.ts'
export {
  type Answered,
  type ArrangedEvent,
  areDistinctTenants,
  type Credential,
  isUnknownTenant,
  type ModelEvent,
  type OrderedMoment,
  type RequestEvent,
  SecretIdentity,
  unknownTenant,
} from './event.ts'
export { Judge, judge, type Verdict } from './judge.ts'
export { readHistory, writeHistory } from './ndjson.ts'
export {
  describeRefusal,
  documentedErrors,
  isRefused,
  type Refusal,
  refusalOrSuccess,
  refusals,
} from './refusal.ts'
export { acceptanceRequirementId } from './rules/admission.ts'
export { codesByStatus } from './rules/answers.ts'
export { rules, statelessRules } from './rules/index.ts'
export { type BadBody, refusedBodies } from './rules/refusals.ts'
export { newState, type Organization, organizationOf, type State } from './state.ts'
export { onInvoke, onReturn, onSetupDone } from './step.ts'
export type { ModelViolation, Rule } from './violation.ts'
