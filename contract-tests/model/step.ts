/** Steps of the model: an answer is judged by the rules, then updates the state. */
import type { OperationId } from '#contract/operation.ts'
import { isFromFrontServer } from '../client/recorder.ts'
import { forgetRefusalsOfReusedName, learnMarkOrDeletionRefusal, learnRefusedCreation } from './creations.ts'
import type { AnsweredRequest, ProviderStateEvent, RequestEvent } from './event.ts'
import { learnKeyUse, learnRequestWithKey } from './key-updates.ts'
import {
  learnLimitsAndOutages,
  learnProviderStateSetup,
  learnProviderStateTeardown,
  updatesOnAnswerReceived,
  updatesOnRequestSent,
} from './learning.ts'
import { applyProviderState } from './paid-work.ts'
import { modelRules as allRules } from './rules/index.ts'
import { learnOddTextCreation } from './rules/odd-requests.ts'
import { emptyOrganization, getOrCreateKnownOrganization, type ModelState, rememberEvent } from './state.ts'
import type { ModelRule, ModelViolation } from './violation.ts'

/** Updates the state of the model when a request is sent: its effects may occur from then on. */
export function onRequestSent(state: ModelState, event: RequestEvent): void {
  forgetRefusalsOfReusedName(state, event)
  learnRequestWithKey(state, event)
  if (event.tenant === null) {
    state.lastUnowned.set(event.operation, event.sent.seq)
    return
  }
  const org = getOrCreateKnownOrganization(state, event.tenant)
  for (const expect of updatesOnRequestSent[event.operation] ?? []) expect(org, event, state)
}

const rulesByOperation = new WeakMap<readonly ModelRule[], Map<OperationId, readonly ModelRule[]>>()

/** The rules about the answers of an operation. */
function rulesFor(rules: readonly ModelRule[], operation: OperationId): readonly ModelRule[] {
  const known = rulesByOperation.get(rules) ?? new Map<OperationId, readonly ModelRule[]>()
  const found = known.get(operation) ?? rules.filter(({ operations }) => operations.includes(operation))
  rulesByOperation.set(rules, known.set(operation, found))
  return found
}

/**
 * Judges an answer by the rules and then updates the state by it, even if it violates one, so that one cause is
 * reported once. Returns the violations, the cause first; adds the judged requirements to `tried`. Of gateway answers
 * only the form is judged.
 */
export function judgeAndLearnAnswer(
  state: ModelState,
  event: RequestEvent,
  rules: readonly ModelRule[] = allRules,
  tried?: Set<string>,
): ModelViolation[] {
  if (event.answer === null) return []
  const answered = event as AnsweredRequest
  // Unauthenticated requests do not update the state.
  const org = event.tenant === null ? emptyOrganization : getOrCreateKnownOrganization(state, event.tenant)
  const asker = event.tenant !== null ? 'organization' : event.credential ? 'nobody' : undefined
  const isForeign = isFromFrontServer(event.answer)
  const violations: ModelViolation[] = []
  for (const rule of rulesFor(rules, event.operation)) {
    if (rule.audience !== 'anybody' && (isForeign || rule.audience !== asker)) continue
    const finding = rule.judge(org, answered, state)
    if (finding === undefined) continue
    if (finding === true) {
      tried?.add(rule.requirement)
      continue
    }
    if ('confirms' in finding) {
      for (const one of finding.confirms) {
        tried?.add(one)
        state.confirmedRequirements.add(one)
      }
      continue
    }
    tried?.add('requirement' in finding ? finding.requirement : rule.requirement)
    const { id, audience: _, operations: __, judge: ___, ...traits } = rule
    const evidence = [...new Set([...finding.evidence, event.id])]
    violations.push({ kind: 'violation', rule: id, ...traits, ...finding, evidence })
  }
  if (isForeign) return violations
  learnRefusedCreation(state, answered)
  learnMarkOrDeletionRefusal(state, answered)
  learnOddTextCreation(state, answered)
  if (event.tenant === null) return violations
  learnKeyUse(org, answered)
  learnLimitsAndOutages(org, answered)
  for (const learn of updatesOnAnswerReceived[event.operation] ?? []) learn(org, answered, state)
  rememberEvent(state, event)
  return violations
}

/** Updates the state of the model when a provider state is being set up: it may be in force from then on. */
export function onProviderStateSetupStarted(state: ModelState, event: ProviderStateEvent): void {
  learnProviderStateSetup(getOrCreateKnownOrganization(state, event.tenant), event)
}

/** Updates the state of the model when a provider state was set up or torn down. */
export function onProviderStateChanged(state: ModelState, event: ProviderStateEvent): void {
  onProviderStateSetupStarted(state, event)
  const org = getOrCreateKnownOrganization(state, event.tenant)
  learnProviderStateTeardown(org, event)
  applyProviderState(org, event)
  rememberEvent(state, event)
}
