/**
 * Reads the options of a command: flags win over environment variables, which win over a JSON file. Commander parses
 * the flags, keeps the values and prints the help. Variables are read here, because commander turns a switch on
 * whenever its variable is set, even to `false`.
 */
import { Command, CommanderError, Option } from 'commander'
import { findClosestWord, formatSuggestion, joinWithOr } from '#contract/input/suggestion.ts'
import { durationFormatAdvice, durationMsOf } from '#mocks/core/clock.ts'
import { type ReportFormat, reportFormats } from '#reporting/formats.ts'
import { checkWritable, isSameFile, readJsonFile, UsageError } from './files.ts'
import { logError } from './screen.ts'

export { UsageError } from './files.ts'

/** A command and its options as data, from which the parser, the help and `docs/flags.md` are made. */
export interface CommandDefinition {
  readonly name: string
  /** One sentence. */
  readonly summary: string
  /** The arguments of a typical call. */
  readonly example: string
  /**
   * The prefix of its environment variables; default: `WORK_AGENT_` and its name. Other variables with the prefix that
   * a command chose itself may belong to other programs, and are ignored unless they resemble one of its own.
   */
  readonly variables?: string
  /** Variables of other programs with the same prefix, as documentation names them. */
  readonly foreign?: readonly string[]
  readonly operands?: string
  /** The name of the operand, for the help, and for the error if it is missing. */
  readonly takes?: string
  /** Pages of the documentation that the help refers to. */
  readonly pages: readonly string[]
  /** Options by the heading of their group in the help. */
  readonly groups: Readonly<Record<string, Table>>
  /** Options that print something and exit; neither a variable nor the configuration file can set them. */
  readonly queries?: Table
}

/**
 * Options with their help, in commander's notation: `--rate-limit <N/Ws|off>`, `--busy [seconds]`, `--cors`,
 * `--no-extended`. One with `, …` behind it may be given more than once.
 */
type Table = Readonly<Record<string, string | DependentHelp>>

/** The help of an option that has no effect without another one. */
interface DependentHelp {
  readonly with: `--${string}`
  readonly does: string
}

/** An option that has no effect without another one, `main`. */
class DependentOption extends Option {
  readonly main: string

  constructor(flags: string, help: DependentHelp) {
    super(flags, `with ${help.with}: ${help.does}`)
    this.main = help.with
  }
}

/** Converts a table of flags to `Option` objects of Commander. */
export const commanderOptionsOf = (table: Table = {}): Option[] =>
  Object.entries(table).map(([flags, help]) => {
    const name = flags.replace(/, …$/, '')
    const option = typeof help === 'string' ? new Option(name, help) : new DependentOption(name, help)
    if (flags.endsWith(', …')) option.argParser((text: string, earlier: string[] = []) => [...earlier, text])
    return option
  })

type Value = string | number | boolean | string[]

/** The option `--config FILE`, which every command has. */
export const configFileOption = new Option('--config <FILE>', 'read options from a JSON file')

/** The options that an environment variable or the configuration file can set, by their names in the file. */
export function configurableOptionsByName({ groups }: CommandDefinition): Map<string, Option> {
  const options = Object.values(groups).flatMap(commanderOptionsOf)
  return new Map(options.filter(({ negate }) => !negate).map((option) => [option.attributeName(), option]))
}

const variablesOf = ({ name, variables = `WORK_AGENT_${name.toUpperCase()}_` }: CommandDefinition) =>
  variables

/** The environment variable of an option, such as `WORK_AGENT_MOCK_RATE_LIMIT`. */
export const environmentVariableOf = (line: CommandDefinition, option: Option) =>
  variablesOf(line) + option.name().replaceAll('-', '_').toUpperCase()

const widestCall = 76

/** Writes an example call of a command for a shell, broken into lines that fit a terminal. */
export function exampleCallOf({ name, example }: Pick<CommandDefinition, 'name' | 'example'>): string {
  const lines = [`work-agent-contract ${name}`]
  for (const word of example.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line.length + word.length < widestCall) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines.join(' \\\n    ')
}

