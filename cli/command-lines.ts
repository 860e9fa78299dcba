/** Every command and its options, in the order of the help and of `docs/flags.md`; and the help of the whole. */
import { Command } from 'commander'
import suite from '../package.json' with { type: 'json' }
import { type CommandDefinition, createCommand, exampleCallOf, parseArguments } from './flags.ts'

/** The command `mock` and its options, as data. */
export const mockCommandDefinition: CommandDefinition = {
  name: 'mock',
  summary: 'Serves an in-memory work-agent service that follows the contract.',
  example: '--port 0 --credits 3 --fault runTask=503',
  operands: '[-- command...]',
  pages: ['docs/client-authors.md', 'docs/error-cases.md', 'docs/flags.md', 'docs/quirks.md'],
  groups: {
    API: {
      '--variant <first|second>': 'description to follow where the two differ (default: first)',
      '--extended': 'serve the extended route set (default: on)',
      '--no-extended': 'turn --extended off',
      '--rate-limit <N/Ws|off>': 'requests per key and time window (default: 600/60s)',
      '--retry-after <seconds|date>': 'format of the Retry-After header (default: seconds)',
      '--cors': 'let web pages of other origins call the API',
    },
    'Data and time': {
      '--scenario <ID>': 'start in a scenario; other options override its own',
      '--credits <N>': 'Work Credits of each organization (default: 25)',
      '--top-up <N/Ws>': 'add N credits this long after a request fails for lack of credits',
      '--past <seeded|none|N>': 'initial data; N: that many finished tasks (default: seeded)',
      '--keys-only <k1,k2>': 'accept only these keys, each with its own organization',
      '--from <FILE.har>':
        'begin with the state that explains a recording, and a fault wherever its service failed',
      '--until <N>': {
        with: '--from',
        does: 'the state just before entry N of the recording (default: the first)',
      },
      '--seed <text>': 'seed of all data, ids and random choices (default: work-agent)',
      '--now <ISO>': 'start of mock time (default: the current time)',
    },
    Runs: {
      '--run-duration <2s>': 'length of a run in mock time (default: 2s)',
      '--run-outcome <completed|failed|0..1>': 'how runs end; a number: the share that fails',
      '--run-progress <time|immediate|polls:N>': 'what finishes a run (default: time)',
      '--busy [seconds]':
        'start with the agent busy with other work, in seconds or as 5s or 500ms (default: off; without a value: 30)',
    },
    Faults: {
      '--force <CODE[@OPERATION]>, …': 'respond with this error, on one operation or all',
      '--fault <RULE>, …':
        'fault rule: [OPERATION=]FAULT,…[;times=N][;rate=R][;after=N][;seed=TEXT][;cost=N][;in-a-row=N][;delay=D][;id=ID]',
      '--chaos <0..1>': 'share of requests that get a random fault, never more than two in a row',
      '--strict-client [seed]':
        'respond in every unexpected way that the specification allows; instead of a seed: ids of docs/quirks.md',
      '--reason-header': 'give the reason of a fault in X-Mock-Reason (default: on)',
      '--no-reason-header': 'turn --reason-header off',
    },
    Server: {
      '--port <N>': 'port to listen on; 0: any free port (default: 4402; with a command: 0)',
      '--host <address>': 'address to listen on (default: 127.0.0.1)',
      '--admin-token <text>':
        'token that control calls must send (default: none on loopback, generated elsewhere)',
      '--ready-file <FILE>':
        'write the URL and the credentials there as JSON once the mock listens; removed when it ends',
      '--state <FILE>': 'begin with the state in this file, if it exists, and keep the state there',
      '--state-sync': 'answer a request only when what it changed is in the file of --state',
      '--slots <0-255/1024>': 'the organizations of a fleet that this mock has; docs/fleet.md',
      '--journal <N>': 'number of requests that the journal keeps (default: 10000)',
      '--organizations <N>': 'most organizations; one more gets 401, and is told why (default: 100000)',
      '--rows <N>': 'most tasks, documents and keys of an organization; one more gets 503 (default: 1000000)',
      '--log <human|json|off>': 'one line per request (default: human; with a command: off)',
      '--log-bodies': 'log the bodies of requests and responses too, without secrets',
    },
    'A command': {
      '--report <json|junit|md|html|text=FILE>, …':
        'judge the client that the command runs, as check does; several with commas',
    },
  },
  queries: { '--list-scenarios': 'print the scenarios and exit' },
}

