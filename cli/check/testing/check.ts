/** Runs `check` on small clients: in this process, or as one of its own. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOfRun } from '../../testing/command.ts'
import { lightFetch } from '../../testing/light-fetch.ts'
import { runAsProcess, runHere, spawnCli } from '../../testing/mock-process.ts'

/** For the files of the tests of one process. */
export const folder = mkdtempSync(join(folderOfRun, 'check-'))

/** Starts `check`. */
export const startCheck = (...argv: string[]) => spawnCli(['check', ...argv])

/** Runs `check` in this process. */
export const check = (...argv: string[]) => runHere(['check', ...argv])

/** Runs `check` as a process to its end. */
export async function checkAsProcess(...argv: string[]) {
  const { code, out, err } = await runAsProcess(['check', ...argv])
  return { status: code, stdout: out, stderr: err }
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
