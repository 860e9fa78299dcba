/** What keeps a requirement from being tried at all, as far as settings tell. */
import { routeOf } from '#contract/operation.ts'
import { NotApplicable, NotExercised } from '../client/finding.ts'
import { isOperatorInput, lackOf } from '../harness/operator-inputs.ts'
import type { Probe } from '../harness/requirement.ts'
import type { Settings } from '../harness/settings.ts'

/** The obstacle, or undefined where there is none. */
export function obstacleTo(settings: Settings, probe: Probe): NotExercised | NotApplicable | undefined {
  const arranges = probe.needs.some((need) => need.startsWith('state:'))
  if (settings.readOnly && (probe.writes || arranges))
    return new NotExercised('the run is read-only', 'no --read-only')
  if (settings.extended === 'off' && probe.operation && routeOf(probe.operation).set === 'extended') {
    return new NotApplicable('the extended route set is declared as not offered')
  }
  for (const need of probe.needs) {
    const lack = isOperatorInput(need) ? lackOf(settings, need) : undefined
    if (lack) return lack
    if (need.startsWith('state:') && !settings.statesUrl) {
      return new NotExercised(
        `it needs the provider state "${need.slice('state:'.length)}"`,
        '--states-url URL',
      )
    }
  }
  if (probe.cost > settings.maxCredits) {
    return new NotExercised(
      `it may spend ${probe.cost} Work Credit${probe.cost > 1 ? 's' : ''}, and ${settings.maxCredits} are allowed`,
      `--max-credits ${probe.cost} or more`,
    )
  }
  return undefined
}
