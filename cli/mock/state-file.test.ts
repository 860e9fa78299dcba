/** When the state of a mock is written to its file. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { keepState } from './state-file.ts'

/** A mock whose state is kept, on a clock that the test moves. */
function keptMock() {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const folder = mkdtempSync(join(tmpdir(), 'state-'))
  onTestFinished(() => {
    vi.useRealTimers()
    rmSync(folder, { recursive: true })
  })
  const file = join(folder, 'state.json')
  const mock = createMock()
  const { handle } = keepState(mock, file)
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const ask = async (path: string) => handle(new Request(`http://mock.test${path}`, { headers }))
  return { file, ask }
}

test('a change is written a second after it, together with those that follow it', async () => {
  const { file, ask } = keptMock()
  await ask('/api/cli/whoami')
  vi.advanceTimersByTime(600)
  await ask('/api/cli/tasks')
  vi.advanceTimersByTime(399)
  expect(existsSync(file)).toBe(false)
  vi.advanceTimersByTime(1)
  const first = statSync(file)
  expect(first.size).toBeGreaterThan(0)
  vi.advanceTimersByTime(600)
  expect(statSync(file)).toEqual(first)

  await ask('/api/cli/tasks')
  vi.advanceTimersByTime(999)
  expect(statSync(file)).toEqual(first)
  vi.advanceTimersByTime(1)
  expect(statSync(file)).not.toEqual(first)
})

test('what changes nothing writes nothing', async () => {
  const { file, ask } = keptMock()
  for (let i = 0; i < 3; i++) await ask('/__admin/health')
  vi.advanceTimersByTime(5_000)
  expect(existsSync(file)).toBe(false)
})
