/** The seeded past: believable, complete, and the same for the same seed and name. */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock, noon } from '../testing/mock.ts'

test('an organization begins with a past on every route', async () => {
  const { ask } = clientOf(frozenMock())
  const { items: tasks } = (await ask('listTasks')).body
  expect(tasks.map(({ status }) => status)).toEqual(expect.arrayContaining(['completed', 'failed']))
  const { items: notifications, unread } = (await ask('listNotifications')).body
  expect([notifications.length, unread]).toEqual([tasks.length, tasks.length])
  const all = (await ask('listDocuments', { query: { all: '1' } })).body.items
  const loose = (await ask('listDocuments')).body.items
  expect([all.length > loose.length, loose.length > 0]).toEqual([true, true])
  expect((await ask('listLeads')).body.prospects.length).toBeGreaterThan(0)
  expect((await ask('listLandingPages')).body.items.length).toBeGreaterThan(0)
  expect((await ask('listCampaigns')).body.campaigns).toHaveLength(2)
})

test('the past is over: nothing of it lies after the start of mock time', async () => {
  const { ask } = clientOf(frozenMock())
  const text = (
    await Promise.all([
      ask('listTasks'),
      ask('listDocuments', { query: { all: '1' } }),
      ask('listNotifications'),
      ask('listLeads'),
      ask('listLandingPages'),
    ])
  ).map((reply) => reply.text)
  const dates = text.join().match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? []
  expect(dates.length).toBeGreaterThan(20)
  for (const date of dates) expect(Date.parse(date)).toBeLessThan(noon)
})

test.each([
  0, 1, 25, 0.5, 1e12,
])('an organization begins with exactly %d credits to spend', async (credits) => {
  expect(await clientOf(frozenMock({ credits })).credits()).toBe(credits)
})

test('the past is the same for the same seed and name, and another for another', async () => {
  const past = async (seed: string, name: string) => {
    const { ask } = clientOf(frozenMock({ seed }), name)
    return [(await ask('whoami')).text, (await ask('listTasks')).text, (await ask('listLeads')).text].join()
  }
  const [first] = [await past('a', 'demo')]
  expect(await past('a', 'demo')).toBe(first)
  expect(await past('b', 'demo')).not.toBe(first)
  expect(await past('a', 'other')).not.toBe(first)
})

test('addresses of seeded people are ones that nobody has', async () => {
  const { prospects } = (await clientOf(frozenMock()).ask('listLeads')).body
  for (const { email } of prospects) expect(email).toMatch(/@example\.(com|net|org)$/)
})
