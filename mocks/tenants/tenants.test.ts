/** Organizations are isolated (§1, §5.2): what one has, no other sees, finds or changes. */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'

test("another organization's resources are not found, not listed and not changed", async () => {
  const mock = frozenMock()
  const mine = clientOf(mock, 'mine')
  const theirs = clientOf(mock, 'theirs')
  const task = await mine.newTask()
  const document = (await mine.ask('createDocument', { body: { title: 'Secret', folder_id: 'F' } })).body.item
    .id
  const notification = String((await mine.ask('listNotifications')).body.items[0]?.id)
  const key = String((await mine.ask('listKeys')).body.keys[0]?.id)
  for (const [operation, id] of [
    ['getTask', task],
    ['runTask', task],
    ['getDocument', document],
    ['readNotification', notification],
    ['deleteKey', key],
  ] as const) {
    expect([operation, (await theirs.ask(operation, { id })).status]).toEqual([operation, 404])
  }
  const seen = [
    (await theirs.ask('listTasks')).text,
    (await theirs.ask('listDocuments', { query: { all: '1' } })).text,
    (await theirs.ask('listDocuments', { query: { folder_id: 'F' } })).text,
    (await theirs.ask('listNotifications')).text,
    (await theirs.ask('listKeys')).text,
  ].join()
  for (const id of [task, document, notification, key]) expect(seen).not.toContain(id)
  expect(await mine.look(task)).toEqual({ status: 'pending', finished: false })
  const { items } = (await mine.ask('listNotifications')).body
  expect(items.find(({ id }) => id === notification)?.read).toBe(false)
  expect((await mine.ask('whoami')).status).toBe(200)
})

test('every wak_test_ key owns an organization of its own, the same in every mock', async () => {
  const ids = new Set<string>()
  for (let i = 0; i < 50; i++) ids.add(await clientOf(frozenMock(), `tenant-${i}`).orgId())
  expect(ids.size).toBe(50)
  expect(await clientOf(frozenMock(), 'tenant-7').orgId()).toBe(
    await clientOf(frozenMock(), 'tenant-7').orgId(),
  )
})

test('two mocks do not meet', async () => {
  const [one, two] = [clientOf(frozenMock()), clientOf(frozenMock())]
  const id = await one.newTask()
  expect((await two.ask('getTask', { id })).status).toBe(404)
})

test('credentials of a name and of the other do not belong to the same organization', () => {
  const mock = frozenMock()
  for (const name of [undefined, 'demo', 'other', 'mine']) {
    const { apiKey, otherApiKey } = mock.credentials(name)
    expect(otherApiKey).not.toBe(apiKey)
  }
})
