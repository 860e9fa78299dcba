/** One event: judged by the rules, then learned from. */
import type { Answered, ModelEvent, RequestEvent } from './event.ts'
import { onAnswer, onRequest } from './learning/index.ts'
import { rules as allRules } from './rules/index.ts'
import { copyOf, organizationOf, type State } from './state.ts'
import type { ModelViolation, Rule } from './violation.ts'

/** Notes in the state that a request was sent: from now on it may have its effect. Changes `state`. */
export function send(state: State, event: RequestEvent): void {
  if (event.tenant !== null) onRequest[event.operation]?.(organizationOf(state, event.tenant), event)
}

/**
 * Judges an answer by what is known, then learns from it. Changes `state`. Returns the violations, the first of
 * which is the cause; what an answer says is believed even then, so that it is objected to once.
 */
export function receive(
  state: State,
  event: RequestEvent,
  rules: readonly Rule[] = allRules,
): ModelViolation[] {
  if (event.answer === null || event.tenant === null) return []
  const answered = event as Answered
  const org = organizationOf(state, answered.tenant)
  const violations = rules.flatMap((rule): ModelViolation[] => {
    if (!rule.operations.includes(event.operation)) return []
    const objection = rule.judge(org, answered, state)
    if (!objection) return []
    const { requirement, anchor, others } = rule
    const because = [...objection.because, event.id]
    return [{ kind: 'violation', requirement, anchor, others, ...objection, because }]
  })
  onAnswer[event.operation]?.(org, answered)
  return violations
}

/**
 * One event that no other overlaps. Pure: returns the state after it, or the violation. Events that overlap are
 * judged by `judge`, or by `send` and `receive` in the order of their moments.
 */
export function step(
  state: State,
  event: ModelEvent,
  rules: readonly Rule[] = allRules,
): State | ModelViolation {
  const next = copyOf(state)
  if (event.kind === 'arranged') return next
  send(next, event)
  return receive(next, event, rules)[0] ?? next
}
