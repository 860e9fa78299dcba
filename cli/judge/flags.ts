/** The options of `judge`. */
import { type CommandLine, flag, repeatable } from '../flags.ts'

export const judgeCommand: CommandLine = {
  name: 'judge',
  summary: 'Judges recorded traffic: what the service broke of the specification, and what its clients did.',
  example: 'staging.har --report html=verdict.html',
  operands: '<file>',
  pages: ['docs/traffic.md', 'docs/flags.md'],
  groups: {
    Recording: [
      flag('--base-url <URL>', 'the service in the recording, without /api/cli (default: the only one)'),
      flag('--side <service|client|both>', 'who is judged (default: both)'),
      flag('--variant <auto|first|second>', 'description to judge by (default: auto, for each route)'),
      flag('--consistency <2s>', 'how long a list or a balance may lag behind (default: 2s)'),
    ],
    Result: [
      flag('--strict', 'a violated SHOULD counts too'),
      flag('--strength', 'say how many violations of the service a green verdict would have noticed'),
      repeatable('--report <json|junit|md|html|text=FILE>', 'write a report; several with commas'),
      flag('--quiet', 'print the verdict only'),
      flag('--verbose', 'print what was kept and what the recording does not show, too'),
    ],
  },
}
