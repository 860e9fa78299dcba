/** Notifications (§3.4, §4 Notifications): one for each ended run, unread until marked as read. */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock, noon } from '../testing/mock.ts'

test.each([
  'completed',
  'failed',
] as const)('a run that is %s adds one unread notification', async (runOutcome) => {
  const mock = frozenMock({ runOutcome })
  const { call, newTask } = clientOf(mock)
  const before = (await call('listNotifications')).body
  const id = await newTask('Water the plants')
  await call('runTask', { id })
  expect((await call('listNotifications')).body).toEqual(before)
  mock.clock.advance(5_000)
  const { items, unread } = (await call('listNotifications')).body
  expect([items.length, unread]).toEqual([before.items.length + 1, before.unread + 1])
  expect(items[0]).toMatchObject({ type: `run_${runOutcome}`, task_id: id, read: false })
  expect(items[0]?.created_at).toBe(new Date(noon + 2_000).toISOString())
  expect(items[0]?.body).toContain('Water the plants')
})

test('unread is the number of unread items', async () => {
  const { call } = clientOf(frozenMock())
  const { items, unread } = (await call('listNotifications')).body
  expect(unread).toBe(items.filter(({ read }) => !read).length)
})

test('marking a notification as read changes only that one, and repeating it nothing', async () => {
  const { call } = clientOf(frozenMock())
  const before = (await call('listNotifications')).body
  const id = String(before.items[1]?.id)
  for (let times = 0; times < 2; times++) {
    expect((await call('readNotification', { id })).body).toEqual({ ok: true })
    const { items, unread } = (await call('listNotifications')).body
    expect(unread).toBe(before.unread - 1)
    expect(items).toEqual(before.items.map((item) => (item.id === id ? { ...item, read: true } : item)))
  }
})

test('an unknown notification is not found', async () => {
  const { call } = clientOf(frozenMock())
  expect((await call('readNotification', { id: 'notification_nope' })).status).toBe(404)
})
