/** The most Work Credits that a run of the suite may spend, known before the first request. */
import { isProbe, type Probe, type Requirement } from '../harness/requirement.ts'
import type { Settings } from '../harness/terms.ts'
import { mostAttempts } from './schedule.ts'
import { leftOut, unmetPrerequisite } from './selection.ts'

/** Credits that all requirements together need: they share paid runs. */
const mostForAll = 20

/** Credits of shared evidence that a check compares its own with, beyond its own cost. */
const sharedCosts: Readonly<Record<string, number>> = {
  'BUSY-ANSWER': 2,
  'BUSY-COSTS': 2,
  'BUSY-FINISHED-STAYS': 1,
  'BUSY-STARTS': 2,
  'ISOLATION-RUN-TASK': 1,
  'NO-CREDITS-CREATIVE': 1,
  'NO-CREDITS-RECOVERS': 1,
  'NO-CREDITS-REFUSED': 1,
  'RUN-AGAIN': 1,
  'RUN-BESIDE': 1,
  'UNAVAILABLE-RUN': 1,
}

/** The same for evidence that is taken once, however often the check is repeated. */
const costsOnce: Readonly<Record<string, number>> = {
  'CREDITS-FAILED-FINISHED': 1,
  'CREDITS-REFUND': 1,
  'CREDITS-RUN-COSTS-ONE': 1,
}

/** The most credits that one attempt at a check may spend, with the shared evidence that it takes. */
export function costOfAttempt(probe: Probe): number {
  return costOfRepeat(probe) + (costsOnce[probe.id] ?? 0)
}

/** The most credits that another attempt may spend. */
const costOfRepeat = ({ id, cost }: Probe) => cost + (sharedCosts[id] ?? 0)

/** The most credits that a run with these settings may spend, repeated checks included; the budget enforces it. */
export function plannedCredits(settings: Settings, requirements: readonly Requirement[]): number {
  const probes = requirements
    .filter(isProbe)
    .filter((one) => leftOut(one, settings) === undefined && !unmetPrerequisite(settings, one))
  const mostOf = (one: Probe) => costOfAttempt(one) + (one.quiet ? mostAttempts - 1 : 0) * costOfRepeat(one)
  const most = probes.reduce((sum, one) => sum + mostOf(one), 0)
  return Math.min(settings.readOnly ? 0 : settings.maxCredits, most, mostForAll)
}
