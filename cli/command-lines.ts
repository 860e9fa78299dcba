/** Every command, in the order of the help and of `docs/flags.md`; the options of the small ones; and the help of the whole. */
import { Command } from 'commander'
import suite from '../package.json' with { type: 'json' }
import { checkCommand } from './check/flags.ts'
import { type CommandLine, createCommand, flag, parse } from './flags.ts'
import { judgeCommand } from './judge/flags.ts'
import { mockCommand } from './mock/flags.ts'
import { proxyCommand } from './proxy/flags.ts'
import { verifyCommand } from './verify/flags.ts'

export const envCommand: CommandLine = {
  name: 'env',
  summary: 'Prints the variables by which a client finds a mock, for a shell.',
  example: '--key ada',
  pages: ['docs/client-authors.md', 'docs/flags.md'],
  groups: {
    Variables: [
      flag('--port <N>', 'port of the mock on this machine (default: 4402)'),
      flag('--key <text>', 'a key, or the name of an organization (default: wak_test_demo)'),
    ],
  },
}

export const fleetCommand: CommandLine = {
  name: 'fleet',
  summary: 'Prints the configuration of HAProxy for several mocks, each with slots of its own.',
  example: '--nodes nodes.json',
  pages: ['docs/fleet.md', 'docs/flags.md'],
  groups: {
    Fleet: [
      flag('--nodes <FILE>', 'JSON list of the mocks: [{"address":"10.0.0.1:4402","slots":"0-511/1024"}, …]'),
      flag('--bind <address:port>', 'where HAProxy listens (default: 127.0.0.1:4402)'),
    ],
  },
}

export const healthCommand: CommandLine = {
  name: 'health',
  summary: 'Checks that a service answers: it rejects a request without a key, as the contract requires.',
  example: 'http://127.0.0.1:4402',
  pages: ['docs/client-authors.md', 'docs/flags.md'],
  operands: '[url]',
  groups: {
    Service: [
      flag('--url <URL>', 'the service, if no [url] is given (default: http://127.0.0.1:4402)'),
      flag('--timeout <3s>', 'time for the response (default: 3s)'),
    ],
  },
}

export const openapiCommand: CommandLine = {
  name: 'openapi',
  summary: 'Prints the OpenAPI 3.1 document of the API.',
  example: '--variant first --output openapi.json',
  pages: ['docs/client-authors.md', 'docs/flags.md'],
  groups: {
    Document: [
      flag('--variant <both|first|second>', 'description to follow where the two differ (default: both)'),
      flag('--output <FILE>', 'write the document to a file instead of standard output'),
    ],
  },
}

export const commandLines: readonly CommandLine[] = [
  mockCommand,
  verifyCommand,
  checkCommand,
  judgeCommand,
  proxyCommand,
  openapiCommand,
  envCommand,
  healthCommand,
  fleetCommand,
]

/** Handles a call that names no command. @throws UsageError for an unknown one; CommanderError after help. */
export function runProgram(argv: readonly string[]): undefined {
  const program = new Command('work-agent-contract')
    .description(suite.description)
    .version(suite.version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .addHelpText('after', `\nExamples:\n${commandLines.map(exampleOf).join('\n')}`)
  for (const line of commandLines) program.addCommand(createCommand(line).name(line.name))
  parse(program, argv.length > 0 ? argv : ['--help'])
}

const exampleOf = ({ name, example }: (typeof commandLines)[number]) =>
  `  work-agent-contract ${name} ${example}`
