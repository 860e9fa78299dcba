/** The example of a backend passes the whole suite, by the command in its README. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { builtCommand } from '#cli/testing/command.ts'
import { run } from '#cli/testing/run.ts'

const folder = 'examples/backend-python'
let service: ChildProcess | undefined

afterAll(async () => {
  if (!service || service.exitCode !== null) return
  service.kill()
  await once(service, 'exit')
})

test('the backend in Python keeps every requirement, and none is left out', async ({ skip }) => {
  if (spawnSync('python3', ['--version']).status !== 0) skip('python3 does not run here')
  const started = spawn('python3', ['service.py', '--port', '0'], {
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
  const words = flags.replaceAll('http://127.0.0.1:4500', url).split(/[\s\\]+/)
  expect(words).toEqual(expect.arrayContaining([url, ...Object.values(credentials)]))
  const { code, said } = await run('.', process.execPath, [builtCommand, ...words])
  expect(code, said).toBe(0)
  expect(said).toMatch(/^PASSED: \d+ passed, 0 failed, \d+ not applicable, of \d+$/m)
}, 30_000)
