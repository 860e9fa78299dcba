/** From what a check throws to the result of its requirement. */
import { NotApplicable, NotExercised, Violation } from '../client/check-errors.ts'
import type { How, RequirementResult } from '../harness/outcome.ts'
import { isProbe, type Requirement } from '../harness/requirement.ts'

/** The result of a requirement that passed, with a note for the report if there is one. */
export function passed(requirement: Requirement, note?: string | undefined): RequirementResult {
  const reason = note ? { reason: note } : {}
  return { requirement, outcome: 'passed', how: howOf(requirement), evidence: [], ...reason }
}

/** The result of a requirement whose check threw; an error that is not a check error is a defect of the suite. */
export function resultOf(requirement: Requirement, error: unknown): RequirementResult {
  const how = howOf(requirement)
  if (error instanceof Violation) {
    const { expected, actual, exchanges } = error
    const outcome = requirement.level === 'MUST' ? 'failed' : 'warned'
    return {
      requirement,
      outcome,
      how,
      expected,
      actual,
      evidence: exchanges,
      offBy: error.offBy,
      balances: error.balances,
    }
  }
  if (error instanceof NotExercised) {
    const supply = error.supply === undefined ? {} : { supply: error.supply }
    return { requirement, outcome: 'not_exercised', how, reason: error.message, ...supply, evidence: [] }
  }
  if (error instanceof NotApplicable)
    return { requirement, outcome: 'not_applicable', how, reason: error.message, evidence: [] }
  const { message, stack } = error as Error
  return {
    requirement,
    outcome: 'harness_error',
    how,
    reason: `error in the suite: ${message}`,
    evidence: [],
    stack: stack ?? message,
  }
}

/** How a requirement is tested. */
export function howOf(requirement: Requirement): How {
  if (!isProbe(requirement)) return 'observed'
  return requirement.needs.some((need) => need.startsWith('state:')) ? 'state' : 'induced'
}
