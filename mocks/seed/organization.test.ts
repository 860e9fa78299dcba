/** The seeded past: complete, and reproducible for the same seed and name. */

import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'

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

test.each([0, 1, 25, 0.5, 1e12])('an organization initially has exactly %d credits', async (credits) => {
  expect(await clientOf(frozenMock({ credits })).credits()).toBe(credits)
})

test('a past of so many tasks has as many, all finished, and the same each time', async () => {
  const [one, other] = [1, 2].map(() => clientOf(frozenMock({ past: 300 })))
  const listed = await one?.call('listTasks')
  expect(listed?.body.items.length).toBe(300)
  expect(new Set(listed?.body.items.map(({ status }) => status))).toEqual(new Set(['completed', 'failed']))
  expect((await other?.call('listTasks'))?.text).toBe(listed?.text)
})

test('seeded e-mail addresses use a reserved domain', async () => {
  const { prospects } = (await clientOf(frozenMock()).call('listLeads')).body
  for (const { email } of prospects) expect(email).toMatch(/@example\.(com|net|org)$/)
})
