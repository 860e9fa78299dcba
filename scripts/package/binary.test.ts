/** The single executable, on a machine without Node: its commands run with an empty PATH. Not in the gate. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProgram } from '#cli/testing/run.ts'
import { isWhole } from '#mocks/testing/sample.ts'
import { buildBinary } from './binary.ts'

describe.runIf(isWhole)('the executable', () => {
  const folder = mkdtempSync(join(tmpdir(), 'binary-test-'))
  const env = { PATH: join(folder, 'nothing') }
  let binary: string

  beforeAll(async () => {
    binary = await buildBinary(join(folder, 'work-agent-contract'))
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  test('mock starts, answers, serves its page and stops with a signal', async () => {
    const mock = await startProgram(binary, ['mock', '--port', '0', '--log', 'json'], { env })
    try {
      const { url, api_key } = mock.ready
      const answer = await fetch(`${url}/api/cli/whoami`, { headers: { authorization: `Bearer ${api_key}` } })
      expect(await answer.json()).toMatchObject({ credits: 25 })
      const page = await fetch(url, { headers: { accept: 'text/html' } })
      expect(await page.text()).toContain('src="/__page/page.js"')
      for (const [file, type] of [
        ['page.js', 'text/javascript'],
        ['page.css', 'text/css'],
      ]) {
        const part = await fetch(`${url}/__page/${file}`)
        expect([part.status, part.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`])
        expect((await part.text()).length).toBeGreaterThan(5_000)
      }
    } finally {
      expect(await mock.stop('SIGTERM')).toBe(0)
    }
  })

  test('verify judges its embedded mock', () => {
    const { status, stdout } = spawnSync(binary, ['verify', '--max-credits', '20'], { env, encoding: 'utf8' })
    expect([status, /^PASSED: \d+ passed, 0 failed/m.test(stdout)]).toEqual([0, true])
  })

  test('check runs a client that is no Node program', () => {
    const client = ['/bin/sh', '-c', 'exit 0']
    const { status, stdout } = spawnSync(binary, ['check', '--scenario', 'slow-run', '--', ...client], {
      env,
      encoding: 'utf8',
    })
    expect(stdout).toContain('slow-run')
    expect(status).not.toBeNull()
  })

  test('a wrong flag is one line and exit 2', () => {
    const { status, stderr } = spawnSync(binary, ['mock', '--prot', '1'], { env, encoding: 'utf8' })
    expect([status, stderr.trim().split('\n').length]).toEqual([2, 1])
  })

  test('the licences of Node and of each bundled package are beside it', () => {
    const notices = readFileSync(join(folder, 'NOTICES.txt'), 'utf8')
    for (const name of ['Node.js', 'zod', 'hono', 'undici']) expect(notices).toContain(name)
  })
})
