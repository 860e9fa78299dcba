/** The examples of backends pass the whole suite, by the commands in their READMEs; `npm run proof bugs` tries those with a bug. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { builtCommand } from '#cli/testing/command.ts'
import { run } from '#cli/testing/run.ts'

let service: ChildProcess | undefined

afterEach(async () => {
  if (!service || service.exitCode !== null) return
  service.kill()
  await once(service, 'exit')
})

/** Starts a backend and runs the command of its README on it. */
async function verified(folder: string, command: string, words: readonly string[]) {
  const started = spawn(command, [...words, '--port', '0'], {
    cwd: folder,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  service = started
  const [line] = await once(createInterface(started.stdout), 'line')
  const { event, url, ...credentials } = JSON.parse(line)
  expect(event).toBe('listening')

  const readme = readFileSync(`${folder}/README.md`, 'utf8')
  const [, flags = ''] = /^npx --no-install work-agent-contract (.*?)\n```$/ms.exec(readme) ?? []
  const given = flags.replaceAll(/http:\/\/127\.0\.0\.1:4\d00/g, url).split(/[\s\\]+/)
  expect(given).toEqual(expect.arrayContaining([url, ...Object.values(credentials)]))
  return run('.', process.execPath, [builtCommand, ...given])
}

const passed = /^PASSED: \d+ passed, 0 failed, \d+ not applicable, of \d+$/m

test('the backend in Python keeps every requirement, and none is left out', async ({ skip }) => {
  if (spawnSync('python3', ['--version']).status !== 0) skip('python3 does not run here')
  const { code, said } = await verified('examples/backend-python', 'python3', ['service.py'])
  expect(code, said).toBe(0)
  expect(said).toMatch(passed)
}, 30_000)

test('the backend in Node keeps every requirement, and none is left out', async () => {
  const { code, said } = await verified('examples/backend-node', process.execPath, ['server.ts'])
  expect(code, said).toBe(0)
  expect(said).toMatch(passed)
}, 40_000)
