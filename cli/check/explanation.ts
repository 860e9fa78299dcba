/** `--explain`: what a rule or an effect demands of a client, where it draws the line, and how to fix a violation. */
import { type Demand, demands } from '#client-tests/demands.ts'
import { didYouMean } from '#contract/input/suggestion.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { UsageError } from '../flags.ts'

/** The explanation of rules and effects by their ids; of all, if none is named. @throws UsageError for an unknown id. */
export function explanationOf(ids: readonly string[]): string {
  const wanted = ids.length === 0 ? demands : ids.map(demandOf)
  return wanted.map(textOf).join('\n')
}

function demandOf(id: string): Demand {
  const demand = demands.find((one) => one.id === id.toLowerCase())
  if (demand) return demand
  const known = demands.map((one) => one.id)
  throw new UsageError(`--explain: no rule "${id}"; ${didYouMean(id.toLowerCase(), known)}`)
}

function textOf({ id, level, section, statement, thresholds, needs, fix, isEffect }: Demand): string {
  const those = scenarios.filter(({ expects }) => expects.includes(id)).map((one) => one.id)
  const rows: readonly (readonly [label: string, text: string | undefined])[] = [
    ['Requirement', statement],
    ['Thresholds', thresholds],
    ['Needs', needs],
    ['Judged', isEffect ? 'under faults, beside a run without one' : 'in scenarios and under faults'],
    ['Scenarios', those.length > 0 ? those.join(', ') : undefined],
    ['Fix', fix],
  ]
  const lines = rows.flatMap(([label, text]) => (text === undefined ? [] : [`  ${label.padEnd(12)} ${text}`]))
  return [`${level} ${id} (${section})`, ...lines, ''].join('\n')
}
