/** Parses options that may name a scenario. */
import { another } from '#contract/input/checked.ts'
import { type OptionProblem, type Options, readOptions, type Settings } from '../config/options.ts'
import { problemOfSeed } from '../quirks/create.ts'
import { type ScenarioId, scenarioOf, scenarios } from './index.ts'

/** The options of a mock. */
export type MockOptions = Options<ScenarioId>

/** Parses options, merged over those of the named scenario, or returns what is wrong with them. */
export function readSettings(options: Options): Settings | OptionProblem[] {
  const chosen = options.scenario === undefined ? undefined : scenarioOf(options.scenario)
  const read = checkSeed(readOptions(options, chosen))
  if (options.scenario === undefined || chosen) return read
  const ids = scenarios.map(({ id }) => id)
  const problem = {
    option: 'scenario',
    problem: `takes ${another(String(options.scenario), ids)}`,
  }
  return Array.isArray(read) ? [problem, ...read] : [problem]
}

/** Lists of quirks are seeds, too; one with a wrong id is no seed. */
function checkSeed(settings: Settings | OptionProblem[]): Settings | OptionProblem[] {
  if (Array.isArray(settings) || settings.strictClient === undefined) return settings
  const problem = problemOfSeed(settings.strictClient)
  return problem === undefined ? settings : [{ option: 'strictClient', problem }]
}
