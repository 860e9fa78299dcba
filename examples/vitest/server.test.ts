/** Tests against a mock with an address: one for the whole run, or one for a single test. */
import { expect, inject, test } from 'vitest'
import { withMock } from 'work-agent-contract'
import { createClient } from '../client/client.ts'

const sleep = async () => {}

test('the mock of the whole run: each test has its own organization, with options in its key', async () => {
  const client = createClient({ baseUrl: inject('mockUrl'), apiKey: 'wak_test_server.credits=1', sleep })
  const done = await client.runTask(await client.createTask({ text: 'Say hello' }))
  expect(done).toMatchObject({ status: 'completed' })
  expect(await client.whoami()).toMatchObject({ credits: 0 })
})

test('a mock of its own: the test controls all of it', async () => {
  await withMock({ scenario: 'out-of-credits' }, async ({ url, apiKey, mock }) => {
    const client = createClient({ baseUrl: url, apiKey, sleep })
    mock.organization().setCredits(0)
    await expect(client.runTask(await client.createTask({ text: 'Say hello' }))).rejects.toMatchObject({
      code: 'no_credits',
    })
    expect(mock.journal.count({ operation: 'runTask' })).toBe(1)
  })
})