/** The command `verify` and its options, as data. */
export const verifyCommandDefinition: CommandDefinition = {
  name: 'verify',
  summary: 'Tests a service with the conformance suite; without a base URL, the embedded mock.',
  example: 'https://service.example --api-key "$KEY" --max-credits 20 --report junit=report.xml',
  variables: 'WORK_AGENT_',
  foreign: ['WORK_AGENT_COMMAND', 'WORK_AGENT_SESSION'],
  pages: ['docs/backend-teams.md', 'docs/flags.md'],
  operands: '[base-url]',
  groups: {
    Service: {
      '--base-url <URL>': 'the service, if no [base-url] is given',
      '--api-key <K>': 'API key of the organization under test',
      '--other-api-key <K>': 'API key of a second organization, to test isolation',
      '--session-cookie <name=value>': 'browser session of the first organization, for the key routes',
      '--other-session-cookie <name=value>':
        'browser session of the second organization, to test isolation of keys',
      '--states-url <URL>': 'endpoint that sets up provider states',
      '--header <name: value>, …': 'header of every request to the service, as a gateway may demand',
      '--states-header <name: value>, …': 'header of every request to the states endpoint',
      '--ca <FILE>': 'certificates to trust, in PEM form, besides those of Node',
      '--insecure': 'accept any certificate',
      '--variant <auto|first|second>': 'description to test against (default: auto, for each route)',
      '--extended <auto|on|off>': 'whether the service has the extended route set (default: auto, detected)',
    },
    Limits: {
      '--max-credits <N>': 'Work Credits that the run may spend (default: 0; embedded mock: 20)',
      '--read-only': 'create, change and spend nothing',
      '--probe-rate-limit <N>':
        'requests that the run may send to provoke a 429 if no state sets one up (default: 0)',
      '--run-timeout <60s>': 'time for a run to finish, and for what follows it (default: 60s)',
      '--consistency <2s>':
        'how long a list, a balance or a deleted key may lag behind; any lag is a SHOULD finding (default: 2s)',
      '--outage <10s>': 'time to wait for a service that is away, as while it restarts (default: 10s)',
      '--timeout <10s>': 'time for one response (default: 10s)',
      '--retry-limit <2m>': 'longest wait for one response that Retry-After may ask for (default: 2m)',
      '--concurrency <N>': 'requirements tested in parallel, where possible (default: 8)',
      '--shared':
        'others use the organizations meanwhile: what they may have caused is inconclusive (exit 3), not suspected (exit 1)',
    },
    Selection: {
      '--only <ID|glob>, …': 'test these requirements',
      '--skip <ID|glob>, …': 'leave these requirements out',
      '--level <MUST|SHOULD|MAY>': 'test this level and those above it (default: MAY, all)',
    },
    Search: {
      '--explore <60s|500>':
        'search for sequences, crowds and races that break a requirement, for a time or a number of steps',
      '--explore-only': 'search without testing the catalogue',
      '--explore-seed <N>': 'seed of the search (default: 1)',
      '--explore-clients <N>': 'most requests at once (default: 8)',
      '--fresh-keys <KEY-*>':
        'keys of organizations that nobody has used, with * for a tag: where the search tries again what it finds',
      '--fresh-sessions <name=VALUE-*>':
        'browser sessions of the same organizations, with * for the same tag; they work once the key was used',
      '--explore-findings <DIR>':
        'keep what the search finds there, try it first in each later run, and mark what is fixed',
      '--explore-replay <FILE>': 'try a found history again, without the catalogue',
    },
    Result: {
      '--strict': 'a violated SHOULD fails the run too',
      '--require-complete': 'requirements that are not exercised make the run incomplete (exit 3)',
      '--expected-failures <FILE>':
        'known failures: [{ "id", "reason", "expires"? }], or { "failures": […], "unexercised": […] }',
      '--report <json|junit|md|html|text=FILE>, …': 'write a report; several with commas',
      '--strength': 'say how many violations in what it saw a green run would have noticed, without traffic',
      '--history <FILE>': 'write what was sent and answered as NDJSON, without secrets, for --judge',
      '--quiet': 'print the verdict only',
      '--verbose': 'print passed requirements too',
    },
  },
  queries: {
    '--list': 'list the requirements, without traffic',
    '--json': { with: '--list', does: 'as JSON' },
    '--explain <ID>':
      'print the rule behind a requirement, its fields, steps, unusual inputs, needs, cost and proof',
    '--judge <FILE>': 'judge a history that --history wrote, without traffic',
    '--plan': 'print what a run would test and cost, and how long it would take, without traffic',
    '--latency <60ms|measure>': {
      with: '--plan',
      does: 'time to an answer, or measure it by five free requests',
    },
    '--run <2s>': { with: '--plan', does: 'the length of a run (default: 2s)' },
    '--rate <N/Ws|off>': { with: '--plan', does: 'the limit of each key (default: off)' },
  },
}

