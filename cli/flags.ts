/**
 * Reads the options of a command: flags win over environment variables, which win over a JSON file. Commander parses
 * the flags, keeps the values and prints the help. Variables are read here, because commander turns a switch on
 * whenever its variable is set, even to `false`.
 */
import { Command, CommanderError, Option } from 'commander'
import { suggestion } from '#contract/input/suggestion.ts'
import { durationAdvice, milliseconds } from '#mocks/core/clock.ts'
import { readJson } from './files.ts'
import { UsageError } from './usage-error.ts'

export { UsageError } from './usage-error.ts'

/** A command and its options, as data: the parser, the help and `docs/flags.md` read it. */
export interface CommandLine {
  readonly name: string
  /** One sentence. */
  readonly summary: string
  /** The arguments of a typical call. */
  readonly example: string
  /** What its variables begin with; default: `WORK_AGENT_MOCK_` and so on. */
  readonly variables?: string
  /** Prefixes of other commands' variables that begin with `variables`. */
  readonly otherVariables?: readonly string[]
  readonly operands?: string
  /** Documentation that the help refers to. */
  readonly pages: readonly string[]
  /** Options by the heading of their group in the help. */
  readonly groups: Readonly<Record<string, readonly Option[]>>
  /** Options that print something and exit; they have no variable and no entry in the file. */
  readonly queries?: readonly Option[]
}

type Value = string | number | boolean | string[]

/** The options of a call, by name (`rateLimit`), and where each value came from. */
export interface Given {
  readonly values: Readonly<Record<string, Value>>
  readonly operands: readonly string[]
  /** `--rate-limit`, `WORK_AGENT_MOCK_RATE_LIMIT`, or `"rateLimit" in FILE`. */
  sourceOf(option: string): string
}

/** An option in commander's notation: `--rate-limit <N/Ws|off>`, `--busy [seconds]`, `--cors`, `--no-extended`. */
export const flag = (flags: string, help: string) => new Option(flags, help)

/** An option that may be given more than once. */
export const repeatable = (flags: string, help: string) =>
  flag(flags, help).argParser((text: string, earlier: string[] = []) => [...earlier, text])

/** Names the JSON file; every command has it. */
export const config = flag('--config <FILE>', 'read options from a JSON file')

/** The options that a variable or an entry of the file can set, by that entry's name. */
export function settableOptions({ groups }: CommandLine): Map<string, Option> {
  const options = Object.values(groups).flat()
  return new Map(options.filter(({ negate }) => !negate).map((option) => [option.attributeName(), option]))
}

const variablesOf = ({ name, variables = `WORK_AGENT_${name.toUpperCase()}_` }: CommandLine) => variables

/** The variable of an option: `WORK_AGENT_MOCK_RATE_LIMIT`. */
export const variableOf = (line: CommandLine, option: Option) =>
  variablesOf(line) + option.name().replaceAll('-', '_').toUpperCase()

/** The command for commander. It throws instead of exiting, and prints help but no errors. */
export function createCommand(line: CommandLine): Command {
  const settable = new Set([...settableOptions(line).values(), config])
  const command = new Command(`work-agent-contract ${line.name}`)
    .description(line.summary)
    .exitOverride()
    .allowExcessArguments(line.operands !== undefined)
    .configureOutput({ outputError: () => undefined })
    .configureHelp({
      optionDescription: (option) =>
        settable.has(option) ? `${option.description} [${variableOf(line, option)}]` : option.description,
    })
    .addHelpText('after', `\nExample:\n  work-agent-contract ${line.name} ${line.example}`)
    .addHelpText('after', `\nMore: ${line.pages.join(', ')}`)
  if (line.operands !== undefined) command.argument(line.operands)
  for (const [heading, options] of Object.entries(line.groups))
    for (const option of options) command.addOption(option.helpGroup(`${heading}:`))
  command.optionsGroup('General:')
  for (const option of [...(line.queries ?? []), config]) command.addOption(option)
  return command.helpOption('-h, --help', 'print this help')
}

/**
 * Reads the options of a call.
 * @throws UsageError for an unknown option or a missing value; CommanderError after `--help` (exit code 0).
 */
export function readCommandLine(line: CommandLine, argv: readonly string[], env: NodeJS.ProcessEnv): Given {
  const command = createCommand(line)
  parse(command, argv)
  const settable = settableOptions(line)
  const set = (option: string, value: unknown, source: string) => {
    if (command.getOptionValueSource(option) === undefined)
      command.setOptionValueWithSource(option, value, source)
  }
  readVariables(line, env, set)
  const file: string | undefined = command.getOptionValue('config')
  if (file !== undefined) readFile(file, [...settable.keys()], set)
  const { config: _, ...values } = command.opts<Record<string, Value>>()
  return {
    values,
    operands: command.args,
    sourceOf(option) {
      const source = command.getOptionValueSource(option) ?? option
      return source === 'cli' ? `${settable.get(option)?.long}` : source
    },
  }
}

