/** Flags override variables, variables override the file; unknown or malformed input is one line. */
import { expect, test } from 'vitest'
import { commandDefinitions } from './command-lines.ts'
import { type CommandDefinition, createCommand, exampleCallOf, readCommandLine, UsageError } from './flags.ts'
import { createSharedFolder } from './testing/folder.ts'
import { captureOutput } from './testing/in-process.ts'

const line: CommandDefinition = {
  name: 'demo',
  summary: 'A demonstration.',
  example: '--cors',
  variables: 'DEMO_',
  foreign: ['DEMO_SHOWN'],
  pages: ['docs/demo.md'],
  groups: {
    Values: {
      '--rate-limit <N>': 'a value',
      '--busy [seconds]': 'an optional value',
      '--force <CODE>, …': 'a list',
      '--fault <RULE>, …': 'a list of rules',
    },
    Switches: { '--extended': 'a switch, on or off', '--no-extended': 'turns it off', '--cors': 'a switch' },
  },
  queries: { '--only-typed': 'only typed' },
}

const { write } = createSharedFolder()

test.each(commandDefinitions)('the help of $name fits into 80 columns', (one) => {
  const shown = createCommand(one)
    .configureOutput({ getOutHelpWidth: () => 80 })
    .helpInformation()
  expect(`${shown}\n${exampleCallOf(one)}`.split('\n').filter(({ length }) => length > 80)).toEqual([])
})

/** Commands of which one has variables that begin as those of the line do. */
const others = ['DEMO_', 'DEMO_HOME_', 'DE'].map((variables) => ({ ...line, variables }))
const read = (argv: string[], env: NodeJS.ProcessEnv = {}) => readCommandLine(line, argv, env, others)

