/** The command line. Usage errors are one line and exit code 2, without a stack trace. */
import { enableCompileCache } from 'node:module'

// Before every other import: Node reuses the code that it compiled at the last start (docs/decisions/0002).
enableCompileCache()
const { CommanderError } = await import('commander')
const { UsageError } = await import('./usage-error.ts')
const { oneLine } = await import('#reporting/one-line.ts')

// A reader that closes the pipe early (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const commands: Record<string, (argv: readonly string[], env: NodeJS.ProcessEnv) => Promise<void>> = {
  check: async (argv, env) => (await import('./check/main.ts')).runCheck(argv, env),
  health: async (argv, env) => (await import('./health/main.ts')).runHealth(argv, env),
  mock: async (argv, env) => (await import('./mock/main.ts')).runMock(argv, env),
  openapi: async (argv, env) => (await import('./openapi/main.ts')).runOpenapi(argv, env),
  verify: async (argv, env) => (await import('./verify/main.ts')).runVerify(argv, env),
}

const [name = '', ...argv] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
try {
  if (command) await command(argv, process.env)
  else (await import('./program.ts')).runProgram(process.argv.slice(2))
} catch (error) {
  const isUsageError = error instanceof UsageError
  if (isUsageError)
    process.stderr.write(`${command ? name : 'work-agent-contract'}: ${oneLine(error.message)}\n`)
  else if (!(error instanceof CommanderError)) throw error
  // Commander throws after it has printed help or the version, with its exit code.
  if (isUsageError || error.exitCode !== 0 || name === '') process.exitCode = 2
}