/** Parses what was typed. @throws UsageError in one line, without the values that were typed. */
export function parse(command: Command, argv: readonly string[]): void {
  try {
    command.parse([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError) || error.code === 'commander.help' || error.exitCode === 0)
      throw error
    // What follows `=` may be a secret that was meant for another flag.
    const message = error.message.replace(/^error: /, '').replace(/'(--[^'=]*)=[\s\S]*?'(?= |$)/, "'$1=…'")
    throw new UsageError(message.replace(/\s*\n\s*/g, ' '))
  }
}

type Set = (option: string, value: unknown, source: string) => void

function readVariables(line: CommandLine, env: NodeJS.ProcessEnv, set: Set): void {
  const { otherVariables = [] } = line
  const known = new Map(
    [...settableOptions(line).values(), config].map((option) => [variableOf(line, option), option]),
  )
  for (const [name, text = ''] of Object.entries(env)) {
    if (!name.startsWith(variablesOf(line))) continue
    const option = known.get(name)
    if (option) set(option.attributeName(), fromText(option, text, name), name)
    else if (!otherVariables.some((other) => name.startsWith(other)))
      throw new UsageError(`unknown variable ${name}${suggestion(name, [...known.keys()])}`)
  }
}

/** A value as a variable spells it: switches take `true` or `false`, lists are separated by commas. */
function fromText(option: Option, text: string, name: string): Value {
  if (option.parseArg) return text.split(',').map((part) => part.trim())
  if (option.required) return text
  if (text === 'true') return true
  if (text === 'false' || text === '') return false
  if (option.optional) return text
  if (text === '1' || text === '0') return text === '1'
  throw new UsageError(`${name} takes true or false, not "${text}"`)
}

function readFile(file: string, known: readonly string[], set: Set): void {
  const json = readJson(file)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new UsageError(`${file} is not a JSON object`)
  for (const [option, value] of Object.entries(json)) {
    if (!known.includes(option))
      throw new UsageError(`unknown option "${option}" in ${file}${suggestion(option, known)}`)
    set(option, value, `"${option}" in ${file}`)
  }
}

/** Typed access to the options of a call; each method throws a UsageError that names the source of a bad value. */
export class Values {
  readonly #given: Given

  constructor(given: Given) {
    this.#given = given
  }

  text(option: string): string | undefined {
    const value = this.#given.values[option]
    return value === undefined || value === '' ? undefined : String(value)
  }

  on(option: string): boolean {
    const value = this.#given.values[option] ?? false
    if (typeof value !== 'boolean') throw this.#wrong(option, 'takes true or false')
    return value
  }

  list(option: string): string[] {
    const value = this.#given.values[option]
    return value === undefined
      ? []
      : [value]
          .flat()
          .flatMap((part) => String(part).split(','))
          .filter((part) => part !== '')
  }

  choice<const T extends string>(option: string, choices: readonly T[], fallback: T): T {
    const value = this.text(option)
    const found = choices.find((choice) => choice.toLowerCase() === value?.toLowerCase())
    if (value !== undefined && found === undefined) throw this.#wrong(option, `takes ${choices.join(', ')}`)
    return found ?? fallback
  }

  /** A whole number of at least `least`. */
  count(option: string, fallback: number, least = 0): number {
    const value = this.text(option)
    if (value === undefined) return fallback
    if (!/^\d+$/.test(value) || Number(value) < least)
      throw this.#wrong(option, `takes a whole number, ${least} or more`)
    return Number(value)
  }

  /** A port to listen on or to reach. */
  port(option: string, fallback: number, least = 0): number {
    const value = this.#given.values[option] ?? fallback
    if (
      typeof value === 'object' ||
      !/^\d{1,5}$/.test(String(value)) ||
      Number(value) > 65_535 ||
      Number(value) < least
    )
      throw this.#wrong(option, `takes a port from ${least} to 65535`)
    return Number(value)
  }

  /** A duration such as `60s`, in ms. */
  duration(option: string, fallback: number): number {
    const value = this.text(option)
    if (value === undefined) return fallback
    const ms = milliseconds(value)
    if (ms === undefined) throw this.#wrong(option, durationAdvice)
    return ms
  }

  /** An http or https URL. */
  url(option: string): string | undefined {
    const value = this.text(option)
    if (value === undefined || isHttpUrl(value)) return value
    throw this.#wrong(option, 'takes a URL such as http://127.0.0.1:4402/__admin/states')
  }

  #wrong(option: string, advice: string): UsageError {
    return new UsageError(`${this.#given.sourceOf(option)} ${advice}`)
  }
}

export function isHttpUrl(text: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')
}
