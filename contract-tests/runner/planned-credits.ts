/** The most Work Credits that a run of the suite may spend, known before the first request. */
import { type Check, isCheck, type Requirement } from '../harness/requirement.ts'
import type { Settings } from '../harness/terms.ts'
import { mostAttempts } from './schedule.ts'
import { selectionOf, unmetPrerequisite } from './selection.ts'

/** Credits that all requirements together need: they share paid runs. */
const mostForAll = 20

/** The most credits that one attempt at a check may spend, with the shared evidence that it takes. */
export const costOfAttempt = (check: Check): number => costOfRepeat(check) + check.sharesOnce

/** The most credits that another attempt may spend. */
const costOfRepeat = ({ cost, shares }: Check) => cost + shares

/** The most credits that a run with these settings may spend, repeated checks included; the budget enforces it. */
export function plannedCredits(settings: Settings, requirements: readonly Requirement[]): number {
  const { selected, along } = selectionOf(requirements, settings)
  const checks = [...selected.filter(isCheck), ...along].filter((one) => !unmetPrerequisite(settings, one))
  const mostOf = (one: Check) =>
    costOfAttempt(one) + (one.retryOnViolation ? mostAttempts - 1 : 0) * costOfRepeat(one)
  const most = checks.reduce((sum, one) => sum + mostOf(one), 0)
  return Math.min(settings.readOnly ? 0 : settings.maxCredits, most, mostForAll)
}
