/**
 * The model: the specification as a nondeterministic state machine. The mock chooses, the model allows.
 *
 *   const { violations, state } = judgeHistory(history, { consistency: 2_000 })   // whole, overlapping requests included
 *
 *   const state = createModelState(2_000)           // or as it happens:
 *   onRequestSent(state, event)                    //   a request is sent
 *   judgeAndLearnAnswer(state, event)                 //   its answer arrives → ModelViolation[]
 *
 * - A history consists of `RequestEvent`s (who, what, when; `answer: null` where it was lost) and `ProviderStateEvent`s.
 *   Moments have a `seq` (the order in which one client saw them) and ms.
 * - `ModelState` holds for each organization what is known of its tasks, documents, notifications, keys and balance, as
 *   constraints with the events that they rest on. What was never seen is not constrained: the start may be unknown.
 * - A request may have its effect from its sending until its answer; one that was lost, at any later time, or never.
 *   `mayFallBetween` and `hasEndedBefore` ask whether an effect can explain an answer: where it can, nothing is objected to.
 * - Rules (`modelRules`) read the state and an answer and object; learning changes the state. Each rule stands alone and
 *   carries its requirement, its anchor and whether other clients could cause the same (`attributableToOthers: true`: accuse only
 *   what was seen again in a fresh context, or several times in one history).
 * - `violation.evidence` lists the ids of the events that suffice for the contradiction, the last one contradicting.
 */
export {
  attributeBalanceViolation,
  balanceRuleIds,
  isBalanceRequirement,
  withKnownCause,
} from './attribution.ts'
export {
  type AnsweredRequest,
  areDistinctTenants,
  type CredentialKind,
  isUnknownTenant,
  type ModelEvent,
  nthUnknownTenant,
  type OrderedMoment,
  type ProviderStateEvent,
  type RequestEvent,
  SecretNumbering,
} from './event.ts'
export { HistoryJudge, judgeHistory, type ModelVerdict } from './judge.ts'
export { historyFromNdjson, historyToNdjson } from './ndjson.ts'
export {
  type AllowedRefusal,
  allowRefusalOrSuccess,
  badInputStatuses,
  describeRefusal,
  documentedErrorStatuses,
  documentedRefusals,
  isAllowedRefusal,
} from './refusal.ts'
export { acceptanceRequirementId } from './rules/admission.ts'
export { errorCodesByStatus } from './rules/answers.ts'
export { modelRules, statelessModelRules } from './rules/index.ts'
export { type BadBodyKind, refusedBodyKinds } from './rules/refusals.ts'
export {
  createModelState,
  getOrCreateKnownOrganization,
  type KnownOrganization,
  type ModelState,
} from './state.ts'
export { judgeAndLearnAnswer, onProviderStateChanged, onRequestSent } from './step.ts'
export type { ModelRule, ModelViolation } from './violation.ts'
