/** Concurrent clients with different keys do not affect each other. */
import { expect, test } from 'vitest'
import { resetParts } from '../control/settings.ts'
import { clientOf } from '../testing/client.ts'
import { controlOf } from '../testing/control.ts'
import { frozenMock, noon } from '../testing/mock.ts'

const options = { seed: 'apart', runOutcome: 0.5, rateLimit: '50/60s' }

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