/** The command `check` and its options, as data. */
export const checkCommandDefinition: CommandDefinition = {
  name: 'check',
  summary:
    'Tests a client: runs its command once per scenario, with WORK_AGENT_BASE_URL and WORK_AGENT_API_KEY set. A client ends with exit code 0 if its work is done, and this command if it broke no rule.',
  example: '--scenario slow-run -- node client.js',
  pages: ['docs/client-report.md', 'docs/flags.md'],
  operands: '[command...]',
  groups: {
    Runs: {
      '--scenario <ID>, …': 'run the client in this scenario; several with commas (default: all)',
      '--strict-client <SEED|IDS>':
        'respond in every unexpected way that the specification allows, drawn by a seed, or in those of these quirks',
      '--seed <SEED>': 'seed of all data and ids (default: that of the scenario)',
      '--jobs <N>': 'run up to N copies of it at the same time (default: 8 for each core)',
      '--runs <N>': 'run it N times in each scenario (default: until its rules were exercised, at most 3)',
      '--timeout <60s>': 'time for one run of the client, which is then killed (default: 60s)',
    },
    Faults: {
      '--every-fault': 'run it once for each request that it sends and each fault that can happen to it',
      '--pairs <N>': 'run it also with N pairs of faults, drawn by --seed',
      '--fault <RULE>, …': 'run it once with this fault: [OPERATION=]FAULT,…[;times=N][;after=N]',
    },
    Result: {
      '--strict': 'violated advice (SHOULD) fails the check too',
      '--fail-on <error|warning>': 'what fails the check; warning: the same as --strict (default: error)',
      '--report <json|junit|md|html|text=FILE>, …': 'write a report; several with commas',
      '--traces <DIR>': 'keep the traffic of each run as HAR, its output, and the command that repeats it',
      '--quiet': 'print the verdict only, and nothing that the client prints',
    },
  },
  queries: {
    '--list': 'list the scenarios and the rules that each one covers',
    '--explain [RULE...]':
      'print what a rule demands, its thresholds and how to fix a violation (default: all)',
  },
}

const judgement = {
  '--side <service|client|both>': 'who is judged (default: both)',
  '--variant <auto|first|second>': 'description to judge by (default: auto, for each route)',
  '--consistency <2s>': 'how long a list or a balance may lag behind (default: 2s)',
}

const judgeCommand: CommandDefinition = {
  name: 'judge',
  summary: 'Judges recorded traffic: what the service broke of the specification, and what its clients did.',
  example: 'staging.har --report html=verdict.html',
  operands: '<file>',
  takes:
    'one recording: a HAR, which may be compressed, a history of verify --history, or - for standard input',
  pages: ['docs/traffic.md', 'docs/flags.md'],
  groups: {
    Recording: {
      '--base-url <URL>': 'the service in the recording, without /api/cli (default: the only one)',
      ...judgement,
    },
    Result: {
      '--strict': 'a violated SHOULD counts too',
      '--strength': 'say how many violations of the service a green verdict would have noticed',
      '--report <json|junit|md|html|text=FILE>, …': 'write a report; several with commas',
      '--quiet': 'print the verdict only',
      '--verbose': 'print what was kept and what the recording does not show, too',
    },
  },
}

