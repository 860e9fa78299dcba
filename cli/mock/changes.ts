/** How a mock differs from one without options: its fault rules and its options, as flags spell them. */
import { mockOptions, type Options } from '#mocks/config/options.ts'
import type { RuleReport } from '#mocks/faults/rule.ts'
import { settableOptions } from '../flags.ts'
import { quote } from '../quote.ts'
import { mockCommand } from './flags.ts'

/** A rule in the grammar of `--fault`, and how often it still applies if that is less than at first. */
export function ruleText({ text, times, remaining, org_id }: RuleReport): string {
  const notes = [
    ...(remaining === times ? [] : [`${remaining} left`]),
    ...(org_id === null ? [] : [`for ${org_id}`]),
  ]
  return notes.length > 0 ? `${text} (${notes.join(', ')})` : text
}

const flags = settableOptions(mockCommand)

/** The options that differ from their defaults, those of the scenario included: `--credits 3`. */
export const changedFlags = (options: Options) => differentFlags(options, {})

/** The options that differ from those of another mock. */
export function differentFlags(options: Options, others: Options): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const option = flags.get(name)
    if (!option || isSame(name as keyof Options, value, others)) return []
    if (value === false) return `--no-${option.name()}`
    if (value === true) return `${option.long}`
    if (option.parseArg) return [value].flat().map((one) => `${option.long} ${word(one)}`)
    return `${option.long} ${word(value)}`
  })
}

function isSame(name: keyof Options, value: unknown, others: Options): boolean {
  const schema = mockOptions.shape[name]
  return JSON.stringify(schema.parse(value)) === JSON.stringify(schema.parse(others[name]))
}

/** A value as a word of a command line. */
function word(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : textOf(value)
  return /^[\w./:@%+,=-]+$/.test(text) ? text : quote(text)
}

const textOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'polls' in value ? `polls:${value.polls}` : String(value)
