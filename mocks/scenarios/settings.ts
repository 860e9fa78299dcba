/** Parses options that may name a scenario. */
import { type MockOptions, type OptionProblem, readOptions, type Settings } from '../config/options.ts'
import { scenarioOf, scenarios } from './index.ts'

/** Parses options, merged over those of the named scenario, or returns what is wrong with them. */
export function readSettings(options: MockOptions): Settings | OptionProblem[] {
  const chosen = options.scenario === undefined ? undefined : scenarioOf(options.scenario)
  const read = readOptions(options, chosen)
  if (options.scenario === undefined || chosen) return read
  const problem = { option: 'scenario', problem: `takes ${scenarios.map(({ id }) => id).join(', ')}` }
  return Array.isArray(read) ? [problem, ...read] : [problem]
}
