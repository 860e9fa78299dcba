/** The mocks that a page starts: in this process, or in one of their own if they write files. */
import { spawnSync } from 'node:child_process'
import { mockCommand } from '#cli/command-lines.ts'
import { readCommandLine } from '#cli/flags.ts'
import { readMockOptions } from '#cli/mock/options.ts'
import { builtCommand } from '#cli/testing/command.ts'
import { startProgram } from '#cli/testing/run.ts'
import { createMock, listen } from '#mocks/index.ts'

/** A running mock. */
export interface Running {
  readonly port: number
  /** Why it could not start; undefined: it runs. */
  readonly problem?: string
  stop(): Promise<void>
}

/** The flags of a command that starts a mock and leaves it running; undefined: the command does something else. */
export function startedBy(command: string): string | undefined {
  const [, flags] =
    /^(?:npm start(?: --)?|npx --no-install work-agent-contract mock)((?: .*)?)$/.exec(command) ?? []
  return flags === undefined || / (?:--list-scenarios|-- )/.test(flags) ? undefined : flags.trim()
}

/**
 * A mock as `npm start` creates it, without a process. Its clock is frozen, so that no page depends on speed; with a frozen
 * clock the usual limit would never be reset, so it is out of reach.
 */
export async function startPlain(): Promise<Running> {
  const mock = createMock({ rateLimit: '100000/60s' })
  mock.clock.freeze()
  const { url, close } = await listen(mock, { port: 0, host: '127.0.0.1' })
  return { port: Number(new URL(url).port), stop: close }
}

/** A mock with flags. */
export async function startWith(flags: string, folder: string): Promise<Running> {
  try {
    return await (namesFiles.test(flags) ? startProcess(flags, folder) : startHere(flags))
  } catch (error) {
    return { port: 0, problem: String(error), stop: async () => {} }
  }
}

/** Flags with files, which are in the folder of the page. */
const namesFiles = /--(?:state|ready-file|config) /

/** A mock in this process, with flags as a shell and the command read them. */
async function startHere(flags: string): Promise<Running> {
  const { stdout } = spawnSync('bash', ['-c', `printf '%s\\0' ${flags}`], { encoding: 'utf8' })
  const argv = stdout.split('\0').slice(0, -1)
  const { mock, address } = readMockOptions(readCommandLine(mockCommand, argv, {}))
  const { url, close } = await listen(createMock(mock), { ...address, port: 0 })
  return { port: Number(new URL(url).port), stop: close }
}

async function startProcess(flags: string, folder: string): Promise<Running> {
  const line = `exec node ${builtCommand} mock ${flags} --port 0 --log json`
  // As npm sets it: the mock then stops with its parent.
  const env = { ...process.env, npm_lifecycle_event: 'start' }
  const { ready, stop } = await startProgram('bash', ['-c', line], { cwd: folder, env })
  return {
    port: Number(new URL(ready.url).port),
    async stop() {
      const code = await stop('SIGTERM')
      if (code !== 0) throw new Error(`${line}: stopped with ${code}`)
    },
  }
}
