/** The in-process API of scenarios, for a whole mock and for one organization. */
import type { Service } from '../pipeline/service.ts'
import { type ScenarioId, scenarioOf, scenarios } from '../scenarios/index.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { startScenario } from './start-scenario.ts'

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

/** Creates the API; `name` returns the name of the organization, or undefined for the whole mock. */
export function scenariosOf(service: Service, name: () => string | undefined): MockScenarios {
  return {
    list: () => scenarios,
    start(id, { seed } = {}) {
      const scenario = scenarioOf(id)
      if (!scenario)
        throw new TypeError(
          `No scenario "${id}"; the scenarios are ${scenarios.map((one) => one.id).join(', ')}.`,
        )
      startScenario(service, scenario, { name: name(), seed })
    },
  }
}
