/** Starts a scenario in a mock that is running: for all of it, or for one organization, and the others notice nothing. */
import type { Service } from '../pipeline/service.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { readSettings } from '../scenarios/settings.ts'
import { parts, reset } from './reset.ts'

/** How a scenario is started. */
export interface ScenarioStart {
  /** The organization, by the name in its key; undefined: all. */
  readonly name?: string | undefined
  /** A seed in place of the scenario's. */
  readonly seed?: string | number | undefined
}

/**
 * Resets the mock, or an organization, into a scenario. Its options win over those that the mock was created
 * with, since it was asked for later; a reset goes back to those.
 */
export function startScenario(
  service: Service,
  scenario: Scenario,
  { name, seed }: ScenarioStart = {},
): void {
  const { tenants, faults, journal, connections, clock, options } = service
  const settings = readSettings({
    ...options,
    ...scenario.options,
    ...(seed === undefined ? {} : { seed }),
    scenario: scenario.id,
  })
  if (Array.isArray(settings)) throw new Error(`The scenario ${scenario.id} has options that cannot be used.`)
  const starts = scenario.options.now === undefined ? undefined : settings.now
  if (name === undefined) {
    reset(service, parts)
    tenants.start(settings)
    faults.begin(settings.seed, settings.faults)
    if (starts !== undefined) clock.set(starts)
    return
  }
  reset(service, parts, tenants.organization(name))
  tenants.start(settings, name)
  const { org, settings: own } = tenants.tenant(name)
  faults.begin(settings.seed, own.faults, org.id)
  journal.restart(org.id)
  connections.forget(org.id)
  if (starts !== undefined) org.clock.set(starts)
}