/** Creates the Commander object of a command. It throws in place of exiting, and prints help but no errors. */
export function createCommand(line: CommandDefinition): Command {
  const queries = commanderOptionsOf(line.queries)
  const command = new Command(`work-agent-contract ${line.name}`)
    .description(line.summary)
    .exitOverride()
    .allowExcessArguments(line.operands !== undefined)
    .configureOutput({ outputError: () => undefined })
    .configureHelp({
      // Narrower than commander would wrap by itself: flags are long.
      minWidthToWrap: 20,
      optionDescription: (option) =>
        option.negate || option.long === '--help' || queries.includes(option)
          ? option.description
          : `${option.description.replaceAll('][', '] [')}${option.parseArg ? '; may be repeated' : ''} [${environmentVariableOf(line, option)}]`,
    })
    .addHelpText('after', `\nExample:\n  ${exampleCallOf(line)}`)
    .addHelpText('after', `\nMore: ${line.pages.join(', ')}`)
  if (line.operands !== undefined) command.argument(line.operands, line.takes)
  for (const [heading, table] of Object.entries(line.groups))
    for (const option of commanderOptionsOf(table)) command.addOption(option.helpGroup(`${heading}:`))
  command.optionsGroup('General:')
  for (const option of [...queries, configFileOption]) command.addOption(option)
  return command.helpOption('-h, --help', 'print this help')
}

/**
 * Reads the options of a command line from flags, variables and a file. `others`: commands whose variables may have the
 * same prefix. @throws UsageError for an unknown option or a missing value; CommanderError after `--help` (exit code
 * 0).
 */
export function readCommandLine(
  line: CommandDefinition,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  others: readonly CommandDefinition[] = [],
): GivenOptions {
  const command = createCommand(line)
  parseArguments(command, argv, line.takes)
  const settable = configurableOptionsByName(line)
  const set = (option: string, value: unknown, source: string) => {
    if (command.getOptionValueSource(option) === undefined)
      command.setOptionValueWithSource(option, value, source)
  }
  readVariables(line, env, others.map(variablesOf), set)
  const file: string | undefined = command.getOptionValue('config')
  if (file !== undefined) readFile(file, [...settable.keys()], set)
  const given = givenOf(command, argv)
  for (const option of command.options) {
    const main = mainOf(option, command)
    if (main && option.attributeName() in given.values && !(main.attributeName() in given.values))
      throw given.wrong(option.attributeName(), `needs ${main.long}`)
  }
  return given
}

/** The option without which a given one has no effect; undefined if there is none. */
const mainOf = (option: Option, { options }: Command): Option | undefined =>
  option instanceof DependentOption ? options.find(({ long }) => long === option.main) : undefined

/**
 * Parses command-line arguments by a Commander object. `takes`: the missing operand, in words. @throws UsageError in
 * one line, which does not repeat the values that were typed.
 */
export function parseArguments(command: Command, argv: readonly string[], takes?: string): void {
  try {
    command.parse([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError) || error.code === 'commander.help' || error.exitCode === 0)
      throw error
    if (error.code === 'commander.missingArgument' && takes !== undefined)
      throw new UsageError(`needs ${takes}; --help says more`)
    // Text after `=` may be a secret that was meant for another flag.
    const line = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
    const message = line.replace(/'(--[^'=]*)=.*?'(?= |$)/, "'$1=…'")
    const switches = command.options.filter(({ required, optional }) => !required && !optional)
    const given = switches.find(({ long }) => argv.some((word) => word.startsWith(`${long}=`)))
    if (given && error.code === 'commander.unknownOption')
      throw new UsageError(`${given.long} takes no value`)
    throw new UsageError(message)
  }
  // Commander takes an empty text, and the `--` before the command of a client, for the value of an option.
  const isMissing = (option: Option) =>
    [command.getOptionValue(option.attributeName())].flat().some((value) => value === '--' || value === '')
  const bare = command.options.find(isMissing)
  if (bare) throw new UsageError(`option '${bare.flags}' argument missing`)
}

