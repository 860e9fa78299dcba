/** Starts the installed mock as a user would. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWhole } from '#mocks/testing/sample.ts'
import { envOn } from './command.ts'

/** The installed command: by `npx`, or in the gate what that starts. */
export const commandOf = (project: string): [program: string, ...args: string[]] =>
  isWhole ? ['npx', 'work-agent-contract'] : [join(project, 'node_modules/.bin/work-agent-contract')]

export interface StartedMock {
  readonly url: string
  readonly apiKey: string
  stop(): void
}

/** @throws Error with the output of the mock, if it ends before it listens. */
export async function startMock(node: string, project: string): Promise<StartedMock> {
  const file = join(mkdtempSync(join(project, 'mock-')), 'ready.json')
  const [program, ...args] = commandOf(project)
  args.push('mock', '--port', '0', '--ready-file', file, '--log', 'json')
  const child = spawn(program, args, { cwd: project, env: envOn(node) })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  await new Promise((listening, reject) => {
    child.once('exit', () => reject(new Error(`the mock does not start: ${errors}`)))
    child.stdout.once('data', listening)
  })
  const { url, api_key } = JSON.parse(readFileSync(file, 'utf8'))
  return { url, apiKey: api_key, stop: () => child.kill() }
}
