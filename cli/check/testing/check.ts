/** Runs `check` on small clients: in this process, or as one of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtCommand, folderOfRun } from '../../testing/command.ts'
import { runInProcess } from '../../testing/in-process.ts'
import { lightFetch } from '../../testing/light-fetch.ts'

/** For the files of the tests of one process. */
export const folder = mkdtempSync(join(folderOfRun, 'check-'))

/** The environment of this process without our variables. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('WORK_AGENT_')),
)

/** Starts `check`. */
export function startCheck(...argv: string[]) {
  return spawn(process.execPath, [builtCommand, 'check', ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs `check` in this process. */
export async function check(...argv: string[]) {
  const { code, out, err } = await runInProcess(['check', ...argv], env)
  return { status: code, stdout: out, stderr: err }
}

/** Runs `check` as a process to its end. */
export async function checkAsProcess(...argv: string[]) {
  const child = startCheck(...argv)
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const [status] = await once(child, 'close')
  return { status: status as number, stdout, stderr }
}

/** Writes a client: `ask` sends a request and returns its status, and `fetch` is light. */
export function client(name: string, body: string): string[] {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(
    file,
    `${lightFetch}
    const ask = async (path, method = 'GET') => {
      const headers = { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY }
      const answer = await fetch(process.env.WORK_AGENT_BASE_URL + '/api/cli' + path, { method, headers })
      await answer.text()
      return answer.status
    }
    ${body}`,
  )
  return ['--', process.execPath, file]
}

/** A scenario without surprises. */
export const one = ['--scenario', 'slow-run']

/** Sends one request. */
export const polite = () => client('polite', `console.log('status', await ask('/whoami'))`)
