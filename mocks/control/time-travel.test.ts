/** Mock time: each organization has its own clock, a change returns the events that it caused, and runs end by time or by polls. */

import { expect, test } from 'vitest'
import { checkedClientOf } from '../testing/client.ts'
import { createControlClient } from '../testing/control.ts'
import { createFrozenMock, noonMs } from '../testing/mock.ts'

const iso = (at: number) => new Date(at).toISOString()
const hour = 3_600_000

/** Creates two organizations of one mock, each with its client and its controls. */
function pair(options: Parameters<typeof createFrozenMock>[0] = {}) {
  const mock = createFrozenMock(options)
  const one = (name: string) => ({
    ...checkedClientOf(mock, name),
    control: createControlClient(mock, mock.credentials(name).apiKey),
    here: mock.organization(name),
  })
  return { mock, ada: one('ada'), bob: one('bob') }
}

test('all timestamps of an organization use its clock', async () => {
  const { ada, bob, mock } = pair({ rateLimit: '2/60s', retryAfter: 'date', runDuration: '10s' })
  ada.here.clock.set(noonMs + hour)
  const created = await ada.call('createTask', { body: { text: 'a' } })
  expect(created.headers.get('date')).toBe(new Date(noonMs + hour).toUTCString())
  expect(created.body.task).toMatchObject({ created_at: iso(noonMs + hour) })
  await ada.call('runTask', { id: created.body.task.id })
  const limited = await ada.call('whoami')
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([
    429,
    new Date(noonMs + hour + 60_000).toUTCString(),
  ])
  expect((await bob.call('whoami')).headers.get('date')).toBe(new Date(noonMs).toUTCString())
  ada.here.clock.advance(60_000)
  const list = (await ada.call('listTasks')).body
  expect(list.items[0]).toMatchObject({ status: 'completed', finished_at: iso(noonMs + hour + 10_000) })
  const notification = (await ada.call('listNotifications')).body.items[0]
  expect(notification).toMatchObject({ type: 'run_completed', created_at: iso(noonMs + hour + 10_000) })
  expect(mock.journal.entries().map(({ at }) => at)).toEqual([
    ...Array.from({ length: 3 }, () => iso(noonMs + hour)),
    iso(noonMs),
    ...Array.from({ length: 2 }, () => iso(noonMs + hour + 60_000)),
  ])
  expect(ada.here.ledgers()[0]?.entries.at(-1)?.at).toBe(iso(noonMs + hour))
})

test('a failed run is refunded and the next one started, each at its time', async () => {
  const { ada } = pair({ runOutcome: 'failed', credits: 2 })
  const ids = [await ada.newTask(), await ada.newTask()]
  for (const id of ids) await ada.call('runTask', { id })
  const { events } = await ada.control.done('PUT /clock', { body: { action: 'advance', by: '1m' } })
  expect(events.map(({ type, at }: { type: string; at: string }) => `${type} ${at.slice(17, 19)}`)).toEqual([
    'run_ended 02',
    'credit_refunded 02',
    'notification_added 02',
    'run_started 02',
    'run_ended 04',
    'credit_refunded 04',
    'notification_added 04',
  ])
})

test('the next event is the next end or start of a run', async () => {
  const { ada } = pair({ busy: 5 })
  const ids = [await ada.newTask(), await ada.newTask()]
  for (const id of ids) await ada.call('runTask', { id })
  const moments: number[] = []
  for (let i = 0; i < 4; i++) {
    ada.here.clock.toNextEvent()
    moments.push(ada.here.clock.now() - noonMs)
  }
  expect(moments).toEqual([5_000, 7_000, 9_000, 9_000])
})

test('the next event of the mock is that of the organizations that follow it', async () => {
  const { ada, bob, mock } = pair()
  await ada.call('runTask', { id: await ada.newTask() })
  ada.here.clock.freeze()
  mock.clock.advance(500)
  await bob.call('runTask', { id: await bob.newTask() })
  const { now, events } = await createControlClient(mock).done('PUT /clock', {
    body: { action: 'advance', to: 'next_event' },
  })
  expect(now).toBe(iso(noonMs + 2_500))
  expect(new Set(events.map(({ org_id }: { org_id: string }) => org_id))).toEqual(new Set([bob.here.id]))
})

test('time goes until a task is finished, unless only polls finish it, or its organization has its own clock', async () => {
  const polled = pair({ runProgress: 'polls:2' })
  const id = await polled.ada.newTask()
  for (const unknown of [id, 'nope'])
    expect(() => polled.mock.clock.untilFinished(unknown)).toThrow('No such task was run')
  await polled.ada.call('runTask', { id })
  expect(() => polled.mock.clock.untilFinished(id)).toThrow('with polls')
  const { ada, mock } = pair()
  const task = await ada.newTask()
  await ada.call('runTask', { id: task })
  ada.here.clock.freeze()
  expect(() => mock.clock.untilFinished(task)).toThrow('its own organization has the clock that counts')
  ada.here.clock.untilFinished(task)
  expect((await ada.poll(task)).finished).toBe(true)
})

test('a clock follows the mock until it is changed, and again after a reset', async () => {
  const { ada, mock } = pair()
  const shown = async () => {
    const { now, frozen, following } = await ada.control.done('GET /clock')
    return [Date.parse(now) - noonMs, frozen, following]
  }
  mock.clock.advance(1_000)
  expect(await shown()).toEqual([1_000, true, true])
  ada.here.clock.advance(1)
  mock.clock.advance(1_000)
  expect(await shown()).toEqual([1_001, true, false])
  await ada.control.done('POST /reset/clock')
  expect(await shown()).toEqual([2_000, true, true])
  ada.here.clock.run()
  expect([ada.here.clock.frozen, mock.clock.frozen]).toEqual([false, true])
  expect(ada.here.clock.now()).toBeGreaterThanOrEqual(noonMs)
  ada.here.clock.freeze(noonMs + 5)
  expect(ada.here.clock.now()).toBe(noonMs + 5)
})

test('with polls, a run ends at the Nth poll, whatever the time', async () => {
  const { ada, mock } = pair({ runProgress: 'polls:3' })
  const id = await ada.newTask()
  await ada.poll(id)
  await ada.call('runTask', { id })
  mock.clock.advance(hour)
  const seen = []
  for (let i = 0; i < 4; i++) seen.push((await ada.poll(id)).status)
  expect(seen).toEqual(['in_progress', 'in_progress', 'completed', 'completed'])
})
