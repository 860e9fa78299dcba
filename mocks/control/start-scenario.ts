/** Starts a scenario in a running mock: for the whole mock, or for one organization without affecting the others. */
import type { Service } from '../pipeline/service.ts'
import type { Scenario } from '../scenarios/index.ts'
import { readSettings } from '../scenarios/settings.ts'
import { reset, resetParts } from './reset.ts'

/** Options for starting a scenario. */
export interface ScenarioStart {
  /** The organization, by the name in its key; undefined: the whole mock. */
  readonly name?: string | undefined
  /** Replaces the seed of the scenario. */
  readonly seed?: string | number | undefined
}

/**
 * Resets the mock, or an organization, and starts a scenario. The options of the scenario override those that the
 * mock was created with, until a reset.
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
  if (Array.isArray(settings)) throw new Error(`The scenario "${scenario.id}" has invalid options.`)
  const starts = scenario.options.now === undefined ? undefined : settings.now
  if (name === undefined) {
    reset(service, resetParts)
    tenants.start(settings)
    faults.start(settings.seed, settings.faults)
    if (starts !== undefined) clock.set(starts)
    return
  }
  reset(service, resetParts, tenants.organization(name))
  tenants.start(settings, name)
  const { org, settings: own } = tenants.tenant(name)
  faults.start(settings.seed, own.faults, org.id)
  journal.restart(org.id)
  connections.forget(org.id)
  if (starts !== undefined) org.clock.set(starts)
}
