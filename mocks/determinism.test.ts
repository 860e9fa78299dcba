/** The same seed and frozen time produce byte-identical responses to the same requests. */
import { expect, test } from 'vitest'
import { responsesOf } from './testing/all-requests.ts'
import { frozenMock, noon, tenantOf } from './testing/mock.ts'

const options = { seed: 'twice', runOutcome: 0.5 }
const names = ['demo', 'other']

test('two mocks with the same seed and time return the same responses, byte for byte', async () => {
  expect(await responsesOf(frozenMock(options), names)).toEqual(await responsesOf(frozenMock(options), names))
})

test('a reset mock responds as at the start', async () => {
  const mock = frozenMock(options)
  const everything = async () => [await responsesOf(mock, names), mock.journal.entries(), mock.ledgers()]
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
