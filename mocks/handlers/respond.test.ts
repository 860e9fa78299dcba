/** The two variants: shapes, statuses and messages, for a mock or for one request. */
import { expect, test } from 'vitest'
import { readPreference } from '../faults/prefer.ts'
import { clientOf, origin } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'

const fieldsOf = (body: object) => Object.keys(body).sort()

test('the first variant has the shapes of the first description', async () => {
  const { call, newTask } = clientOf(frozenMock())
  expect(fieldsOf((await call('listTasks')).body)).toEqual(['credits', 'items'])
  expect(fieldsOf((await call('createTask', { body: { text: 'a' } })).body)).toEqual(['credits', 'task'])
  const { body } = await call('runTask', { id: await newTask() })
  expect(fieldsOf(body)).toEqual(['finished', 'status', 'taskId'])
})

test('the second variant has the shapes of the second description', async () => {
  const { call, newTask } = clientOf(frozenMock({ variant: 'second' }))
  expect(fieldsOf((await call('listTasks')).body)).toEqual(['items', 'limit', 'remaining', 'usedToday'])
  expect(fieldsOf((await call('createTask', { body: { text: 'a' } })).body)).toEqual(['task'])
  const { body } = await call('runTask', { id: await newTask() })
  expect(fieldsOf(body)).toEqual(['ok', 'runId', 'status'])
})

test('a request can select the other variant', async () => {
  const { call } = clientOf(frozenMock())
  expect(fieldsOf((await call('listTasks', { prefer: 'second' })).body)).toContain('usedToday')
  expect(fieldsOf((await call('listTasks')).body)).toContain('credits')
  const other = clientOf(frozenMock({ variant: 'second' }))
  expect(fieldsOf((await other.call('listTasks', { prefer: 'first' })).body)).toContain('credits')
})

test.each([
  ['variant=second', 'second'],
  ['Variant="second"', 'second'],
  ['return=minimal, variant=second; foo=bar, wait=5', 'second'],
  ['wait=5;variant = FIRST', 'first'],
  ['variant=third', undefined],
  ['invariant=second', undefined],
  ['', undefined],
  [undefined, undefined],
])('Prefer: %s selects %s', (prefer, variant) => {
  expect(readPreference(prefer ?? '')?.variant).toBe(variant)
})

test('a readable body that fails validation is 400 in the first variant and 422 in the second', async () => {
  const { call } = clientOf(frozenMock())
  const body = { text: 5 }
  for (const [prefer, status] of [
    ['first', 400],
    ['second', 422],
  ] as const) {
    const reply = await call('createTask', { body, prefer })
    expect([reply.status, Reflect.get(reply.body, 'error')]).toEqual([status, 'invalid_request'])
    expect(Reflect.get(reply.body, 'message')).toMatch(/^text: /)
  }
})

test('an unreadable body is 400 in both variants', async () => {
  const mock = frozenMock()
  for (const prefer of ['variant=first', 'variant=second']) {
    const headers = { authorization: `Bearer ${mock.credentials().apiKey}`, prefer }
    const request = new Request(`${origin}/api/cli/tasks`, { method: 'POST', headers, body: '{' })
    expect((await mock.fetch(request)).status).toBe(400)
  }
})

test('messages of the second variant say what to do', async () => {
  const { call, newTask } = clientOf(frozenMock({ credits: 0, variant: 'second' }))
  const { body } = await call('whoami', { as: 'nobody' })
  expect(Reflect.get(body, 'message')).toMatch(/log in with the client/i)
  const refused = (await call('runTask', { id: await newTask() })).body
  expect(Reflect.get(refused, 'message')).toMatch(/billing page/)
})

test('every response is JSON', async () => {
  const { call } = clientOf(frozenMock())
  for (const reply of [await call('whoami'), await call('getTask'), await call('whoami', { as: 'nobody' })]) {
    expect(reply.headers.get('content-type')).toBe('application/json')
  }
})
