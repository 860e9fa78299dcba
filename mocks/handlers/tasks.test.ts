/** Tasks and their runs (§3, §4 Tasks). */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock, noon } from '../testing/mock.ts'

const second = 1_000

test('a created task is pending, listed first and found by id', async () => {
  const { call } = clientOf(frozenMock())
  const text = '  Grüße\r\n\t\u{1f680}\u2028 '
  const { body } = await call('createTask', { body: { text, unknown: [1] } })
  expect(body.task).toMatchObject({ text, description: null, status: 'pending' })
  expect(body.task).toMatchObject({ created_at: new Date(noon).toISOString(), started_at: null })
  expect((await call('listTasks')).body.items[0]).toEqual(body.task)
  expect((await call('getTask', { id: body.task.id })).body).toEqual({ task: body.task, finished: false })
})

test('a run reserves a credit immediately and completes after its duration', async () => {
  const mock = frozenMock({ credits: 3, runDuration: '2s' })
  const { call, newTask, poll, credits } = clientOf(mock)
  const id = await newTask()
  expect((await call('runTask', { id })).body).toEqual({ taskId: id, status: 'in_progress', finished: false })
  expect(await credits()).toBe(2)
  mock.clock.advance(2 * second - 1)
  expect(await poll(id)).toEqual({ status: 'in_progress', finished: false })
  mock.clock.advance(1)
  expect(await poll(id)).toEqual({ status: 'completed', finished: true })
  expect(await credits()).toBe(2)
})

test('a task contains the start and end of its run', async () => {
  const mock = frozenMock({ runDuration: '2s' })
  const { call, newTask } = clientOf(mock)
  const id = await newTask()
  mock.clock.advance(second)
  await call('runTask', { id })
  mock.clock.advance(10 * second)
  const { task } = (await call('getTask', { id })).body
  expect(task.started_at).toBe(new Date(noon + second).toISOString())
  expect(task.finished_at).toBe(new Date(noon + 3 * second).toISOString())
  expect(task.updated_at).toBe(task.finished_at)
})

test('a failed run refunds exactly one credit, once', async () => {
  const mock = frozenMock({ credits: 3, runOutcome: 'failed' })
  const { call, newTask, poll, credits } = clientOf(mock)
  const id = await newTask()
  await call('runTask', { id })
  expect(await credits()).toBe(2)
  mock.clock.advance(2 * second)
  for (let i = 0; i < 3; i++) {
    expect(await poll(id)).toEqual({ status: 'failed', finished: true })
    expect(await credits()).toBe(3)
    mock.clock.advance(second)
  }
})

test('a run with a duration of zero has ended at the next poll', async () => {
  const mock = frozenMock({ runDuration: 0 })
  const { call, newTask, poll } = clientOf(mock)
  const id = await newTask()
  await call('runTask', { id })
  expect(await poll(id)).toEqual({ status: 'completed', finished: true })
})

test('a run behind another returns busy, is accepted and starts automatically', async () => {
  const mock = frozenMock({ credits: 5 })
  const { call, newTask, poll, credits } = clientOf(mock)
  const [first, waiting] = [await newTask(), await newTask()]
  await call('runTask', { id: first })
  const { status, body } = await call('runTask', { id: waiting })
  expect([status, Reflect.get(body, 'error')]).toEqual([409, 'busy'])
  expect(await credits()).toBe(3)
  expect(await poll(waiting)).toEqual({ status: 'queued', finished: false })
  mock.clock.advance(2 * second)
  expect(await poll(waiting)).toEqual({ status: 'in_progress', finished: false })
  mock.clock.advance(2 * second)
  expect(await poll(waiting)).toEqual({ status: 'completed', finished: true })
  expect(await credits()).toBe(3)
})

test('queued runs start in order', async () => {
  const mock = frozenMock({ credits: 10 })
  const { call, newTask, poll } = clientOf(mock)
  const ids: string[] = []
  for (let i = 0; i < 4; i++) ids.push(await newTask(`Task ${i}`))
  for (const id of [...ids].reverse()) await call('runTask', { id })
  const order: unknown[] = []
  for (let i = 0; i < 4; i++) {
    const polled = await Promise.all(ids.map(poll))
    order.push(polled.findIndex(({ status }) => status === 'in_progress'))
    mock.clock.advance(2 * second)
  }
  expect(order).toEqual([3, 2, 1, 0])
})

