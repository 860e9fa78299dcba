/** Forced errors: on one operation, or on all that can answer them. */
import { expect, test } from 'vitest'
import { codesOf, operationIds, routeOf } from '#contract/operation.ts'
import { clientOf } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'
import { parseForce } from './force.ts'

const codeOf = (body: object) => Reflect.get(body, 'error')

test.each([
  'unauthorized',
  'rate_limited',
  'unavailable',
  'internal_error',
])('%s is answered on every route', async (force) => {
  const { ask } = clientOf(frozenMock({ force }))
  for (const operation of operationIds) expect(codeOf((await ask(operation)).body)).toBe(force)
})

test.each([
  'no_credits',
  'not_found',
  'invalid_request',
])('%s is answered wherever it is declared', async (force) => {
  const { ask } = clientOf(frozenMock({ force }))
  for (const operation of operationIds.filter((id) => codesOf(id).includes(force))) {
    expect(codeOf((await ask(operation)).body)).toBe(force)
  }
  expect((await ask('whoami')).status).toBe(200)
})

test('an error on one operation leaves the others alone', async () => {
  const { ask } = clientOf(frozenMock({ force: ['internal_error@getTask', 'unavailable@listTasks'] }))
  expect((await ask('getTask')).status).toBe(500)
  expect((await ask('listTasks')).status).toBe(503)
  expect((await ask('createTask', { body: { text: 'a' } })).status).toBe(200)
})

test('a forced 429 has a Retry-After', async () => {
  const { ask } = clientOf(frozenMock({ force: 'rate_limited@whoami' }))
  expect((await ask('whoami')).headers.get('retry-after')).toBe('1')
})

test('a missing credential is told before a forced error', async () => {
  const { ask } = clientOf(frozenMock({ force: 'internal_error' }))
  expect((await ask('whoami', { as: 'nobody' })).status).toBe(401)
})

test('a forced busy is true: the run is accepted, and starts by itself', async () => {
  const mock = frozenMock({ force: 'busy', credits: 5 })
  const { ask, newTask, look, credits } = clientOf(mock)
  const id = await newTask()
  expect(codeOf((await ask('runTask', { id })).body)).toBe('busy')
  expect(await credits()).toBe(4)
  mock.clock.advance(4_000)
  expect(await look(id)).toEqual({ status: 'completed', finished: true })
})

test('a forced busy does not change what happened before it, looked at or not', async () => {
  const statuses = async (looking: boolean) => {
    const mock = frozenMock({ force: 'busy' })
    const { ask, newTask, look } = clientOf(mock)
    const [first, next] = [await newTask(), await newTask()]
    await ask('runTask', { id: first })
    mock.clock.advance(10_000)
    if (looking) await look(first)
    await ask('runTask', { id: next })
    return [await look(first), await look(next)]
  }
  expect(await statuses(false)).toEqual(await statuses(true))
})

test('a forced busy without a credit is 402', async () => {
  const { ask, newTask } = clientOf(frozenMock({ force: 'busy', credits: 0 }))
  expect((await ask('runTask', { id: await newTask() })).status).toBe(402)
})

test('every declared code of every operation can be forced', () => {
  for (const operation of operationIds) {
    for (const code of codesOf(operation)) {
      expect(parseForce(`${code}@${operation}`)).toEqual({ code, operation })
    }
  }
})

test.each([
  ['nope', /knows no error "nope"/],
  ['', /knows no error ""/],
  ['busy@nope', /knows no operation "nope"/],
  ['busy@runTask@runTask', /knows no operation/],
  ['busy@whoami', /cannot make whoami answer busy; it is an answer of runTask/],
  ['__proto__', /knows no error/],
])('%j is refused with a reason', (word, reason) => {
  expect(parseForce(word)).toMatch(reason)
})

test('what can be forced is what costs a credit, for no_credits', () => {
  const able = operationIds.filter((id) => typeof parseForce(`no_credits@${id}`) !== 'string')
  expect(able).toEqual(operationIds.filter((id) => routeOf(id).cost === 1))
})

test('a forced invalid_request is that of a failed validation: 422 in the second variant', async () => {
  const { ask } = clientOf(frozenMock({ force: 'invalid_request', variant: 'second' }))
  expect((await ask('createTask')).status).toBe(422)
  expect((await ask('runTask')).status).toBe(409)
})
