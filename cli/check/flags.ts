/** The options of `check`. */
import { type CommandLine, flag, repeatable } from '../flags.ts'

export const checkCommand: CommandLine = {
  name: 'check',
  summary:
    'Tests a client: runs its command once per scenario, with WORK_AGENT_BASE_URL and WORK_AGENT_API_KEY set.',
  example: '--scenario slow-run -- node client.js',
  pages: ['docs/client-report.md', 'docs/flags.md'],
  operands: '[command...]',
  groups: {
    Runs: [
      repeatable('--scenario <ID>', 'run the client in this scenario; several with commas (default: all)'),
      flag('--strict-client <SEED>', 'respond in every unexpected way that the specification allows'),
      flag('--seed <SEED>', 'seed of all data and ids (default: that of the scenario)'),
      flag('--jobs <N>', 'run up to N copies of it at the same time (default: 8 for each core)'),
      flag(
        '--runs <N>',
        'run it N times in each scenario (default: until its rules were exercised, at most 3)',
      ),
      flag('--timeout <60s>', 'time for one run of the client, which is then killed (default: 60s)'),
    ],
    Faults: [
      flag(
        '--every-fault',
        'run it once for each request that it sends and each fault that can happen to it',
      ),
      flag('--pairs <N>', 'run it also with N pairs of faults, drawn by --seed'),
      repeatable('--fault <RULE>', 'run it once with this fault: [OPERATION=]FAULT,…[;times=N][;after=N]'),
    ],
    Result: [
      flag('--strict', 'violated advice (SHOULD) fails the check too'),
      flag(
        '--fail-on <error|warning>',
        'what fails the check; warning: the same as --strict (default: error)',
      ),
      repeatable('--report <json|junit|md|html|text=FILE>', 'write a report; several with commas'),
      flag(
        '--traces <DIR>',
        'keep the traffic of each run as HAR, its output, and the command that repeats it',
      ),
      flag('--quiet', 'print the verdict only, and nothing that the client prints'),
    ],
  },
  queries: [
    flag('--list', 'list the scenarios and the rules that each one covers'),
    flag(
      '--explain [RULE...]',
      'print what a rule demands, its thresholds and how to fix a violation (default: all)',
    ),
  ],
}
