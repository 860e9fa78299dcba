/** The prerequisites of a requirement that the settings do not meet. */
import { routeOf } from '#contract/operation.ts'
import { NotApplicable, NotExercised } from '../client/check-errors.ts'
import { isOperatorInput, missingInput } from '../harness/operator-inputs.ts'
import type { Probe } from '../harness/requirement.ts'
import type { Settings } from '../harness/settings.ts'

/** Why the settings rule a requirement out; undefined: it can be exercised. */
export function unmetPrerequisite(
  settings: Settings,
  probe: Probe,
): NotExercised | NotApplicable | undefined {
  const arranges = probe.needs.some((need) => need.startsWith('state:'))
  if (settings.readOnly && (probe.writes || arranges))
    return new NotExercised('the run is read-only', 'no --read-only')
  if (settings.extended === 'off' && probe.operation && routeOf(probe.operation).set === 'extended') {
    return new NotApplicable('the extended route set is declared as not offered')
  }
  for (const need of probe.needs) {
    const missing = isOperatorInput(need) ? missingInput(settings, need) : undefined
    if (missing) return missing
    if (need.startsWith('state:') && !settings.statesUrl) {
      return new NotExercised(
        `it needs the provider state "${need.slice('state:'.length)}"`,
        '--states-url URL',
      )
    }
  }
  if (probe.cost > settings.maxCredits) {
    return new NotExercised(
      `it may spend ${probe.cost} Work Credit${probe.cost > 1 ? 's' : ''}, but the limit is ${settings.maxCredits}`,
      `--max-credits ${probe.cost} or more`,
    )
  }
  return undefined
}
