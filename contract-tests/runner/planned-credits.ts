/** The most Work Credits that a run of the suite may spend, known before the first request. */
import { type Check, isCheck, type Requirement } from '../harness/requirement.ts'
import type { SuiteSettings } from '../harness/terms.ts'
import { maxAttempts } from './schedule.ts'
import { selectRequirements, unmetPrerequisiteError } from './selection.ts'

/** Credits that all requirements together need: they share paid runs. */
const mostForAll = 16

/** The credits that are kept for repeating violated checks, where the limit allows more than one pass needs. */
export const retryReserveCredits = 4

/** The most credits that one attempt at a check may spend, shared fixtures included. */
export const maxAttemptCredits = (check: Check): number => costOfRepeat(check) + check.sharesOnce

/** The most credits that another attempt may spend. */
const costOfRepeat = ({ cost, sharedCredits }: Check) => cost + sharedCredits

/**
 * The credits within `maxCredits` that are reserved for repeating violated checks. `planned`: what the checks may spend
 * before any is repeated.
 */
export const retryReserveWithin = ({ maxCredits, readOnly }: SuiteSettings, planned: number): number =>
  readOnly ? 0 : Math.min(retryReserveCredits, maxCredits - planned)

/** The most credits that a run with these settings may spend before anything is repeated. */
export function maxPlannedCredits(settings: SuiteSettings, requirements: readonly Requirement[]): number {
  const { selected, along } = selectRequirements(requirements, settings)
  const checks = [...selected.filter(isCheck), ...along].filter(
    (one) => !unmetPrerequisiteError(settings, one),
  )
  const mostOf = (one: Check) =>
    maxAttemptCredits(one) + (one.retryOnViolation ? maxAttempts - 1 : 0) * costOfRepeat(one)
  const most = checks.reduce((sum, one) => sum + mostOf(one), 0)
  return Math.min(settings.readOnly ? 0 : settings.maxCredits, most, mostForAll)
}
