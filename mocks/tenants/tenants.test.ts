/** Organizations are isolated (§1, §5.2). */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'

test('resources of another organization are not found, listed or changed', async () => {
  const mock = frozenMock()
  const mine = clientOf(mock, 'mine')
  const theirs = clientOf(mock, 'theirs')
  const task = await mine.newTask()
  const document = (await mine.call('createDocument', { body: { title: 'Secret', folder_id: 'F' } })).body
    .item.id
  const notification = String((await mine.call('listNotifications')).body.items[0]?.id)
  const key = String((await mine.call('listKeys')).body.keys[0]?.id)
  for (const [operation, id] of [
    ['getTask', task],
    ['runTask', task],
    ['getDocument', document],
    ['readNotification', notification],
    ['deleteKey', key],
  ] as const) {
    expect([operation, (await theirs.call(operation, { id })).status]).toEqual([operation, 404])
  }
  const seen = [
    (await theirs.call('listTasks')).text,
    (await theirs.call('listDocuments', { query: { all: '1' } })).text,
    (await theirs.call('listDocuments', { query: { folder_id: 'F' } })).text,
    (await theirs.call('listNotifications')).text,
    (await theirs.call('listKeys')).text,
  ].join()
  for (const id of [task, document, notification, key]) expect(seen).not.toContain(id)
  expect(await mine.poll(task)).toEqual({ status: 'pending', finished: false })
  const { items } = (await mine.call('listNotifications')).body
  expect(items.find(({ id }) => id === notification)?.read).toBe(false)
  expect((await mine.call('whoami')).status).toBe(200)
})

test('every wak_test_ key owns its own organization, the same in every mock', async () => {
  const ids = new Set<string>()
  for (let i = 0; i < 50; i++) ids.add(await clientOf(frozenMock(), `tenant-${i}`).orgId())
  expect(ids.size).toBe(50)
  expect(await clientOf(frozenMock(), 'tenant-7').orgId()).toBe(
    await clientOf(frozenMock(), 'tenant-7').orgId(),
  )
})

test('two mocks share no state', async () => {
  const [one, two] = [clientOf(frozenMock()), clientOf(frozenMock())]
  const id = await one.newTask()
  expect((await two.call('getTask', { id })).status).toBe(404)
})

test('credentials and other credentials belong to different organizations', () => {
  const mock = frozenMock()
  for (const name of [undefined, 'demo', 'other', 'mine']) {
    const { apiKey, otherApiKey } = mock.credentials(name)
    expect(otherApiKey).not.toBe(apiKey)
  }
})

test('a key takes a past of at most 5,000 tasks, which an option may exceed', async () => {
  const mock = frozenMock()
  const authorization = 'Bearer wak_test_ada.past=100000'
  const response = await mock.fetch('http://mock.test/api/cli/whoami', { headers: { authorization } })
  expect([response.status, await response.text()]).toEqual([
    401,
    expect.stringContaining('at most 5000 tasks'),
  ])
  expect(mock.ledgers()).toEqual([])
})
