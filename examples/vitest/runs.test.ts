/** Tasks, credits and time: what the service keeps, a test can ask for. */
import { HttpResponse, http } from 'msw'
import { expect } from 'vitest'
import { api, server, test } from './mock.ts'

test('a task is run to its end, and costs one credit', async ({ client, organization }) => {
  const done = await client.runTask(await client.createTask({ text: 'Say hello' }))
  expect(done).toMatchObject({ text: 'Say hello', status: 'completed' })
  expect(await client.whoami()).toMatchObject({ credits: 1 })
  expect(organization.ledgers()[0]).toMatchObject({ balance: 1, spent: 1 })
})

test('a run goes on over midnight, in no time', async ({ client, organization }) => {
  organization.clock.freeze(Date.UTC(2026, 2, 1, 23, 59, 55))
  const task = await client.createTask({ text: 'Say good night' })
  await client.runTask(task) // sleeps, which moves the clock
  expect(organization.clock.now()).toBe(Date.UTC(2026, 2, 2, 0, 0, 5))
})

test('out of credits: the client stops, and asks no second time', async ({ client, organization }) => {
  organization.setCredits(0)
  const task = await client.createTask({ text: 'Say hello' })
  await expect(client.runTask(task)).rejects.toMatchObject({ code: 'no_credits' })
  expect(organization.journal.entries({ operation: 'runTask' })).toHaveLength(1)
})

test('a top-up later, the same task runs', async ({ client, organization }) => {
  organization.setCredits(0)
  const task = await client.createTask({ text: 'Say hello' })
  await expect(client.runTask(task)).rejects.toThrow('no_credits')
  organization.addCredits(1)
  expect(await client.runTask(task)).toMatchObject({ status: 'completed' })
})

test("a test's own handler comes before the mock's", async ({ client }) => {
  server.use(
    http.get(`${api}/api/cli/leads`, () => HttpResponse.json({ connected: true, prospects: ['mine'] })),
  )
  expect(await client.listLeads()).toMatchObject({ prospects: ['mine'] })
  expect(await client.whoami()).toMatchObject({ credits: 2 })
})
