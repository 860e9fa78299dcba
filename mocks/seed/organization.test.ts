/** The seeded past: complete, and reproducible for the same seed and name. */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock, noon } from '../testing/mock.ts'

test('an organization initially has data on every route', async () => {
  const { call } = clientOf(frozenMock())
  const { items: tasks } = (await call('listTasks')).body
  expect(tasks.map(({ status }) => status)).toEqual(expect.arrayContaining(['completed', 'failed']))
  const { items: notifications, unread } = (await call('listNotifications')).body
  expect([notifications.length, unread]).toEqual([tasks.length, tasks.length])
  const all = (await call('listDocuments', { query: { all: '1' } })).body.items
  const loose = (await call('listDocuments')).body.items
  expect([all.length > loose.length, loose.length > 0]).toEqual([true, true])
  expect((await call('listLeads')).body.prospects.length).toBeGreaterThan(0)
  expect((await call('listLandingPages')).body.items.length).toBeGreaterThan(0)
  expect((await call('listCampaigns')).body.campaigns).toHaveLength(2)
})

test('the seeded past ends before the start of mock time', async () => {
  const { call } = clientOf(frozenMock())
  const text = (
    await Promise.all([
      call('listTasks'),
      call('listDocuments', { query: { all: '1' } }),
      call('listNotifications'),
      call('listLeads'),
      call('listLandingPages'),
    ])
  ).map((reply) => reply.text)
  const dates = text.join().match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? []
  expect(dates.length).toBeGreaterThan(20)
  for (const date of dates) expect(Date.parse(date)).toBeLessThan(noon)
})

test.each([0, 1, 25, 0.5, 1e12])('an organization initially has exactly %d credits', async (credits) => {
  expect(await clientOf(frozenMock({ credits })).credits()).toBe(credits)
})

test('the seeded past depends only on seed and name', async () => {
  const past = async (seed: string, name: string) => {
    const { call } = clientOf(frozenMock({ seed }), name)
    return [
      (await call('whoami')).text,
      (await call('listTasks')).text,
      (await call('listLeads')).text,
    ].join()
  }
  const [first] = [await past('a', 'demo')]
  expect(await past('a', 'demo')).toBe(first)
  expect(await past('b', 'demo')).not.toBe(first)
  expect(await past('a', 'other')).not.toBe(first)
})

test('seeded e-mail addresses use a reserved domain', async () => {
  const { prospects } = (await clientOf(frozenMock()).call('listLeads')).body
  for (const { email } of prospects) expect(email).toMatch(/@example\.(com|net|org)$/)
})
