/**
 * The cost of an open page for a mock that answers as fast as it can: the processor time of a request, with a page and
 * without one in turn. The page runs in another process, so that its own time does not count.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '#mocks/index.ts'
import { listenUntilTestEnd } from '#mocks/testing/listening.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'

/**
 * Length of each window, ms; number of windows of each kind; and the largest share of time that an open page may add.
 */
const [length, windows, most] = [300, 60, 0.1]

// On a busy machine the time of a request says little.
test.runIf(isExhaustiveTestRun)('a watching page takes little of a mock under full load', async () => {
  const mock = createMock({ seed: 'page', rateLimit: 'off' })
  const { url, send } = await listenUntilTestEnd(mock)
  const { apiKey: key } = mock.credentials()
  for (let sent = 0; sent < 300; sent++) await send('POST', '/api/cli/tasks', { key, body: { text: 'Task' } })
  const watcher = fork(new URL('testing/watcher.ts', import.meta.url), [url])
  onTestFinished(() => void watcher.kill())
  const tell = async (word: 'start' | 'stop') => {
    const answered = once(watcher, 'message')
    watcher.send(word)
    await answered
  }
  const headers = { authorization: `Bearer ${key}` }
  /** Returns the processor time of a request, µs. */
  const cost = async () => {
    const [start, before] = [performance.now(), process.cpuUsage()]
    let sent = 0
    for (; performance.now() - start < length; sent++) {
      await mock.fetch('http://mock.test/api/cli/whoami', { headers })
      // Lets the stream be told.
      if (sent % 10 === 0) await turn()
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / sent
  }
  const shares: number[] = []
  let unwatched = await cost()
  for (let round = 0; round < windows; round++) {
    await tell('start')
    const watched = await cost()
    await tell('stop')
    const after = await cost()
    shares.push((2 * watched) / (unwatched + after) - 1)
    unwatched = after
  }
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((part) => quantile(shares, part))
  const percent = (share = 0) => `${(100 * share).toFixed(1)} %`
  console.log(`a watching page takes ${percent(median)} (quartiles ${percent(lower)}, ${percent(upper)})`)
  expect(median).toBeLessThan(most)
})

const quantile = (values: readonly number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))]
