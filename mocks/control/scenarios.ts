/** Scenarios by hand: of a whole mock, or of one organization. */
import type { Service } from '../pipeline/service.ts'
import { scenarioOf, scenarios } from '../scenarios/index.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { startScenario } from './start-scenario.ts'

/** Scenarios of a mock, or of one organization in it. */
export interface MockScenarios {
  list(): readonly Scenario[]
  /**
   * Begins anew in a scenario, with its seed or another; `reset()` leaves it. An organization has another id then.
   * @throws TypeError for an id that no scenario has.
   */
  start(id: string, start?: { readonly seed?: string | number }): void
}

/** The words; `name`: of the organization, looked up each time. */
export function scenariosOf(service: Service, name: () => string | undefined): MockScenarios {
  return {
    list: () => scenarios,
    start(id, { seed } = {}) {
      const scenario = scenarioOf(id)
      if (!scenario) throw new TypeError(`There is no scenario "${id}".`)
      startScenario(service, scenario, { name: name(), seed })
    },
  }
}
