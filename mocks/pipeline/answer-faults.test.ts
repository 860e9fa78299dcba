/** Faults that change one answer: a gateway's 502, the other variant, every quirk, a date in Retry-After. */
import { expect, test } from 'vitest'
import { frozenMock, noon } from '../testing/mock.ts'
import { rawClient } from '../testing/raw-client.ts'

const start = (...fault: string[]) => {
  const mock = frozenMock({ fault })
  return { mock, ...rawClient(mock) }
}

test('bad_gateway is a 502 that is not JSON, and the request has no effect', async () => {
  const { mock, call, newTask } = start('createTask=bad_gateway;times=1')
  await expect(newTask()).rejects.toThrow(SyntaxError)
  const [refusal] = mock.journal.entries()
  expect(refusal).toMatchObject({ status: 502, error: null })
  const { items } = (await call('listTasks')).body
  expect(items).not.toContainEqual(expect.objectContaining({ text: 'Say hello' }))
})

test('other_variant changes the shape of one answer', async () => {
  const { call } = start('listTasks=other_variant;times=1')
  const shapeOf = async () => Object.keys((await call('listTasks')).body).sort()
  expect([await shapeOf(), await shapeOf()]).toEqual([
    ['items', 'limit', 'remaining', 'usedToday'],
    ['credits', 'items'],
  ])
})

test('other_variant applies to operations with two shapes only', () => {
  expect(() => start('whoami=other_variant')).toThrow(
    'cannot apply "other_variant" to whoami; it applies to listTasks, createTask, runTask',
  )
})

test('quirks make one answer unusual, and leave the values that a client sent', async () => {
  const { call } = start('createTask=quirks;times=1', 'whoami=quirks;times=1')
  const created = await call('createTask', { body: { text: 'Say hello' } })
  expect([created.status, created.body.task?.text]).toEqual([201, 'Say hello'])
  expect((await call('whoami')).body).toMatchObject({ org: { name: null }, plan: { seats: null } })
  expect(typeof (await call('whoami')).body.plan).toBe('string')
})

test('rate_limited date gives Retry-After as a date', async () => {
  const { call } = start('whoami=rate_limited date,rate_limited')
  const waitOf = async () => (await call('whoami')).headers.get('retry-after')
  expect([await waitOf(), await waitOf()]).toEqual([new Date(noon + 1_000).toUTCString(), '1'])
})
