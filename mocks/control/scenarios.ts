/** Resets, part by part, and scenarios, for a whole mock and for one organization. */

import { z } from 'zod'
import { checked, fields, oneOf } from '#contract/input/checked.ts'
import type { Organization } from '../core/organization.ts'
import type { Service } from '../pipeline/service.ts'
import { readSettings, type Scenario, type ScenarioId, scenarioOf, scenarios } from '../scenarios/index.ts'

/** Scenarios of a mock, or of one organization. */
export interface MockScenarios {
  /** Returns all scenarios. */
  list(): readonly Scenario<ScenarioId>[]
  /**
   * Resets and starts a scenario, with its own seed or another one; `reset()` ends it. The id of an organization
   * changes with the seed. @throws TypeError for an unknown id.
   */
  start(id: ScenarioId, start?: { readonly seed?: string | number }): void
}

const scenarioId = oneOf(scenarios.map((one) => one.id))
const startInput = fields({ seed: z.union([z.string(), z.number()]).optional() })

/** Creates the API; `name` returns the name of the organization, or undefined for the whole mock. */
export function scenariosOf(service: Service, name: () => string | undefined): MockScenarios {
  return {
    list: () => scenarios,
    start(id, options = {}) {
      checked('scenarios.start', scenarioId, id)
      const { seed } = checked('scenarios.start', startInput, options)
      const scenario = scenarioOf(id)
      if (scenario) startScenario(service, scenario, name(), seed)
    },
  }
}

/**
 * Resets the mock, or an organization, and starts a scenario. The options of the scenario override those that the
 * mock was created with, until a reset. `name`: that in the key of the organization; `seed` replaces that of the scenario.
 */
export function startScenario(
  service: Service,
  scenario: Scenario,
  name: string | undefined,
  seed: string | number | undefined,
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
  reset(service, resetParts, name === undefined ? undefined : tenants.organization(name))
  tenants.start(settings, name)
  const started = name === undefined ? undefined : tenants.tenant(name)
  faults.start(settings.seed, (started?.settings ?? settings).faults, started?.org.id)
  if (started) {
    journal.restart(started.org.id)
    connections.forget(started.org.id)
  }
  if (starts !== undefined) (started?.org.clock ?? clock).set(starts)
}

/** The parts that can be reset: organizations and keys; fault rules and their counts; the journal; clocks. */
export const resetParts = ['state', 'faults', 'journal', 'clock'] as const
/** A part that can be reset. */
export type ResetPart = (typeof resetParts)[number]

const resets: Readonly<Record<ResetPart, (service: Service, org: Organization | undefined) => void>> = {
  state: (service, org) => service.tenants.reset(org),
  faults: (service, org) => service.faults.reset(org?.id),
  journal: (service, org) => service.journal.clear(org?.id),
  clock(service, org) {
    if (org) return org.clock.reset()
    service.clock.reset()
    for (const clock of service.tenants.clocks()) clock.reset()
  },
}

/** Resets parts of one organization, or of the whole mock. The clock comes first, since other parts read it. */
export function reset(service: Service, wanted: readonly ResetPart[], org?: Organization): void {
  for (const part of resetParts.toReversed()) if (wanted.includes(part)) resets[part](service, org)
  // If nothing refers to earlier requests any more, their numbering restarts.
  if (!wanted.includes('state') || !wanted.includes('journal')) return
  service.journal.restart(org?.id)
  service.connections.forget(org?.id)
}
