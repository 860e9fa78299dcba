/** The executable. Usage errors are one line and exit code 2, without a stack trace. */
import { enableCompileCache } from 'node:module'

// Before every other import: Node reuses the code that it compiled at the last start (docs/decisions/0002).
enableCompileCache()
const { runCommand } = await import('./commands.ts')

// A reader that closes the pipe early (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await runCommand(process.argv.slice(2), process.env)
