/** Runs `check` on small clients. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testRunFolder } from '../../testing/command.ts'
import { runCliInProcess } from '../../testing/in-process.ts'
import { lightFetchSource } from '../../testing/light-fetch.ts'

/** The folder for the files of the tests of one process. */
export const checkTestFolder = mkdtempSync(join(testRunFolder, 'check-'))

/** Reads a file in `checkTestFolder`. */
export const readTestFile = (name: string) => readFileSync(join(checkTestFolder, name), 'utf8')

/** Runs `check` with flags on a client, in this process, until it ends. */
export const runCheckOn = (flags: string, ...command: string[]) =>
  runCliInProcess(['check', ...flags.split(' '), ...command])

/** The command, as a list of words, that runs a one-line script in Node. */
export const nodeScriptCommand = (script: string) => ['--', process.execPath, '-e', script]

/**
 * Writes the program of a client to a file; returns the command that runs it, as a list of words. In the program, `ask`
 * sends a request and returns the status.
 */
export function writeTestClient(name: string, body: string): string[] {
  const file = join(checkTestFolder, `${name}.mjs`)
  writeFileSync(
    file,
    `${lightFetchSource}
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

/** The flags that choose the scenario `slow-run`, in which nothing fails but runs take long. */
export const slowRunScenarioFlags = '--scenario slow-run'

/**
 * Writes the program of a client that sends one request and violates no rule; returns the command that runs it, as a
 * list of words.
 */
export const writeClientKeepingRules = () =>
  writeTestClient('polite', `console.log('status', await ask('/whoami'))`)
