/** The options of `health`. */
import { type CommandLine, flag } from '../flags.ts'

export const healthCommand: CommandLine = {
  name: 'health',
  summary: 'Checks that a service answers: it rejects a request without a key, as the contract requires.',
  example: 'http://127.0.0.1:4402',
  variables: 'WORK_AGENT_HEALTH_',
  pages: ['docs/client-authors.md', 'docs/flags.md'],
  operands: '[url]',
  groups: {
    Service: [
      flag('--url <URL>', 'the service, if no [url] is given (default: http://127.0.0.1:4402)'),
      flag('--timeout <3s>', 'time for the response (default: 3s)'),
    ],
  },
}
