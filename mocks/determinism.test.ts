/** The same seed and the same frozen moment give byte-identical answers to the same requests. */
import { expect, test } from 'vitest'
import type { Mock } from './app.ts'
import { clientOf } from './testing/client.ts'
import { frozenMock, noon } from './testing/mock.ts'

/** Asks a bit of everything and answers every byte that came back, headers included. */
async function story(mock: Mock): Promise<string[]> {
  const heard: string[] = []
  const served = {
    settings: mock.settings,
    credentials: mock.credentials,
    async fetch(request: Request) {
      const response = await mock.fetch(request)
      heard.push(JSON.stringify([response.status, [...response.headers], await response.clone().text()]))
      return response
    },
  }
  for (const name of ['demo', 'other']) {
    const { ask, newTask } = clientOf(served, name)
    for (const operation of ['whoami', 'listTasks', 'listDocuments', 'listNotifications'] as const)
      await ask(operation)
    const tasks = [await newTask(), await newTask(), await newTask()]
    for (const id of tasks) await ask('runTask', { id })
    mock.clock.advance(3_000)
    for (const id of tasks) await ask('getTask', { id })
    await ask('createKey', { body: { name: 'CI' } })
    await ask('listKeys')
    await ask('createDocument', { body: { title: 'Notes' } })
    const { url } = (await ask('generateCreative', { body: { prompt: 'a' } })).body
    await served.fetch(new Request(url))
    await ask('createLandingPage', { body: {} })
    for (const operation of [
      'listLandingPages',
      'listLeads',
      'listCampaigns',
      'getInsights',
      'getWallet',
      'getBilling',
    ] as const) {
      await ask(operation)
    }
    mock.clock.advance(3_600_000)
    await ask('listTasks')
    await ask('listNotifications')
  }
  return heard
}

const options = { seed: 'twice', runOutcome: 0.5 }

test('two mocks of the same seed and moment answer alike, byte for byte', async () => {
  expect(await story(frozenMock(options))).toEqual(await story(frozenMock(options)))
})

test('another seed gives other data', async () => {
  expect(await story(frozenMock({ ...options, seed: 'else' }))).not.toEqual(await story(frozenMock(options)))
})

test('a mock that was reset answers as at the start', async () => {
  const mock = frozenMock(options)
  const first = await story(mock)
  mock.reset()
  mock.clock.freeze(noon)
  expect(await story(mock)).toEqual(first)
})

test('a reset forgets created keys, provider states and limits', async () => {
  const mock = frozenMock({ rateLimit: '9/60s' })
  const { ask, state } = clientOf(mock)
  const { secret } = (await ask('createKey', { body: { name: 'CI' } })).body
  await state('unavailable')
  for (let i = 0; i < 20; i++) await ask('whoami')
  mock.reset()
  const headers = { authorization: `Bearer ${secret}` }
  expect((await ask('whoami', { as: 'nobody', headers })).status).toBe(401)
  expect((await ask('whoami')).status).toBe(200)
})

test('what one organization does changes nothing that another is told', async () => {
  const quiet = await clientOf(frozenMock(options), 'other').ask('createTask', { body: { text: 'a' } })
  const mock = frozenMock(options)
  for (let i = 0; i < 5; i++) await clientOf(mock, `busy-${i}`).newTask()
  const loud = await clientOf(mock, 'other').ask('createTask', { body: { text: 'a' } })
  expect(loud.text).toBe(quiet.text)
})

test('reading changes nothing that is told later', async () => {
  const run = async (reads: number) => {
    const mock = frozenMock(options)
    const { ask, newTask } = clientOf(mock)
    const ids = [await newTask(), await newTask()]
    for (const id of ids) await ask('runTask', { id })
    for (let i = 0; i < reads; i++) {
      mock.clock.set(noon + i * 500)
      await ask('listTasks')
    }
    mock.clock.set(noon + 60_000)
    return [(await ask('listTasks')).text, (await ask('listNotifications')).text]
  }
  expect(await run(30)).toEqual(await run(0))
})
