/** One event: judged by the rules, then learned from. */
import type { OperationId } from '#contract/operation.ts'
import { forgetRefused, learnRefused } from './creations.ts'
import type { Answered, ArrangedEvent, RequestEvent } from './event.ts'
import {
  expectArranged,
  learnAvailability,
  learnTornDown,
  learnUse,
  onAnswer,
  onRequest,
} from './learning.ts'
import { learnArranged } from './paid-work.ts'
import { rules as allRules } from './rules/index.ts'
import { organizationOf, remember, type State, unknownOrganization } from './state.ts'
import type { ModelViolation, Rule } from './violation.ts'

/** Notes in the state that a request was sent: from now on it may have its effect. Changes `state`. */
export function send(state: State, event: RequestEvent): void {
  forgetRefused(state, event)
  if (event.tenant === null) return
  const org = organizationOf(state, event.tenant)
  for (const expect of onRequest[event.operation] ?? []) expect(org, event, state)
}

const byOperation = new WeakMap<readonly Rule[], Map<OperationId, readonly Rule[]>>()

/** The rules about the answers of an operation. */
function rulesOn(rules: readonly Rule[], operation: OperationId): readonly Rule[] {
  const known = byOperation.get(rules) ?? new Map<OperationId, readonly Rule[]>()
  const found = known.get(operation) ?? rules.filter(({ operations }) => operations.includes(operation))
  byOperation.set(rules, known.set(operation, found))
  return found
}

/**
 * Judges an answer by what is known, then learns from it. Changes `state`. Returns the violations, the first of
 * which is the cause; what an answer says is believed even then, so that it is objected to once. `tried`: gets the
 * ids of the requirements whose rules had something to judge.
 */
export function receive(
  state: State,
  event: RequestEvent,
  rules: readonly Rule[] = allRules,
  tried?: Set<string>,
): ModelViolation[] {
  if (event.answer === null) return []
  const answered = event as Answered
  // Of nobody's requests nothing is learned.
  const org = event.tenant === null ? unknownOrganization : organizationOf(state, event.tenant)
  const asker = event.tenant !== null ? 'organization' : event.credential ? 'nobody' : undefined
  const violations = rulesOn(rules, event.operation).flatMap((rule): ModelViolation[] => {
    if (rule.asker !== 'anybody' && rule.asker !== asker) return []
    const finding = rule.judge(org, answered, state)
    if (finding !== undefined) tried?.add(rule.requirement)
    if (finding === undefined || finding === true) return []
    if ('fits' in finding) {
      for (const one of finding.fits) {
        tried?.add(one)
        state.fitted.add(one)
      }
      return []
    }
    const { id, requirement, anchor, others, once, direct } = rule
    const because = [...new Set([...finding.because, event.id])]
    return [{ kind: 'violation', rule: id, requirement, anchor, others, once, direct, ...finding, because }]
  })
  learnRefused(state, answered)
  if (event.tenant === null) return violations
  learnUse(org, answered)
  learnAvailability(org, answered)
  for (const learn of onAnswer[event.operation] ?? []) learn(org, answered, state)
  remember(state, event)
  return violations
}

/** Notes that a state is being arranged: from now on it may be in force. Changes `state`. */
export function announce(state: State, event: ArrangedEvent): void {
  expectArranged(organizationOf(state, event.tenant), event)
}

/** Notes a state that was arranged. Changes `state`. */
export function arrange(state: State, event: ArrangedEvent): void {
  announce(state, event)
  const org = organizationOf(state, event.tenant)
  learnTornDown(org, event)
  learnArranged(org, event)
  remember(state, event)
}
