/** When the state of a mock is written to its file, and how much of it. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { readLog } from '#mocks/control/state-log.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'
import { testFolder } from '../testing/folder.ts'
import { keepState } from './state-file.ts'

function keptMock(options: MockOptions = {}) {
  const file = testFolder().file('state.json')
  const mock = createMock(options)
  const { handle } = keepState(mock, file)
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const ask = async (path: string, init: RequestInit = {}) =>
    handle(new Request(`http://mock.test${path}`, { ...init, headers }))
  return { file, ask, mock }
}

const soon = <T>(check: () => T, interval = 20) => vi.waitFor(check, { timeout: 15_000, interval })

test('changes are added to the file, together with those that follow soon, and cost what changed', async () => {
  const { file, ask } = keptMock({ past: 3_000 })
  await ask('/api/cli/whoami')
  await ask('/api/cli/tasks')
  expect(existsSync(file)).toBe(false)
  await soon(() => expect(existsSync(file)).toBe(true))
  const first = statSync(file)
  await ask('/api/cli/tasks', { method: 'POST', body: '{"text":"a"}' })
  await ask('/api/cli/tasks', { method: 'POST', body: '{"text":"b"}' })
  await soon(() => expect(statSync(file).size).toBeGreaterThan(first.size))
  expect(statSync(file).ino).toBe(first.ino)
  expect(first.size).toBeGreaterThan(1_000_000)
  expect(statSync(file).size - first.size).toBeLessThan(10_000)
  const lines = readFileSync(file).subarray(first.size).toString().trimEnd().split('\n')
  expect(lines.filter((line) => line.includes('"apart"'))).toHaveLength(1)
})

test('what changes nothing writes nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { file, ask } = keptMock()
  for (let i = 0; i < 3; i++) await ask('/__admin/health')
  expect(vi.getTimerCount()).toBe(0)
  expect(existsSync(file)).toBe(false)
})

test('a file that has grown far beyond the state is replaced by one that holds the same', async () => {
  const { file, ask, mock } = keptMock({ past: 5_000 })
  mock.clock.freeze()
  await ask('/api/cli/whoami')
  await soon(() => expect(existsSync(file)).toBe(true))
  const { ino, size } = statSync(file)
  for (let i = 0; i < 20 && statSync(file).ino === ino; i++) {
    const before = statSync(file).size
    await ask('/__admin/reset/state', { method: 'POST' })
    await ask('/api/cli/tasks', { method: 'POST', body: `{"text":"number ${i}"}` })
    await soon(() =>
      expect(statSync(file).ino !== ino || statSync(file).size > before + size * 0.9).toBe(true),
    )
  }
  expect(statSync(file).ino).not.toBe(ino)
  await ask('/api/cli/whoami')
  await soon(() => expect(readLog(readFileSync(file, 'utf8')).snapshot).toEqual(mock.snapshot()), 300)
})
