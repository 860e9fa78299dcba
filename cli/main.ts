/** The command: `mock` and its siblings. Usage errors are one line and exit 2, never a stack trace. */
import { enableCompileCache } from 'node:module'

// Before every other import: what Node compiled at the last start is read back (docs/decisions/0002).
enableCompileCache()
const { CommanderError } = await import('commander')
const { UsageError } = await import('./flags.ts')

// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const commands: Record<string, (argv: readonly string[], env: NodeJS.ProcessEnv) => Promise<void>> = {
  check: async (argv, env) => (await import('./check/main.ts')).runCheck(argv, env),
  mock: async (argv, env) => (await import('./mock/main.ts')).runMock(argv, env),
  openapi: async (argv, env) => (await import('./openapi.ts')).runOpenapi(argv, env),
  verify: async (argv, env) => (await import('./verify/main.ts')).runVerify(argv, env),
}

const [name = '', ...argv] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined

if (!command) {
  const asked = ['', '-h', '--help', 'help'].includes(name)
  const usage = `usage: work-agent-contract <${Object.keys(commands).join('|')}> [options]; --help after a command lists its options\n`
  process[asked ? 'stdout' : 'stderr'].write(asked ? usage : `unknown command "${name}"; ${usage}`)
  process.exitCode = asked && name !== '' ? 0 : 2
} else {
  await command(argv, process.env).catch((error: unknown) => {
    if (error instanceof CommanderError && error.exitCode === 0) return
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${name}: ${error.message}\n`)
    process.exitCode = 2
  })
}
