/** Parses options that may name a scenario. */
import { type OptionProblem, type Options, readOptions, type Settings } from '../config/options.ts'
import { type ScenarioId, scenarioOf, scenarios } from './index.ts'

/** The options of a mock. */
export type MockOptions = Options<ScenarioId>

/** Parses options, merged over those of the named scenario, or returns what is wrong with them. */
export function readSettings(options: Options): Settings | OptionProblem[] {
  const chosen = options.scenario === undefined ? undefined : scenarioOf(options.scenario)
  const read = readOptions(options, chosen)
  if (options.scenario === undefined || chosen) return read
  const problem = { option: 'scenario', problem: `takes ${scenarios.map(({ id }) => id).join(', ')}` }
  return Array.isArray(read) ? [problem, ...read] : [problem]
}
