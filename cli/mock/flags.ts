/** The options of `mock`. */
import { type CommandLine, flag, repeatable } from '../flags.ts'

export const mockCommand: CommandLine = {
  name: 'mock',
  summary: 'Serves an in-memory work-agent service that follows the contract.',
  example: '--port 0 --credits 3 --fault runTask=503',
  operands: '[-- command...]',
  pages: ['docs/client-authors.md', 'docs/error-cases.md', 'docs/flags.md', 'docs/quirks.md'],
  groups: {
    API: [
      flag('--variant <first|second>', 'description to follow where the two differ (default: first)'),
      flag('--extended', 'serve the extended route set (default: on)'),
      flag('--no-extended', 'turn --extended off'),
      flag('--rate-limit <N/Ws|off>', 'requests per key and time window (default: 600/60s)'),
      flag('--retry-after <seconds|date>', 'format of the Retry-After header (default: seconds)'),
      flag('--cors', 'let web pages of other origins call the API'),
    ],
    'Data and time': [
      flag('--scenario <ID>', 'start in a scenario; other options override its own'),
      flag('--credits <N>', 'Work Credits of each organization (default: 25)'),
      flag('--top-up <N/Ws>', 'add N credits this long after a request fails for lack of credits'),
      flag('--past <seeded|none|N>', 'initial data; N: that many finished tasks (default: seeded)'),
      flag('--keys-only <k1,k2>', 'accept only these keys, each with its own organization'),
      flag(
        '--from <FILE.har>',
        'begin with the state that explains a recording, and a fault wherever its service failed',
      ),
      flag('--until <N>', 'with --from: the state just before entry N of the recording (default: the first)'),
      flag('--seed <text>', 'seed of all data, ids and random choices (default: work-agent)'),
      flag('--now <ISO>', 'start of mock time (default: the current time)'),
    ],
    Runs: [
      flag('--run-duration <2s>', 'length of a run in mock time (default: 2s)'),
      flag('--run-outcome <completed|failed|0..1>', 'how runs end; a number: the share that fails'),
      flag('--run-progress <time|immediate|polls:N>', 'what finishes a run (default: time)'),
      flag(
        '--busy [seconds]',
        'start with the agent busy with other work, in seconds or as 5s or 500ms (default: off; without a value: 30)',
      ),
    ],
    Faults: [
      repeatable('--force <CODE[@OPERATION]>', 'respond with this error, on one operation or all'),
      repeatable(
        '--fault <RULE>',
        'fault rule: [OPERATION=]FAULT,…[;times=N][;rate=R][;after=N][;seed=TEXT][;in-a-row=N][;id=ID]',
      ),
      flag('--chaos <0..1>', 'share of requests that get a random fault, never more than two in a row'),
      flag(
        '--strict-client [seed]',
        'respond in every unexpected way that the specification allows; instead of a seed: ids of docs/quirks.md',
      ),
      flag('--reason-header', 'give the reason of a fault in X-Mock-Reason (default: on)'),
      flag('--no-reason-header', 'turn --reason-header off'),
    ],
    Server: [
      flag('--port <N>', 'port to listen on; 0: any free port (default: 4402; with a command: 0)'),
      flag('--host <address>', 'address to listen on (default: 127.0.0.1)'),
      flag(
        '--admin-token <text>',
        'token that control calls must send (default: none on loopback, generated elsewhere)',
      ),
      flag(
        '--ready-file <FILE>',
        'write the URL and the credentials there as JSON once the mock listens; removed when it ends',
      ),
      flag('--state <FILE>', 'begin with the state in this file, if it exists, and keep the state there'),
      flag('--state-sync', 'answer a request only when what it changed is in the file of --state'),
      flag('--slots <0-255/1024>', 'the organizations of a fleet that this mock has; docs/fleet.md'),
      flag('--journal <N>', 'number of requests that the journal keeps (default: 10000)'),
      flag('--organizations <N>', 'most organizations; one more gets 401, and is told why (default: 100000)'),
      flag(
        '--rows <N>',
        'most tasks, documents and keys of an organization; one more gets 503 (default: 1000000)',
      ),
      flag('--log <human|json|off>', 'one line per request (default: human; with a command: off)'),
      flag('--log-bodies', 'log the bodies of requests and responses too, without secrets'),
    ],
    'A command': [
      repeatable(
        '--report <json|junit|md|html|text=FILE>',
        'judge the client that the command runs, as check does; several with commas',
      ),
    ],
  },
  queries: [flag('--list-scenarios', 'print the scenarios and exit')],
}
