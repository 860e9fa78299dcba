/** The same seed and frozen time produce byte-identical responses to the same requests. */
import { expect, test } from 'vitest'
import type { Mock } from './app.ts'
import { clientOf } from './testing/client.ts'
import { frozenMock, noon, tenantOf } from './testing/mock.ts'

/** Sends requests of every kind and returns every byte of the responses, including headers. */
async function responsesOf(mock: Mock): Promise<string[]> {
  const responses: string[] = []
  const served = {
    settings: mock.settings,
    credentials: mock.credentials,
    async fetch(request: Request) {
      const response = await mock.fetch(request)
      responses.push(JSON.stringify([response.status, [...response.headers], await response.clone().text()]))
      return response
    },
  }
  for (const name of ['demo', 'other']) {
    const { call, newTask } = clientOf(served, name)
    for (const operation of ['whoami', 'listTasks', 'listDocuments', 'listNotifications'] as const)
      await call(operation)
    const tasks = [await newTask(), await newTask(), await newTask()]
    for (const id of tasks) await call('runTask', { id })
    mock.clock.advance(3_000)
    for (const id of tasks) await call('getTask', { id })
    await call('createKey', { body: { name: 'CI' } })
    await call('listKeys')
    await call('createDocument', { body: { title: 'Notes' } })
    const { url } = (await call('generateCreative', { body: { prompt: 'a' } })).body
    await served.fetch(new Request(url))
    await call('createLandingPage', { body: {} })
    for (const operation of [
      'listLandingPages',
      'listLeads',
      'listCampaigns',
      'getInsights',
      'getWallet',
      'getBilling',
    ] as const) {
      await call(operation)
    }
    mock.clock.advance(3_600_000)
    await call('listTasks')
    await call('listNotifications')
  }
  return responses
}

const options = { seed: 'twice', runOutcome: 0.5 }

test('two mocks with the same seed and time return the same responses, byte for byte', async () => {
  expect(await responsesOf(frozenMock(options))).toEqual(await responsesOf(frozenMock(options)))
})

test('a reset mock responds as at the start', async () => {
  const mock = frozenMock(options)
  const everything = async () => [await responsesOf(mock), mock.journal.entries(), mock.ledgers()]
  const first = await everything()
  mock.reset()
  mock.clock.freeze(noon)
  expect(await everything()).toEqual(first)
})

test('a reset discards created keys, provider states and limits', async () => {
  const { mock, call, state } = tenantOf({ rateLimit: '9/60s' })
  const { secret } = (await call('createKey', { body: { name: 'CI' } })).body
  await state('unavailable')
  for (let i = 0; i < 20; i++) await call('whoami')
  mock.reset()
  const headers = { authorization: `Bearer ${secret}` }
  expect((await call('whoami', { as: 'nobody', headers })).status).toBe(401)
  expect((await call('whoami')).status).toBe(200)
})

test('reads do not change later responses', async () => {
  const run = async (reads: number) => {
    const { mock, call, newTask } = tenantOf(options)
    const ids = [await newTask(), await newTask()]
    for (const id of ids) await call('runTask', { id })
    for (let i = 0; i < reads; i++) {
      mock.clock.set(noon + i * 500)
      await call('listTasks')
    }
    mock.clock.set(noon + 60_000)
    return [(await call('listTasks')).text, (await call('listNotifications')).text]
  }
  expect(await run(30)).toEqual(await run(0))
})
