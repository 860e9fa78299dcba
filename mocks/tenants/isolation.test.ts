/** Concurrent clients with different keys do not affect each other. */
import { expect, test } from 'vitest'
import { resetParts } from '../control/scenarios.ts'
import { clientOf } from '../testing/client.ts'
import { controlOf } from '../testing/control.ts'
import { listening } from '../testing/listening.ts'
import { frozenMock, noon } from '../testing/mock.ts'

const options = { seed: 'apart', runOutcome: 0.5, rateLimit: '50/60s' }

test('responses to one client are the same, byte for byte, whatever the other does', async () => {
  const responsesOf = async (disturbed: boolean) => {
    const mock = frozenMock(options)
    const { send } = await listening(mock)
    const key = mock.credentials('ada').apiKey
    const other = mock.credentials('bob').apiKey
    const responses: unknown[] = []
    const record = async (method: string, path: string, body?: object) => {
      const { headers, text, status } = await send(method, path, { key, ...(body ? { body } : {}) })
      const { date, 'x-mock-reason': reason } = headers
      // Control responses have the real time in their Date header, which Node sets.
      responses.push([status, path.startsWith('/api/') && date, reason, text])
      if (disturbed) {
        await send('POST', '/__admin/faults', { key: other, body: { rule: '503;times=1' } })
        await send('POST', '/api/cli/tasks', { key: other, body: { text: 'noise' } })
        await send('PUT', '/__admin/clock', { key: other, body: { action: 'advance', by: '17s' } })
        await send('POST', '/__admin/credits', { key: other, body: { add: 1 } })
        await send('POST', '/__admin/reset/journal', { key: other })
      }
      return JSON.parse(text)
    }
    await record('POST', '/__admin/faults', { rule: 'createTask=ok,503;rate=0.7' })
    for (let i = 0; i < 6; i++) {
      const { task } = await record('POST', '/api/cli/tasks', { text: `mine ${i}` })
      if (task) await record('POST', `/api/cli/tasks/${task.id}/run`)
      await record('PUT', '/__admin/clock', { action: 'advance', by: '3s' })
    }
    for (const path of ['ledger', 'faults', 'clock', 'state']) await record('GET', `/__admin/${path}`)
    for (const path of ['tasks', 'notifications', 'whoami']) await record('GET', `/api/cli/${path}`)
    const journal = mock.organization('ada').journal.entries()
    const ports = /127\.0\.0\.1:\d+/g
    const entries = journal.map(({ number, ...entry }) => JSON.stringify(entry).replace(ports, 'mock'))
    return { responses, entries }
  }
  const alone = await responsesOf(false)
  expect(alone.entries.length).toBeGreaterThan(10)
  expect(await responsesOf(true)).toEqual(alone)
}, 20_000)

test.each(resetParts)('resetting the %s of one organization does not change another', async (part) => {
  const mock = frozenMock(options)
  for (const name of ['ada', 'bob']) {
    const { newTask, call } = clientOf(mock, name)
    const org = mock.organization(name)
    org.faults.add('whoami=ok,503')
    await call('runTask', { id: await newTask() })
    await call('whoami')
    org.clock.advance(1_000)
  }
  const bob = mock.organization('bob')
  const all = () => JSON.stringify([bob.snapshot(), bob.journal.entries(), bob.faults.list(), bob.ledgers()])
  const before = all()
  await controlOf(mock, mock.credentials('ada').apiKey).done(`POST /reset/${part}`)
  await controlOf(mock, mock.credentials('ada').apiKey).done('POST /reset')
  expect(all()).toBe(before)
})

/** Returns the visible state of each part. */
async function visibleState(name: string, mock = frozenMock(options)) {
  const org = mock.organization(name)
  return {
    state: (await clientOf(mock, name).call('listTasks')).body.items.length,
    faults: org.faults.list().map(({ matched }) => matched),
    journal: org.journal.count({ operation: 'createTask' }),
    clock: org.clock.now(),
  }
}

test.each(resetParts)('resetting the %s changes nothing else', async (part) => {
  for (const whole of [true, false]) {
    const mock = frozenMock({ ...options, fault: 'createTask=ok,ok,ok' })
    const fresh = await visibleState('ada', mock)
    await clientOf(mock, 'ada').newTask()
    mock.organization('ada').clock.set(noon + 5_000)
    const used = await visibleState('ada', mock)
    expect(used).toEqual({ state: fresh.state + 1, faults: [1], journal: 1, clock: noon + 5_000 })
    if (whole) mock.reset(part)
    else mock.organization('ada').reset(part)
    if (whole && part === 'clock') mock.clock.freeze(noon)
    expect(await visibleState('ada', mock)).toEqual({ ...used, [part]: fresh[part] })
  }
})

test('a reset organization is still found by its id', async () => {
  const mock = frozenMock()
  const control = controlOf(mock)
  const org_id = await clientOf(mock, 'ada').orgId()
  await control.done('POST /reset')
  const body = { org_id, set: 7 }
  expect(await control.done('POST /credits', { body })).toEqual({ org_id, credits: 7 })
  expect((await control.call('POST /credits', { body: { ...body, org_id: 'org_none' } })).status).toBe(404)
})
