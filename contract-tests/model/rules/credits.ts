/** §2, §3.2, §8.2: the balance falls by paid work only, and rises by its refunds only. */

import type { OperationId } from '#contract/operation.ts'
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import { requirementsConfirmedByBalance, requirementViolatedByBalance } from '../attribution.ts'
import { balanceBoundsAt } from '../balance.ts'
import { isSuccess } from '../event.ts'
import { hasValueWhere, numberAt, statusAndCode, tookEffect } from '../matching.ts'
import type { RequirementId } from '../requirement-id.ts'
import { type AttributionToOthers, declareModelRule, judgeFact, type ModelRule } from '../violation.ts'

const balanceExplained = (
  operation: OperationId,
  requirement: RequirementId,
  anchor: string,
  attributableToOthers: AttributionToOthers,
): ModelRule =>
  declareModelRule(`credits-explained-${operation}`, requirement, anchor, [operation], {
    subject: 'balance',
    attributableToOthers,
  }).judge((org, event, state) => {
    const credits = numberAt(event.answer.json, 'credits')
    const { min, minWithoutRefunds, max, minEvidence, maxEvidence } = balanceBoundsAt(
      org.balance,
      event,
      state,
    )
    if (!isSuccess(event.answer) || credits === undefined || min === -Infinity) return undefined
    if (credits >= minWithoutRefunds && credits <= max)
      return min === max ? { confirms: requirementsConfirmedByBalance(state, event, minEvidence()) } : true
    const range = min === max ? min : `${min} to ${max}`
    // Contradicting readings violate at least one bound.
    const open = credits < min ? `${min} or more` : `at most ${max}`
    const expected = `credits: ${min > max ? open : range}`
    const [evidence, bound] = credits < min ? [minEvidence(), min] : [maxEvidence(), max]
    const delta = credits - bound
    const cause =
      operation === 'whoami' ? requirementViolatedByBalance(state, event, evidence, delta) : undefined
    return { expected, actual: `credits: ${credits}`, evidence, delta, cause }
  })

const affordable = (operation: OperationId, requirement: RequirementId): ModelRule =>
  declareModelRule(`affordable-${operation}`, requirement, 'run-without-credit', [operation], {
    subject: 'spending',
    attributableToOthers: true,
  }).judge(({ balance }, event, state) => {
    const { max, maxEvidence } = balanceBoundsAt(balance, event, state)
    if (max === Infinity || !tookEffect(event.answer)) return undefined
    return (
      max >= 1 ||
      judgeFact(false, `402: at most ${max} credits are left`, statusAndCode(event.answer), ...maxEvidence())
    )
  })

const solvent = (operation: OperationId, requirement: RequirementId): ModelRule =>
  declareModelRule(`solvent-${operation}`, requirement, 'error-no-credits', [operation], {
    subject: 'solvency',
    attributableToOthers: 'balance',
  }).judge(({ balance }, event, state) => {
    const { min, minEvidence } = balanceBoundsAt(balance, event, state)
    if (min < 1) return undefined
    const { answer } = event
    return (
      answer.status !== 402 ||
      judgeFact(false, `no 402 with ${min} credits`, statusAndCode(answer), ...minEvidence())
    )
  })

/**
 * Rules on credits: only paid work lowers balances, only its refund raises them, and it is refused with 402 exactly if
 * no credit is left. One more: each generation has an id of its own.
 */
export const creditRules: readonly ModelRule[] = [
  balanceExplained('whoami', 'CREDITS-RUN-COSTS-ONE', 'prices', true),
  balanceExplained('listTasks', 'CREDITS-IN-LIST', 'task-credits', 'balance'),
  balanceExplained('createTask', 'CREDITS-IN-CREATE', 'task-credits', 'balance'),
  declareModelRule('refund-comes', 'CREDITS-REFUND', 'run-refund', ['whoami'], {
    subject: 'balance',
    attributableToOthers: true,
  }).judge((org, event, state) => {
    const credits = numberAt(event.answer.json, 'credits')
    const { min, minWithoutRefunds, minEvidence } = balanceBoundsAt(org.balance, event, state)
    if (!isSuccess(event.answer) || credits === undefined || minWithoutRefunds === min) return undefined
    if (credits < minWithoutRefunds) return undefined
    if (credits >= min) return true
    const expected = `credits: ${min} or more, since runs failed`
    const delta = credits - min
    const evidence = minEvidence()
    const cause = requirementViolatedByBalance(state, event, evidence, delta, true)
    return { expected, actual: `credits: ${credits}`, evidence, delta, cause }
  }),
  affordable('runTask', 'NO-CREDITS-REFUSED'),
  affordable('generateCreative', 'NO-CREDITS-CREATIVE'),
  declareModelRule('affordable-together', 'CREDITS-ATOMIC', 'billing-unavoidable', ['whoami'], {
    subject: 'spending',
    attributableToOthers: true,
  }).judge(({ balance }, event, state) => {
    const { max, overspent, maxEvidence } = balanceBoundsAt(balance, event, state)
    if (max === Infinity || !isSuccess(event.answer)) return undefined
    const actual = `${overspent} more than that`
    return (
      overspent === 0 || judgeFact(false, 'no more runs and creatives than credits', actual, ...maxEvidence())
    )
  }),
  solvent('runTask', 'RUN-ACCEPTED'),
  solvent('generateCreative', 'CREATIVE-ACCEPTED'),
  declareModelRule('creative-unique', 'CREATIVE-UNIQUE', 'creative-fields', ['generateCreative'], {
    neverConsequence: true,
  }).judge(({ issuedIds }, { answer }) => {
    const id = idAsText(valueAtPath(answer.json, 'artifactId'))
    if (!isSuccess(answer) || id === undefined) return undefined
    if (!hasValueWhere(issuedIds.keys(), (one) => one.startsWith('creative '))) return undefined
    const other = issuedIds.get(`creative ${id}`)
    return judgeFact(!other, 'a new artifactId', `${id} twice`, other?.eventId)
  }),
]
