/** The seeded past: complete, and reproducible for the same seed and name. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from '../core/random.ts'
import { clientOf } from '../testing/client.ts'
import { frozenMock, noon } from '../testing/mock.ts'
import { createDraw } from './organization.ts'

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

test('seeded e-mail addresses use a reserved domain', async () => {
  const { prospects } = (await clientOf(frozenMock()).call('listLeads')).body
  for (const { email } of prospects) expect(email).toMatch(/@example\.(com|net|org)$/)
})

const drawOf = (seed: string) => createDraw(createRandom(seed))

test('an integer is within its inclusive bounds', () => {
  const draw = drawOf('bounds')
  const met = new Set(Array.from({ length: 200 }, () => draw.whole(3, 6)))
  expect([...met].sort()).toEqual([3, 4, 5, 6])
})

test('some elements of a list are distinct, and all of them if all are requested', () => {
  fc.assert(
    fc.property(fc.string(), fc.uniqueArray(fc.nat(), { minLength: 1 }), fc.nat(), (seed, choices, count) => {
      const wanted = count % (choices.length + 1)
      const drawn = drawOf(seed).some(choices, wanted)
      expect(drawn).toHaveLength(wanted)
      expect(new Set(drawn).size).toBe(wanted)
      expect(choices).toEqual(expect.arrayContaining(drawn))
    }),
  )
})
