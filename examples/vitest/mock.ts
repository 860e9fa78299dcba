/** A mock behind the global fetch of each worker, and an organization of its own for each test. */
import { setupServer } from 'msw/node'
import { afterAll, afterEach, test as base, beforeAll } from 'vitest'
import { createMock, handlers } from 'work-agent-contract/msw'
import { type Client, createClient } from '../client/client.ts'

/** The address at which your client expects the service. */
export const api = 'https://api.example.com/v1'

const mock = createMock({ credits: 2, runDuration: '10s', past: 'none' })
export const server = setupServer(...handlers(mock, api))
beforeAll(() => server.listen())
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

/** A vitest test that gets an organization of its own and a client of it. */
export const test = base.extend<{ organization: ReturnType<typeof mock.organization>; client: Client }>({
  organization: async ({ task }, use) => {
    // Workers and tests that run at the same time do not meet.
    await use(mock.organization(nameOf(task.id)))
    if (mock.bugs.length > 0) throw mock.bugs[0]
  },
  client: async ({ task, organization }, use) => {
    const { apiKey } = mock.credentials(nameOf(task.id))
    // Who waits moves the clock of the mock, so that hours take no time.
    const sleep = async (ms: number) => organization.clock.advance(ms)
    await use(createClient({ baseUrl: api, apiKey, sleep }))
  },
})

const nameOf = (id: string) => `worker-${process.env.VITEST_POOL_ID}-${id}`