/** The line that is printed for an invalid call. */
function complaint(argv: string[], env: NodeJS.ProcessEnv = {}): string {
  try {
    read(argv, env)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  throw new Error('nothing was rejected')
}

test.each<[string[], object]>([
  [[], {}],
  [['--rate-limit', '5'], { rateLimit: '5' }],
  [['--rate-limit=5'], { rateLimit: '5' }],
  [['--rate-limit', '5', '--rate-limit', '6'], { rateLimit: '6' }],
  [['--rate-limit', '-5'], { rateLimit: '-5' }],
  [['--busy'], { busy: true }],
  [['--busy', '5'], { busy: '5' }],
  [['--busy', '--cors'], { busy: true, cors: true }],
  [['--extended'], { extended: true }],
  [['--no-extended'], { extended: false }],
  [['--force', 'a', '--force', 'b'], { force: ['a', 'b'] }],
  [['--only-typed'], { onlyTyped: true }],
])('%j is read', (argv, values) => {
  expect(read(argv).values).toEqual(values)
})

test.each<[NodeJS.ProcessEnv, object]>([
  [{ DEMO_RATE_LIMIT: '5', PATH: '/bin', DEMO_HOME_PORT: '1' }, { rateLimit: '5' }],
  [{ DEMO_BUSY: '1' }, { busy: '1' }],
  [{ DEMO_BUSY: 'true' }, { busy: true }],
  [{ DEMO_BUSY: '' }, { busy: false }],
  [
    { DEMO_EXTENDED: 'false', DEMO_CORS: 'true' },
    { extended: false, cors: true },
  ],
  [
    { DEMO_EXTENDED: '0', DEMO_CORS: '1' },
    { extended: false, cors: true },
  ],
  [{ DEMO_FORCE: 'a, b,' }, { force: ['a', 'b'] }],
  [
    { DEMO_FAULT: 'runTask=503,ok;times=2, getTask=reset,' },
    { fault: ['runTask=503,ok;times=2', 'getTask=reset'] },
  ],
])('the variables %j are read', (env, values) => {
  expect(read([], env).values).toEqual(values)
})

const file = write('options.json', '{"rateLimit":"file","extended":true,"force":["file"]}')
const variables = { DEMO_RATE_LIMIT: 'variable', DEMO_EXTENDED: 'true', DEMO_FORCE: 'variable' }

test.each<[string, string[], NodeJS.ProcessEnv, string, boolean]>([
  ['--rate-limit', ['--rate-limit', 'flag', '--no-extended', '--force', 'flag'], variables, 'flag', false],
  ['DEMO_RATE_LIMIT', [], variables, 'variable', true],
  [`"rateLimit" in ${file}`, [], {}, 'file', true],
])('of flags, variables and the file the first counts: %s', (source, argv, env, value, extended) => {
  const given = read(argv, { ...env, DEMO_CONFIG: file })
  expect(given.values).toEqual({ rateLimit: value, extended, force: [value] })
  expect(given.sourceOf('rateLimit')).toBe(source)
})

test.each<[string[], RegExp]>([
  [['--nope'], /^unknown option '--nope'/],
  [['--rate-limt', '5'], /^unknown option '--rate-limt' \(Did you mean --rate-limit\?\)$/],
  [['--rate-limit'], /^option '--rate-limit <N>' argument missing$/],
  [['--rate-limit', '--'], /^option '--rate-limit <N>' argument missing$/],
  [['--rate-limit', ''], /^option '--rate-limit <N>' argument missing$/],
  [['--force', 'a', '--force='], /^option '--force <CODE>' argument missing$/],
  [['--force', 'a', '--force', '--'], /^option '--force <CODE>' argument missing$/],
  [['--cors=yes'], /^--cors takes no value$/],
  [['--no-cors'], /^unknown option '--no-cors'/],
  [['-x'], /^unknown option '-x'$/],
  [['extra'], /^too many arguments/],
  [['--config'], /^option '--config <FILE>' argument missing$/],
  [['--config', '/nowhere/at/all.json'], /^cannot read \/nowhere\/at\/all\.json: ENOENT$/],
])('%j is rejected in one line', (argv, message) => {
  expect(complaint(argv)).toMatch(message)
  expect(complaint(argv)).not.toContain('\n')
})

test.each<[NodeJS.ProcessEnv, string]>([
  [{ DEMO_RATELIMIT: '5' }, 'unknown variable DEMO_RATELIMIT; did you mean DEMO_RATE_LIMIT?'],
  [{ DEMO_CORS: 'maybe' }, 'DEMO_CORS takes true or false, not "maybe"'],
  [{ DEMO_CONFIG: '' }, 'cannot read : ENOENT'],
])('the variables %j are rejected', (env, message) => {
  expect(complaint([], env)).toBe(message)
})

test('a variable that resembles no option is refused only where all that begin so are of the command', async () => {
  const env = { DEMO_TOKEN: 'a', DEMO_ONLY_TYPED: 'true', DEMO_SHOWN: 'b' }
  expect(await captureOutput(() => Object.keys(read([], env).values).length)).toEqual({
    code: 0,
    out: '',
    err: 'demo: no options of demo, ignored: DEMO_TOKEN, DEMO_ONLY_TYPED\n',
  })
  const { variables: _, ...own } = line
  expect(() => readCommandLine(own, [], { WORK_AGENT_DEMO_TOKEN: 'a' })).toThrow(
    'unknown variable WORK_AGENT_DEMO_TOKEN',
  )
})

test.each([
  ['{"ratelimit":"5"}', /^unknown option "ratelimit" in .*; did you mean rateLimit\?$/],
  ['{"rate-limit":"5"}', /^unknown option "rate-limit" in .*; did you mean rateLimit\?$/],
  ['{"__proto__":{}}', /^unknown option "__proto__" in /],
  ['{"onlyTyped":true}', /^unknown option "onlyTyped" in /],
  ['[1]', / is not a JSON object$/],
  ['null', / is not a JSON object$/],
  ['{"a"', /^cannot read .+: it is not JSON$/],
  ['', /^cannot read .+: it is not JSON$/],
])('a file that contains %s is rejected', (content, message) => {
  expect(complaint(['--config', write('wrong.json', content)])).toMatch(message)
})

test('operands are read if the command takes them', () => {
  const given = readCommandLine({ ...line, operands: '[base-url]' }, ['http://x', '--cors'], {})
  expect([given.operands, given.values]).toEqual([['http://x'], { cors: true }])
})