type Set = (option: string, value: unknown, source: string) => void

function readVariables(
  line: CommandDefinition,
  env: NodeJS.ProcessEnv,
  others: readonly string[],
  set: Set,
): void {
  const known = new Map(
    [...configurableOptionsByName(line).values(), configFileOption].map((option) => [
      environmentVariableOf(line, option),
      option,
    ]),
  )
  const own = variablesOf(line)
  const nameIn = (variable: string) => variable.slice(own.length)
  const longer = others.filter((prefix) => prefix !== own && prefix.startsWith(own))
  const isForeign = (name: string) =>
    line.foreign?.includes(name) || longer.some((other) => name.startsWith(other))
  const unknown: string[] = []
  for (const [name, text = ''] of Object.entries(env)) {
    if (!name.startsWith(own)) continue
    const option = known.get(name)
    if (option) set(option.attributeName(), fromText(option, text, name), name)
    else if (!isForeign(name)) unknown.push(name)
  }
  for (const name of unknown) {
    const meant = findClosestWord(
      nameIn(name),
      [...known.keys()].map(nameIn),
      Math.ceil(nameIn(name).length / 5),
    )
    if (meant !== undefined) throw new UsageError(`unknown variable ${name}; did you mean ${own}${meant}?`)
    if (line.variables === undefined) throw new UsageError(`unknown variable ${name}`)
  }
  if (unknown.length > 0) logError(line.name, `no options of ${line.name}, ignored: ${unknown.join(', ')}`)
}

/**
 * The value of a variable: switches take `true` or `false`, lists are separated by commas. Fault rules contain commas,
 * so that only a comma before the next `operation=` separates them.
 */
function fromText(option: Option, text: string, name: string): Value {
  if (option.parseArg) {
    const parts = text.split(option.attributeName() === 'fault' ? /,(?=\s*(?:\w+=|$))/ : ',')
    return parts.map((part) => part.trim()).filter(Boolean)
  }
  if (option.required) return text
  if (text === 'true') return true
  if (text === 'false' || text === '') return false
  if (option.optional) return text
  if (text === '1' || text === '0') return text === '1'
  throw new UsageError(`${name} takes true or false, not "${text}"`)
}

function readFile(file: string, known: readonly string[], set: Set): void {
  const json = readJsonFile(file)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new UsageError(`${file} is not a JSON object`)
  for (const [option, value] of Object.entries(json)) {
    if (!known.includes(option))
      throw new UsageError(`unknown option "${option}" in ${file}${formatSuggestion(option, known)}`)
    set(option, value, `"${option}" in ${file}`)
  }
}

/** The longest wait of a timer of Node, ms; a timer with a longer one fires at once. */
const longestTimerMs = 2 ** 31 - 1

/** One file of `--report json=FILE,…`: its format and path. */
export interface ReportFile {
  readonly format: ReportFormat
  readonly file: string
}

/**
 * The options and operands of one command line, from flags, variables and files, with functions that read and check
 * their values.
 */
export type GivenOptions = ReturnType<typeof givenOf>

