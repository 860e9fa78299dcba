/** What is wrong with a command line of `check` is said in one line; and what explains its verdict. */
import { expect, test } from 'vitest'
import { demands } from '#client-tests/every-fault/effects.ts'
import { checkCommand } from '../command-lines.ts'
import { readCommandLine } from '../flags.ts'
import { readCheckOptions } from './options.ts'
import { check } from './testing/check.ts'

const read = (...argv: string[]) => readCheckOptions(readCommandLine(checkCommand, argv, {}))
const command = ['--', 'node', 'client.js']

test.each<[string, string[], string]>([
  ['no command', [], 'needs the command of a client after --, such as: check -- node client.js'],
  [
    'an unknown scenario',
    ['--scenario', 'lost-anser', ...command],
    '--scenario takes no "lost-anser"; did you mean "lost-answer"? (--list explains them)',
  ],
  [
    'a malformed duration',
    ['--timeout', 'long', ...command],
    '--timeout takes a duration such as 2s or 150ms',
  ],
  ['no time at all', ['--timeout', '0s', ...command], '--timeout takes a duration above 0'],
  ['an unknown form', ['--report', 'pdf=a.pdf', ...command], 'not "pdf=a.pdf"'],
  [
    'an unknown flag',
    ['--scenarios', 'x', ...command],
    "unknown option '--scenarios' (Did you mean --scenario?)",
  ],
  ['no number of pairs', ['--pairs', 'many', ...command], '--pairs takes a whole number, 0 or more'],
  [
    'an unknown fault',
    ['--fault', 'runTask=lots', ...command],
    '--fault does not know the fault "lots"; did you mean "lost"?',
  ],
  [
    'scenarios and faults',
    ['--every-fault', '--scenario', 'slow-run', ...command],
    'takes --scenario or faults, not both',
  ],
])('%s', (_, argv, message) => {
  expect(() => read(...argv)).toThrow(message)
})

test('without a name every rule and every effect is explained, with its thresholds and its fix', async () => {
  const { status, stdout } = await check('--explain')
  expect(status).toBe(0)
  for (const { id, level, section, statement, thresholds = '', fix } of demands) {
    const [, own = ''] = stdout.split(`${level} ${id} (${section})\n`)
    for (const text of [statement, thresholds, fix]) expect(own.split('\n\n')[0]).toContain(text)
  }
})

test('several rules can be named, in any case', async () => {
  const { stdout } = await check('--explain', 'polls-sanely', 'PAYS-ONCE')
  expect(stdout.match(/^\w+ [\w-]+ \(/gm)).toEqual(['SHOULD polls-sanely (', 'MUST pays-once ('])
  expect(stdout).toContain('Thresholds   Too fast are 4 polls of a task in a row with less than 200 ms')
  expect(stdout).toMatch(/^ {2}Judged +under faults, beside a run without one$/m)
})

test('a name that is no rule is one line with the nearest, and exit 2', async () => {
  expect(await check('--explain', 'polls-sanly')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'check: --explain: no rule "polls-sanly"; did you mean "polls-sanely"?\n',
  })
})