const proxyCommand: CommandDefinition = {
  name: 'proxy',
  summary: 'Stands between a client and a service, forwards byte for byte, and judges both while it happens.',
  example: '--upstream https://staging.example --har staging.har',
  pages: ['docs/traffic.md', 'docs/flags.md'],
  groups: {
    Proxy: {
      '--upstream <URL>': 'the service, without a path',
      '--host <address>': 'address to listen on (default: 127.0.0.1)',
      '--port <N>': 'port to listen on; 0: any free port (default: 4403)',
      '--har <FILE>': 'record the traffic, without secrets',
    },
    Judgement: judgement,
    Result: {
      '--fail-on <error|warning|never>': 'what makes the exit code 1; warning: a SHOULD too (default: error)',
      '--report <json|junit|md|html|text=FILE>, …': 'write a report at the end; several with commas',
      '--quiet': 'print the verdict only',
    },
  },
}

const openapiCommand: CommandDefinition = {
  name: 'openapi',
  summary: 'Prints the OpenAPI 3.1 document of the API.',
  example: '--variant first --output openapi.json',
  pages: ['docs/client-authors.md', 'docs/flags.md'],
  groups: {
    Document: {
      '--variant <both|first|second>': 'description to follow where the two differ (default: both)',
      '--server <URL>':
        'the service, for tools that take no variable in its place (default: a variable, the mock)',
      '--output <FILE>': 'write the document to a file instead of standard output',
    },
  },
}

const envCommand: CommandDefinition = {
  name: 'env',
  summary: 'Prints the variables by which a client finds a mock, for a shell.',
  example: '--key ada',
  pages: ['docs/client-authors.md', 'docs/flags.md'],
  groups: {
    Variables: {
      '--port <N>': 'port of the mock on this machine (default: 4402)',
      '--key <text>': 'a key, or the name of an organization (default: wak_test_demo)',
    },
  },
}

const healthCommand: CommandDefinition = {
  name: 'health',
  summary: 'Checks that a service answers: it rejects a request without a key, as the contract requires.',
  example: 'http://127.0.0.1:4402',
  pages: ['docs/client-authors.md', 'docs/flags.md'],
  operands: '[url]',
  groups: {
    Service: {
      '--url <URL>': 'the service, if no [url] is given (default: http://127.0.0.1:4402)',
      '--timeout <3s>': 'time for the response (default: 3s)',
    },
  },
}

const fleetCommand: CommandDefinition = {
  name: 'fleet',
  summary: 'Prints the configuration of HAProxy for several mocks, each with slots of its own.',
  example: '--nodes nodes.json',
  pages: ['docs/fleet.md', 'docs/flags.md'],
  groups: {
    Fleet: {
      '--nodes <FILE>': 'JSON list of the mocks: [{"address":"10.0.0.1:4402","slots":"0-511/1024"}, …]',
      '--bind <address:port>': 'where HAProxy listens (default: 127.0.0.1:4402)',
    },
  },
}

/** The definitions of all commands, in the order of the help. */
export const commandDefinitions: readonly CommandDefinition[] = [
  mockCommandDefinition,
  verifyCommandDefinition,
  checkCommandDefinition,
  judgeCommand,
  proxyCommand,
  openapiCommand,
  envCommand,
  healthCommand,
  fleetCommand,
]

/**
 * Handles a call that names no command: prints the help or the version. @throws UsageError for an unknown command;
 * CommanderError after help.
 */
export function runWithoutCommand(argv: readonly string[]): undefined {
  const program = new Command('work-agent-contract')
    .description(suite.description)
    .version(suite.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .addHelpText('after', `\nExamples:\n${commandDefinitions.map(exampleOf).join('\n')}`)
  for (const line of commandDefinitions) program.addCommand(createCommand(line).name(line.name))
  const [first = '--help', topic] = argv
  // An unknown command has no help.
  const isKnown = first !== 'help' || !topic || commandDefinitions.some(({ name }) => name === topic)
  parseArguments(program, isKnown ? [first, ...argv.slice(1)] : argv.slice(1))
}

const exampleOf = (line: CommandDefinition) => `  ${exampleCallOf(line)}`
