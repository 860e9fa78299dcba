/** The examples, each as somebody would run it who has copied it and installed the package. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { builtCliPath } from '#cli/testing/command.ts'
import { runCliInProcess } from '#cli/testing/in-process.ts'
import { findFreePort } from '#cli/testing/run.ts'
import { createMock, listen } from '#mocks/index.ts'
import { describeInBrowser } from '#mocks/testing/browser.ts'
import { chromiumOptions } from '#mocks/testing/chromium.ts'
import { isExhaustiveTestRun, sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { createProject, type Project } from './testing/project.ts'

// Each is a program of its own, and one starts a browser.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let project: Project
beforeAll(() => {
  project = createProject()
})
afterAll(() => project?.remove())

const mockCommand = `${process.execPath} ${builtCliPath}`

const plain = { NO_COLOR: '1', FORCE_COLOR: '0' }

test('the client has its tasks done, one after the other', async () => {
  const mock = createMock({ runProgress: 'immediate', credits: 2 })
  const { url, close } = await listen(mock)
  const env = { WORK_AGENT_BASE_URL: url, WORK_AGENT_API_KEY: mock.credentials().apiKey }
  const { code, said } = await project.run('client', process.execPath, ['main.ts', 'a', 'b', 'c'], env)
  await close()
  expect(said.split('\n').slice(-4)).toEqual([
    'a: completed',
    'b: completed',
    'no_credits: Out of Work Credits. Buy more in the web application.',
    '',
  ])
  expect(code).toBe(1)
})

test('without an address the client says what to set', async () => {
  const env = { WORK_AGENT_BASE_URL: '' }
  expect(await project.run('client', process.execPath, ['main.ts'], env)).toEqual({
    code: 1,
    said: 'set WORK_AGENT_BASE_URL and WORK_AGENT_API_KEY\n',
  })
})

test('the client is one file of at most 150 lines that imports nothing but types', () => {
  const text = readFileSync('examples/client/client.ts', 'utf8')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  expect(text.match(/^import .*$/gm)?.filter((line) => !line.startsWith('import type '))).toEqual([])
})

/** Two show that workers do not disturb each other; in the gate one does, since each takes as long as the tests. */
const workers = isExhaustiveTestRun ? 2 : 1

test('the tests with vitest and msw pass', async () => {
  const { code, said } = await project.run('vitest', 'vitest', ['run', `--maxWorkers=${workers}`], plain)
  expect(code, said).toBe(0)
  expect(said).toMatch(/Tests +14 passed \(14\)/)
})

describeInBrowser('the tests with Playwright', (executablePath) => {
  test('the tests with Playwright pass', async () => {
    // The browser as our own tests start it, which takes half as long.
    const browser = join(mkdtempSync(join(tmpdir(), 'chromium-')), 'chromium')
    onTestFinished(() => rmSync(dirname(browser), { recursive: true }))
    const flags = chromiumOptions.args.map((one) => `'${one}'`).join(' ')
    writeFileSync(browser, `#!/bin/sh\nexec '${executablePath}' "$@" ${flags}\n`, { mode: 0o755 })
    const env = { ...plain, CHROMIUM_PATH: browser }
    const { code, said } = await project.run(
      'playwright',
      'playwright',
      ['test', `--workers=${workers}`],
      env,
    )
    expect(code, said).toBe(0)
    expect(said).toContain(`Running 5 tests using ${workers} worker`)
    expect(said).toContain('5 passed')
  })

  test.runIf(isExhaustiveTestRun)('those against a mock that Playwright starts pass too', async () => {
    const port = String(await findFreePort())
    const env = {
      ...plain,
      CHROMIUM_PATH: executablePath,
      WORK_AGENT_COMMAND: mockCommand,
      WORK_AGENT_PORT: port,
    }
    const { code, said } = await project.run(
      'playwright',
      'playwright',
      ['test', '--config', 'web-server'],
      env,
    )
    expect(code, said).toBe(0)
    expect(said).toContain('2 passed')
  })
})

/** The reason why a program cannot be run here; undefined if it can be. */
function missing(program: string, ...args: string[]): string | undefined {
  return spawnSync(program, args).status === 0 ? undefined : `${program} ${args.join(' ')} does not run here`
}

test('the tests with pytest pass', async ({ skip }) => {
  const reason = missing('python3', '-m', 'pytest', '--version')
  if (reason) skip(reason)
  // Plugins that this machine happens to have take longer than the tests.
  const alone = { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1', PYTHONDONTWRITEBYTECODE: '1' }
  const env = { WORK_AGENT_COMMAND: mockCommand, ...alone }
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider']
  const { code, said } = await project.run('pytest', 'python3', args, env)
  expect(code, said).toBe(0)
  expect(said).toMatch(/^3 passed/m)
})

const scenarios = sampleUnlessExhaustive(
  ['lost-answer', 'rate-limited-burst-date', 'temporary-outage'],
  3,
).join()

for (const [language, needs, ...client] of [
  ['Python', 'python3', 'python3', 'examples/pytest/main.py'],
  ['shell', 'jq', 'sh', 'examples/shell/client.sh'],
] as const) {
  test.concurrent(`the ${language} client keeps every rule in ${scenarios}`, async ({ expect, skip }) => {
    const reason = missing(needs, '--version')
    if (reason) skip(reason)
    const { code, out, err } = await runCliInProcess([
      'check',
      '--scenario',
      scenarios,
      '--strict',
      '--',
      ...client,
    ])
    expect(code, out + err).toBe(0)
    expect(out).toMatch(/^PASSED: \d+ passed, 0 failed/m)
  })
}
