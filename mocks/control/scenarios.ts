/** The in-process API of scenarios, for a whole mock and for one organization. */
import { z } from 'zod'
import { checked, fields, oneOf } from '#contract/input/checked.ts'
import type { Service } from '../pipeline/service.ts'
import type { Scenario } from '../scenarios/index.ts'
import { type ScenarioId, scenarioOf, scenarios } from '../scenarios/index.ts'
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
      if (scenario) startScenario(service, scenario, { name: name(), seed })
    },
  }
}
