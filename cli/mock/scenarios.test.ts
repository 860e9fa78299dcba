/** Scenarios and strict-client mode from the command line. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { scenarios } from '#mocks/scenarios/index.ts'
import { builtCommand } from '../testing/command.ts'
import { clean, runHere } from '../testing/mock-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'scenarios-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts the mock on a free port; returns its banner and a function that sends requests. */
async function start(argv: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [builtCommand, 'mock', '--port', '0', '--log', 'off', ...argv], {
    env: { ...clean, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let banner = ''
  for await (const chunk of child.stdout) {
    banner += chunk
    if (banner.includes('Ctrl-C')) break
  }
  const url = /http:\S+/.exec(banner)?.[0]
  const headers = { authorization: 'Bearer wak_test_demo' }
  const ask = async (path: string, method = 'GET') =>
    (await fetch(`${url}${path}`, { method, headers })).json()
  return { banner, ask }
}

test('--list-scenarios prints the id, the title and the description of each scenario, and exits', async () => {
  const { status, stdout } = await runHere(['mock', '--list-scenarios'])
  expect(status).toBe(0)
  const words = stdout.replace(/\s+/g, ' ')
  for (const { id, title, shows } of scenarios) expect(words).toContain(`${id} ${title} ${shows}`)
  expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80)
})

test('--scenario starts in a scenario, which the banner shows, and another one can be started', async () => {
  const { banner, ask } = await start(['--scenario', 'out-of-credits'])
  expect(banner).toContain('out-of-credits: Credits run out')
  expect(await ask('/api/cli/whoami')).toMatchObject({ credits: 2 })
  const { org_id } = await ask('/__admin/scenarios/empty-organization/start', 'POST')
  expect(await ask('/api/cli/tasks')).toEqual({ items: [], credits: 25 })
  expect(await ask('/api/cli/whoami')).toMatchObject({ org: { id: org_id } })
  expect(await ask('/__admin/scenarios')).toMatchObject({ started: 'empty-organization' })
})

test('flags, variables and entries of a file override the scenario, whichever of them names it', async () => {
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify({ scenario: 'out-of-credits', credits: 4 }))
  const { ask } = await start(['--top-up', '2/1s'], {
    WORK_AGENT_MOCK_CONFIG: config,
    WORK_AGENT_MOCK_PAST: 'none',
  })
  expect(await ask('/api/cli/tasks')).toEqual({ items: [], credits: 4 })
})

test('--strict-client prints the flags that replay it, and the replay gives the same', async () => {
  const first = await start(['--strict-client'])
  const line = /--strict-client '(.*)' replays/.exec(first.banner)?.[1]
  expect(line).toBe('work-agent')
  const again = await start(['--strict-client', line ?? ''])
  const [one, two] = [await first.ask('/api/cli/tasks'), await again.ask('/api/cli/tasks')]
  expect(JSON.stringify(two)).toBe(JSON.stringify(one))
})

test('an unknown scenario is one line and exit 2', async () => {
  const { status, stderr } = await runHere(['mock', '--scenario', 'nope'])
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^mock: --scenario takes out-of-credits, .*\n$/),
  ])
})
