/** The command as a whole: its help, its version, and the error for an unknown command. */
import { Command } from 'commander'
import suite from '../package.json' with { type: 'json' }
import { commandLines } from './command-lines.ts'
import { createCommand, parse } from './flags.ts'

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
