/** What is wrong with a command line of `check` is said in one line. */
import { expect, test } from 'vitest'
import { readCommandLine } from '../flags.ts'
import { checkCommand } from './flags.ts'
import { readCheckOptions } from './options.ts'

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
