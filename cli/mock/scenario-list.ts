/** What `mock --list-scenarios` prints. */
import type { Scenario } from '#mocks/scenarios/scenario.ts'

const width = 78

/** Each scenario: its id, its title, and what it shows. */
export function scenarioList(scenarios: readonly Scenario[]): string {
  const longest = Math.max(...scenarios.map(({ id }) => id.length))
  return scenarios
    .map(({ id, title, shows }) => `${id.padEnd(longest)}  ${title}\n${folded(shows)}\n`)
    .join('\n')
}

/** A text in lines of bounded width, indented. */
function folded(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line.length + word.length < width)
      lines[lines.length - 1] = line === '' ? `    ${word}` : `${line} ${word}`
    else lines.push(`    ${word}`)
  }
  return lines.join('\n')
}