/** The options of a call; each that is read throws a UsageError for a bad value, with its source. */
function givenOf(command: Command, argv: readonly string[]) {
  const { config: _, ...values } = command.opts<Readonly<Record<string, Value>>>()

  /** Source of a value: `--rate-limit`, `WORK_AGENT_MOCK_RATE_LIMIT`, or `"rateLimit" in FILE`. */
  function sourceOf(option: string): string {
    const source = command.getOptionValueSource(option) ?? option
    const typed = command.options.find((one) => one.attributeName() === option)
    return source === 'cli' ? `${typed?.long}` : source
  }

  const wrong = (option: string, advice: string) => new UsageError(`${sourceOf(option)} ${advice}`)

  function text(option: string): string | undefined {
    const value = values[option]
    return value === undefined || value === '' ? undefined : String(value)
  }

  /** All values that were given for an option, not split at commas. */
  const texts = (option: string) => [values[option] ?? []].flat().map(String)

  function list(option: string): string[] {
    const parts = texts(option).flatMap((one) => one.split(','))
    return parts.filter((part) => part !== '')
  }

  const reportFiles = () =>
    list('report').map((one): ReportFile => {
      const at = one.indexOf('=')
      const file = one.slice(at + 1)
      const format = reportFormats.find((name) => name === one.slice(0, at))
      if (format === undefined || file === '') {
        const possible = reportFormats.map((name) => `${name}=FILE`).join(', ')
        throw new UsageError(`--report takes ${possible}; not "${one}"`)
      }
      return { format, file }
    })

  /** Checks a file that will be written. `read`: files that the command reads beside those of its options. */
  function checkOutput(file: string, source: string, read: readonly string[] = []): void {
    checkWritable(file)
    const named = command.options
      .filter(({ flags, parseArg }) => flags.endsWith('<FILE>') && parseArg === undefined)
      .flatMap((option): string | [] => command.getOptionValue(option.attributeName()) ?? [])
    const others = [...named, ...read, ...reportFiles().map((one) => one.file)].filter((one) =>
      isSameFile(one, file),
    )
    if (others.length > 1)
      throw new UsageError(`${source} would overwrite ${file}, which the command names twice`)
  }

  return {
    /** Values as given, by name (`rateLimit`). */
    values: values as Readonly<Record<string, Value>>,
    operands: command.args as readonly string[],
    argv,
    sourceOf,
    /** Returns the error for a value that cannot be used. */
    wrong,
    text,
    texts,
    list,
    on(option: string): boolean {
      const value = values[option] ?? false
      if (typeof value !== 'boolean') throw wrong(option, 'takes true or false')
      return value
    },
    choice<const T extends string>(option: string, choices: readonly T[], fallback: T): T {
      const value = text(option)
      const found = choices.find((choice) => choice.toLowerCase() === value?.toLowerCase())
      if (value !== undefined && found === undefined) throw wrong(option, `takes ${joinWithOr(choices)}`)
      return found ?? fallback
    },
    /** A whole number of at least `least`. */
    count(option: string, fallback: number, least = 0): number {
      const value = text(option)
      if (value === undefined) return fallback
      if (!/^\d+$/.test(value) || Number(value) < least)
        throw wrong(option, `takes a whole number, ${least} or more`)
      return Number(value)
    },
    /** A port to listen on or to reach. */
    port(option: string, fallback: number, least = 0): number {
      const value = values[option] ?? fallback
      const isPort = typeof value !== 'object' && /^\d{1,5}$/.test(String(value))
      if (!isPort || Number(value) > 65_535 || Number(value) < least)
        throw wrong(option, `takes a port from ${least} to 65535`)
      return Number(value)
    },
    /** A duration such as `60s`, in ms; `least`: 1 where none at all makes no sense. */
    duration(option: string, fallback: number, least: 0 | 1 = 0): number {
      const value = text(option)
      if (value === undefined) return fallback
      const ms = durationMsOf(value)
      if (ms === undefined) throw wrong(option, durationFormatAdvice)
      if (ms < least) throw wrong(option, 'takes a duration above 0')
      if (ms > longestTimerMs) throw wrong(option, 'takes a duration of at most 24d')
      return ms
    },
    url(option: string): string | undefined {
      const value = text(option)
      if (value === undefined || isHttpUrl(value)) return value
      throw wrong(option, 'takes a URL such as http://127.0.0.1:4402')
    },
    /** A file that will be written; its folder is created. */
    output(option: string): string | undefined {
      const file = text(option)
      if (file !== undefined) checkOutput(file, sourceOf(option))
      return file
    },
    /**
     * The format and the path of each report file. `read`: files that the command reads, beside those that its options
     * name.
     */
    reports(read: readonly string[] = []): readonly ReportFile[] {
      const files = reportFiles()
      for (const { file } of files) checkOutput(file, sourceOf('report'), read)
      return files
    },
  }
}

/** True for an absolute http or https URL. */
export const isHttpUrl = (text: string): boolean =>
  ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')
