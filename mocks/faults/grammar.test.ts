/** Forced errors; vocabulary.test.ts has each code of each operation. */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'
import { parseForce } from './grammar.ts'

test('a missing credential precedes a forced error', async () => {
  const { call } = clientOf(frozenMock({ force: 'internal_error' }))
  expect((await call('whoami', { as: 'nobody' })).status).toBe(401)
})

test('a forced busy does not change earlier events, polled or not', async () => {
  const statuses = async (polls: boolean) => {
    const mock = frozenMock({ force: 'busy' })
    const { call, newTask, poll } = clientOf(mock)
    const [first, next] = [await newTask(), await newTask()]
    await call('runTask', { id: first })
    mock.clock.advance(10_000)
    if (polls) await poll(first)
    await call('runTask', { id: next })
    return [await poll(first), await poll(next)]
  }
  expect(await statuses(false)).toEqual(await statuses(true))
})

test('a forced busy without a credit returns 402', async () => {
  const { call, newTask } = clientOf(frozenMock({ force: 'busy', credits: 0 }))
  expect((await call('runTask', { id: await newTask() })).status).toBe(402)
})

test.each([
  ['nope', /does not know the fault "nope"; write unauthorized, /],
  ['', /does not know the fault ""/],
  ['busy@nope', /does not know the operation "nope"/],
  ['busy@runTask@runTask', /takes CODE or CODE@OPERATION/],
  ['lost@runTask', /takes an error/],
  ['busy@runTsk', /did you mean "runTask"/],
  ['busy@whoami', /cannot make whoami return busy; that is an answer of runTask$/],
  ['__proto__', /does not know the fault/],
])('%j is rejected with a reason', (word, reason) => {
  expect(parseForce(word)).toMatch(reason)
})

test('a forced invalid_request is a failed validation: 422 in the second variant', async () => {
  const { call } = clientOf(frozenMock({ force: 'invalid_request', variant: 'second' }))
  expect((await call('createTask')).status).toBe(422)
  expect((await call('runTask')).status).toBe(409)
})
