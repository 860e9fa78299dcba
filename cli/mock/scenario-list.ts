/** What `mock --list-scenarios` prints. */
import { Help } from 'commander'
import type { Scenario } from '#mocks/scenarios/index.ts'

/** A text in indented lines of at most 78 characters. */
const wrapped = (text: string) => `    ${new Help().boxWrap(text, 74).replaceAll('\n', '\n    ')}`

/** The id, the title and the description of each scenario. */
export function scenarioList(scenarios: readonly Scenario[]): string {
  const longest = Math.max(...scenarios.map(({ id }) => id.length))
  return scenarios
    .map(({ id, title, shows }) => `${id.padEnd(longest)}  ${title}\n${wrapped(shows)}\n`)
    .join('\n')
}
