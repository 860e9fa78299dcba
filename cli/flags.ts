/**
 * Reads the options of a command: flags win over environment variables, which win over a JSON file. One table
 * of flags gives all three their names, and the help its text.
 */
import { readFileSync } from 'node:fs'
import { Command, CommanderError, Option } from 'commander'

/** One option of a command. */
export interface Flag {
  /** As typed, without dashes: `rate-limit`. */
  readonly name: string
  /** What follows it, such as `<N/Ws|off>`; in brackets where it may be left out. Absent: a switch. */
  readonly value?: string
  readonly help: string
  /** May be given more than once. */
  readonly repeatable?: boolean
  /** A switch that `--no-…` turns off. */
  readonly negatable?: boolean
  /** A switch or value that only makes sense when typed: no variable, no entry in the file. */
  readonly typedOnly?: boolean
}

export interface CommandLine {
  readonly name: string
  readonly summary: string
  /** `WORK_AGENT_MOCK_`: the variable of `--rate-limit` is `WORK_AGENT_MOCK_RATE_LIMIT`. */
  readonly variables: string
  /** Prefixes of variables that begin like these and belong to something else. */
  readonly otherVariables?: readonly string[]
  readonly operands?: string
  /** The pages about it, for the end of its help. */
  readonly pages?: readonly string[]
  readonly flags: readonly Flag[]
}

export type Value = string | number | boolean | string[]

/** What was given, by option name (`rateLimit`), and where each value came from. */
export interface Given {
  readonly values: Readonly<Record<string, Value>>
  readonly operands: readonly string[]
  /** `--rate-limit`, `WORK_AGENT_MOCK_RATE_LIMIT`, or `rateLimit in FILE`. */
  sourceOf(option: string): string
}

/** A mistake of the person at the keyboard: one line, exit 2. */
export class UsageError extends Error {}

/** The name of a flag in a file: `rateLimit`. */
export const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
/** The variable of a flag. */
export const variable = (prefix: string, name: string) => prefix + name.replaceAll('-', '_').toUpperCase()

/**
 * Reads what was given.
 * @throws UsageError for what is unknown or lacks its value; CommanderError after `--help` (exit code 0).
 */
export function readCommandLine(line: CommandLine, argv: readonly string[], env: NodeJS.ProcessEnv): Given {
  const typed = parse(line, argv)
  const { config, ...flags } = typed.values
  const layers: { values: Record<string, Value>; source(option: string): string }[] = [
    { values: flags, source: (option) => `--${flagOf(line, option)?.name}` },
    {
      values: fromEnvironment(line, env),
      source: (option) => variable(line.variables, flagOf(line, option)?.name ?? ''),
    },
  ]
  const file = config ?? env[variable(line.variables, 'config')]
  if (file !== undefined) {
    layers.push({ values: fromFile(line, String(file)), source: (option) => `"${option}" in ${file}` })
  }
  return {
    values: Object.assign({}, ...layers.map(({ values }) => values).reverse()),
    operands: typed.operands,
    sourceOf: (option) => layers.find(({ values }) => option in values)?.source(option) ?? option,
  }
}

function parse(line: CommandLine, argv: readonly string[]) {
  const command = new Command(`work-agent-contract ${line.name}`)
    .description(line.summary)
    .exitOverride()
    .allowExcessArguments(line.operands !== undefined)
    .configureOutput({ outputError: () => undefined })
  if (line.operands !== undefined) command.argument(line.operands)
  if (line.pages) command.addHelpText('after', `\nMore: ${line.pages.join(', ')}`)
  for (const flag of line.flags) for (const option of optionsOf(line, flag)) command.addOption(option)
  command.addOption(new Option('--config <FILE>', 'read options from a JSON file'))
  try {
    command.parse([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode === 0) throw error
    // What follows `=` may be a key that was meant for another flag.
    const message = error.message.replace(/^error: /, '').replace(/'(--[^'=]*)=[\s\S]*?'(?= |$)/, "'$1=…'")
    throw new UsageError(message.replace(/\s*\n\s*/g, ' '))
  }
  return { values: { ...command.opts<Record<string, Value>>() }, operands: command.args }
}

function optionsOf(line: CommandLine, flag: Flag): Option[] {
  const note = flag.typedOnly ? '' : ` [${variable(line.variables, flag.name)}]`
  const main = new Option(`--${flag.name}${flag.value ? ` ${flag.value}` : ''}`, flag.help + note)
  if (flag.repeatable)
    main.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
  return flag.negatable ? [main, new Option(`--no-${flag.name}`, `turns --${flag.name} off`)] : [main]
}

function flagOf(line: CommandLine, option: string): Flag | undefined {
  return line.flags.find(({ name, typedOnly }) => camel(name) === option && !typedOnly)
}

function fromEnvironment(line: CommandLine, env: NodeJS.ProcessEnv): Record<string, Value> {
  const known = new Map(
    line.flags.filter((flag) => !flag.typedOnly).map((flag) => [variable(line.variables, flag.name), flag]),
  )
  const values: Record<string, Value> = {}
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(line.variables) || text === undefined) continue
    const flag = known.get(name)
    if (flag) values[camel(flag.name)] = fromText(flag, text, name)
    else if (
      name !== variable(line.variables, 'config') &&
      !line.otherVariables?.some((other) => name.startsWith(other))
    ) {
      throw new UsageError(`unknown variable ${name}${suggest(name, [...known.keys()])}`)
    }
  }
  return values
}

/** A value as a variable spells it: switches take `true` or `false`, lists are separated by commas. */
function fromText(flag: Flag, text: string, name: string): Value {
  if (flag.repeatable) return text.split(',').map((part) => part.trim())
  if (flag.value?.startsWith('<')) return text
  if (text === 'true') return true
  if (text === 'false' || text === '') return false
  if (flag.value) return text
  if (text === '1' || text === '0') return text === '1'
  throw new UsageError(`${name} takes true or false, not "${text}"`)
}

function fromFile(line: CommandLine, file: string): Record<string, Value> {
  const values = readJson(file)
  for (const option of Object.keys(values)) {
    if (flagOf(line, option)) continue
    const known = line.flags.filter((flag) => !flag.typedOnly).map(({ name }) => camel(name))
    throw new UsageError(`unknown option "${option}" in ${file}${suggest(option, known)}`)
  }
  return values
}

function readJson(file: string): Record<string, Value> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new UsageError(`cannot read ${file}`)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, Value>
  } catch {}
  throw new UsageError(`${file} is not a JSON object`)
}

/** `; did you mean …?` where a known word is near. */
function suggest(word: string, known: readonly string[]): string {
  const near = known.map((other) => ({ other, far: distance(word, other) })).sort((a, b) => a.far - b.far)[0]
  return near && near.far <= 3 ? `; did you mean ${near.other}?` : ''
}

/** Edits between two words (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
