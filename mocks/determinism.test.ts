/** The same seed and frozen time produce byte-identical responses to the same requests. */
import { expect, test } from 'vitest'
import { responsesOf } from './testing/client.ts'
import { frozenMock, noon, tenantOf } from './testing/mock.ts'

const options = { seed: 'twice', runOutcome: 0.5 }
const names = ['demo', 'other']

test('a reset mock responds as at the start', async () => {
  const mock = frozenMock(options)
  const everything = async () => [await responsesOf(mock, names), mock.journal.entries(), mock.ledgers()]
  const first = await everything()
  mock.reset()
  mock.clock.freeze(noon)
  expect(await everything()).toEqual(first)
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
