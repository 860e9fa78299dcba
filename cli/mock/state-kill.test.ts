/** A mock that is killed at any moment keeps what was acknowledged a second before, and never damages its file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { readLog } from '#mocks/control/read-log.ts'
import { createRandom } from '#mocks/core/random.ts'
import { isWhole } from '#mocks/testing/sample.ts'
import { startMock, testFolder } from '../testing/mock-process.ts'

/** How long after an acknowledgement a task is certain to be kept, ms. */
const kept = 1_000

const kills = isWhole ? 40 : 3

type Restorable = Parameters<ReturnType<typeof createMock>['restore']>[0]

test('what was acknowledged more than a second before a kill is in the file', {
  timeout: kills * 8_000,
}, async () => {
  const file = join(testFolder(), 'state.json')
  const random = createRandom('kills')
  const acknowledged = new Map<string, number>()
  for (let kill = 0; kill < kills; kill++) {
    const { ask, stop } = await startMock(['--log', 'off', '--rate-limit', 'off', '--state', file])
    let isEnding = false
    const clients = Array.from({ length: 4 }, async () => {
      while (!isEnding) {
        const response = await ask('tasks', { method: 'POST', body: '{"text":"Say hello"}' }).catch(
          () => undefined,
        )
        const created = await response?.json().catch(() => undefined)
        if (created) acknowledged.set(created.task.id, performance.now())
      }
    })
    await new Promise((resolve) => setTimeout(resolve, 800 + random.fraction() * 1_200))
    const killed = performance.now()
    await stop('SIGKILL')
    isEnding = true
    await Promise.all(clients)

    const { snapshot } = readLog(readFileSync(file, 'utf8'))
    createMock().restore(snapshot as Restorable)
    const { organizations } = snapshot as { organizations: { state: { tasks: { id: string }[] } }[] }
    const ids = new Set(organizations.flatMap(({ state }) => state.tasks.map(({ id }) => id)))
    const lost = [...acknowledged].filter(([id, at]) => at < killed - kept && !ids.has(id))
    expect(lost).toEqual([])
    // What was lost of the last second is no longer expected.
    for (const id of acknowledged.keys()) if (!ids.has(id)) acknowledged.delete(id)
  }
  expect(acknowledged.size).toBeGreaterThan(0)
})
