/** The executable. Usage errors are one line and exit code 2, without a stack trace. */
import { enableCompileCache } from 'node:module'

// Before every other import: Node reuses the code that it compiled at the last start (docs/decisions/0002).
enableCompileCache()
const { runCommand } = await import('./commands.ts')

let isCut = false

// A reader that closes the pipe early (`| head`) is no error. On a full disk, what is left of the work goes on.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  if (!isCut) process.stderr.write(`work-agent-contract: cannot write standard output: ${error.code}\n`)
  isCut = true
})
// There is nowhere left to say that nothing can be said.
process.stderr.on('error', () => undefined)
process.on('exit', () => {
  if (isCut) process.exitCode ||= 2
})

process.exitCode = await runCommand(process.argv.slice(2), process.env)
