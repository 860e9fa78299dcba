/** The options of `mock`, read. */
import { mockOptionsSchema } from '#mocks/config/options.ts'
import { adminTokenSchema } from '#mocks/edges/http.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { parseOptionsWithScenario } from '#mocks/scenarios/index.ts'
import { type GivenOptions, UsageError } from '../flags.ts'

/** The options of the command `mock`, validated: those of the mock itself, and those of the command. */
export type MockCommandOptions = Readonly<ReturnType<typeof readMockOptions>>

const example = 'mock -- npm test'

/** Reads the options of `mock`. @throws UsageError for an invalid option. */
export function readMockOptions(given: GivenOptions) {
  const all = Object.entries(given.values).filter(([name]) => name in mockOptionsSchema.shape)
  const mock = checkMockOptions(given, Object.fromEntries(all))
  const command = readCommand(given)
  for (const option of ['host', 'log', 'readyFile', 'state', 'from', 'adminToken']) {
    const value = given.values[option] ?? 'none'
    if (typeof value !== 'string' || value === '') throw given.wrong(option, 'takes a non-empty text')
  }
  const token = adminTokenSchema.optional().safeParse(given.text('adminToken'))
  if (!token.success) throw given.wrong('adminToken', `${token.error.issues[0]?.message}`)
  if (given.on('stateSync') && given.text('state') === undefined)
    throw given.wrong('stateSync', 'needs --state')
  if (given.text('from') !== undefined) {
    const [other] = [...Object.keys(mock), 'state'].filter((name) => given.values[name] !== undefined)
    if (other) throw given.wrong('from', `tells the state: leave out ${given.sourceOf(other)}`)
  }
  if (given.values.report !== undefined && command.length === 0)
    throw given.wrong('report', `needs a command after --, such as: ${example}`)
  return {
    mock,
    /** The command to run beside the mock, word by word; empty if there is none. */
    command,
    reports: given.reports(),
    address: {
      host: given.text('host') ?? '127.0.0.1',
      port: given.port('port', command.length > 0 ? 0 : 4402),
      adminToken: given.text('adminToken'),
    },
    log: given.choice('log', ['human', 'json', 'off'], command.length > 0 ? 'off' : 'human'),
    logBodies: given.on('logBodies'),
    readyFile: given.output('readyFile'),
    state: given.text('state'),
    /** The recording to rebuild the state of; undefined if there is none. */
    from: given.text('from'),
    /** The number of the entry in the recording right before which the mock begins; undefined: the first. */
    until: given.values.until === undefined ? undefined : given.count('until', 1, 1),
    /** True if each answer waits until its changes are in the state file. */
    stateSync: given.on('stateSync'),
  }
}

/** Validates the options of a mock. @throws UsageError for an invalid one. */
export function checkMockOptions(given: GivenOptions, options: MockOptions): MockOptions {
  const problems = parseOptionsWithScenario(options)
  if (!Array.isArray(problems)) return options
  throw new UsageError(
    problems.map(({ option, problem }) => `${given.sourceOf(option)} ${problem}`).join('; '),
  )
}

/** The command after `--`. */
function readCommand({ operands, argv }: GivenOptions): readonly string[] {
  const at = argv.indexOf('--')
  const [first, ...before] = at < 0 ? operands : operands.slice(0, operands.length - (argv.length - at - 1))
  if (first !== undefined)
    throw new UsageError(`unexpected "${[first, ...before].join(' ')}"; a command comes after --: ${example}`)
  if (at >= 0 && operands.length === 0) throw new UsageError(`needs a command after --, such as: ${example}`)
  return operands
}
