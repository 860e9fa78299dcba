/** Which organization a key belongs to. That organizations are isolated (§1, §5.2), the suite demands. */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'

test('every wak_test_ key owns its own organization, the same in every mock', async () => {
  const ids = new Set<string>()
  for (let i = 0; i < 50; i++) ids.add(await clientOf(frozenMock(), `tenant-${i}`).orgId())
  expect(ids.size).toBe(50)
  expect(await clientOf(frozenMock(), 'tenant-7').orgId()).toBe(
    await clientOf(frozenMock(), 'tenant-7').orgId(),
  )
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
