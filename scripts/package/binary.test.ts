/** The single executable, on a machine without Node: its commands run with an empty PATH. Not in the gate. */
import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSharedFolder } from '#cli/testing/folder.ts'
import { startProcessUntilReady } from '#cli/testing/run.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import { buildBinary } from './binary.ts'
import { expectMockAndPageServed } from './testing/node.ts'

describe.runIf(isExhaustiveTestRun)('the executable', () => {
  const { file, read } = createSharedFolder()
  const env = { PATH: file('nothing') }
  let binary: string

  beforeAll(async () => {
    binary = await buildBinary(file('work-agent-contract'))
  }, 120_000)

  const run = (...args: string[]) => spawnSync(binary, args, { env, encoding: 'utf8' })

  test('mock starts, answers, serves its page and stops with a signal', async () => {
    const mock = await startProcessUntilReady(binary, ['mock', '--port', '0', '--log', 'json'], { env })
    try {
      await expectMockAndPageServed(mock.ready)
    } finally {
      expect(await mock.stop('SIGTERM')).toBe(0)
    }
  })

  test('verify judges its embedded mock', () => {
    const { status, stdout } = run('verify', '--max-credits', '20')
    expect([status, /^PASSED: \d+ passed, 0 failed/m.test(stdout)]).toEqual([0, true])
  })

  test('check runs a client that is no Node program', () => {
    const { status, stdout } = run('check', '--scenario', 'slow-run', '--', '/bin/sh', '-c', 'exit 0')
    expect([status !== null, stdout.includes('slow-run')]).toEqual([true, true])
  })

  test('a wrong flag is one line and exit 2', () => {
    const { status, stderr } = run('mock', '--prot', '1')
    expect([status, stderr.trim().split('\n').length]).toEqual([2, 1])
  })

  test('the licences of Node and of each bundled package are beside it', () => {
    const notices = read('NOTICES.txt')
    for (const name of ['Node.js', 'zod', 'hono', 'undici']) expect(notices).toContain(name)
  })
})
