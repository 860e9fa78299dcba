/** The options of `proxy`. */
import { type CommandLine, flag, repeatable } from '../flags.ts'

export const proxyCommand: CommandLine = {
  name: 'proxy',
  summary: 'Stands between a client and a service, forwards byte for byte, and judges both while it happens.',
  example: '--upstream https://staging.example --har staging.har',
  pages: ['docs/traffic.md', 'docs/flags.md'],
  groups: {
    Proxy: [
      flag('--upstream <URL>', 'the service, without a path'),
      flag('--host <address>', 'address to listen on (default: 127.0.0.1)'),
      flag('--port <N>', 'port to listen on; 0: any free port (default: 4403)'),
      flag('--har <FILE>', 'record the traffic, without secrets'),
    ],
    Judgement: [
      flag('--side <service|client|both>', 'who is judged (default: both)'),
      flag('--variant <auto|first|second>', 'description to judge by (default: auto, for each route)'),
      flag('--consistency <2s>', 'how long a list or a balance may lag behind (default: 2s)'),
    ],
    Result: [
      flag(
        '--fail-on <error|warning|never>',
        'what makes the exit code 1; warning: a SHOULD too (default: error)',
      ),
      repeatable('--report <json|junit|md|html|text=FILE>', 'write a report at the end; several with commas'),
      flag('--quiet', 'print the verdict only'),
    ],
  },
}
