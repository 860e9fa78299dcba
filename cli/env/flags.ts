/** The options of `env`. */
import { type CommandLine, flag } from '../flags.ts'

export const envCommand: CommandLine = {
  name: 'env',
  summary: 'Prints the variables by which a client finds a mock, for a shell.',
  example: '--key ada',
  variables: 'WORK_AGENT_ENV_',
  pages: ['docs/client-authors.md', 'docs/flags.md'],
  groups: {
    Variables: [
      flag('--port <N>', 'port of the mock on this machine (default: 4402)'),
      flag('--key <text>', 'a key, or the name of an organization (default: wak_test_demo)'),
    ],
  },
}