test('organizations do not wait for each other', async () => {
  const mock = frozenMock()
  for (const name of ['one', 'two']) {
    const { call, newTask } = clientOf(mock, name)
    expect((await call('runTask', { id: await newTask() })).status).toBe(200)
  }
})

test.each([
  'in_progress',
  'queued',
])('a run of a task that is %s is rejected and reserves nothing', async (was) => {
  const mock = frozenMock({ credits: 5 })
  const { call, newTask, poll, credits } = clientOf(mock)
  const id = await newTask()
  if (was === 'queued') await call('runTask', { id: await newTask() })
  await call('runTask', { id })
  expect((await poll(id)).status).toBe(was)
  const before = await credits()
  const { status, body } = await call('runTask', { id })
  expect([status, Reflect.get(body, 'error')]).toEqual([409, 'invalid_request'])
  expect(await credits()).toBe(before)
})

test('a finished task can run again, reserves again and is unfinished meanwhile', async () => {
  const mock = frozenMock({ credits: 5 })
  const { call, newTask, poll, credits } = clientOf(mock)
  const id = await newTask()
  await call('runTask', { id })
  mock.clock.advance(2 * second)
  expect((await call('runTask', { id })).status).toBe(200)
  expect(await poll(id)).toEqual({ status: 'in_progress', finished: false })
  expect(await credits()).toBe(3)
})

test('without a credit, no run is accepted or queued, and free routes work', async () => {
  const mock = frozenMock({ credits: 1 })
  const { call, newTask, poll, credits } = clientOf(mock)
  const [first, refused] = [await newTask(), await newTask()]
  await call('runTask', { id: first })
  const { status, body } = await call('runTask', { id: refused })
  expect([status, Reflect.get(body, 'error')]).toEqual([402, 'no_credits'])
  mock.clock.advance(60 * second)
  expect(await poll(refused)).toEqual({ status: 'pending', finished: false })
  expect((await call('runTask', { id: refused })).status).toBe(402)
  expect(await credits()).toBe(0)
})

test('402 lasts until credits are added', async () => {
  const { call, newTask, state } = clientOf(frozenMock({ credits: 0 }))
  const id = await newTask()
  expect((await call('runTask', { id })).status).toBe(402)
  await state('credits', { credits: 1 })
  expect((await call('runTask', { id })).status).toBe(200)
})

test('a conflict precedes no_credits', async () => {
  const { call, newTask } = clientOf(frozenMock({ credits: 1 }))
  const id = await newTask()
  await call('runTask', { id })
  expect((await call('runTask', { id })).status).toBe(409)
})

test('an unknown task precedes no_credits', async () => {
  const { call } = clientOf(frozenMock({ credits: 0 }))
  expect((await call('runTask', { id: 'task_unknown' })).status).toBe(404)
})

test('the second variant returns usedToday and remaining', async () => {
  const mock = frozenMock({ credits: 10, variant: 'second', runOutcome: 'failed' })
  const { call, newTask } = clientOf(mock)
  const counts = async () => {
    const { usedToday, limit, remaining } = (await call('listTasks')).body
    return [usedToday, limit, remaining]
  }
  expect(await counts()).toEqual([0, 10, 10])
  await call('runTask', { id: await newTask() })
  await call('runTask', { id: await newTask() })
  expect(await counts()).toEqual([2, 10, 8])
  mock.clock.advance(2 * second)
  expect(await counts()).toEqual([1, 10, 9])
})

test('usedToday restarts at midnight UTC', async () => {
  const mock = frozenMock({ credits: 10, variant: 'second' })
  const { call, newTask } = clientOf(mock)
  mock.clock.advance(12 * 3_600_000 - 1)
  await call('runTask', { id: await newTask() })
  expect((await call('listTasks')).body).toMatchObject({ usedToday: 1, limit: 10 })
  mock.clock.advance(1)
  expect((await call('listTasks')).body).toMatchObject({ usedToday: 0, limit: 9, remaining: 9 })
})

test('a failure rate of one half fails about half of the runs', async () => {
  const mock = frozenMock({ credits: 400, runOutcome: 0.5, runDuration: 0, rateLimit: 'off' })
  const { call, newTask, credits } = clientOf(mock)
  for (let i = 0; i < 400; i++) await call('runTask', { id: await newTask() })
  expect(await credits()).toBeGreaterThan(150)
  expect(await credits()).toBeLessThan(250)
})
