/** Tasks and their runs as a client sees them (§3, §4 Tasks). */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock, noon } from '../testing/mock.ts'

const second = 1_000

test('a created task is pending, listed first and found by id', async () => {
  const { ask } = clientOf(frozenMock())
  const text = '  Grüße\r\n\t\u{1f680}\u2028 '
  const { body } = await ask('createTask', { body: { text, unknown: [1] } })
  expect(body.task).toMatchObject({ text, description: null, status: 'pending' })
  expect(body.task).toMatchObject({ created_at: new Date(noon).toISOString(), started_at: null })
  expect((await ask('listTasks')).body.items[0]).toEqual(body.task)
  expect((await ask('getTask', { id: body.task.id })).body).toEqual({ task: body.task, finished: false })
})

test('a run reserves a credit at once and completes after its duration', async () => {
  const mock = frozenMock({ credits: 3, runDuration: '2s' })
  const { ask, newTask, look, credits } = clientOf(mock)
  const id = await newTask()
  expect((await ask('runTask', { id })).body).toEqual({ taskId: id, status: 'in_progress', finished: false })
  expect(await credits()).toBe(2)
  mock.clock.advance(2 * second - 1)
  expect(await look(id)).toEqual({ status: 'in_progress', finished: false })
  mock.clock.advance(1)
  expect(await look(id)).toEqual({ status: 'completed', finished: true })
  expect(await credits()).toBe(2)
})

test('a task tells when its run started and finished', async () => {
  const mock = frozenMock({ runDuration: '2s' })
  const { ask, newTask } = clientOf(mock)
  const id = await newTask()
  mock.clock.advance(second)
  await ask('runTask', { id })
  mock.clock.advance(10 * second)
  const { task } = (await ask('getTask', { id })).body
  expect(task.started_at).toBe(new Date(noon + second).toISOString())
  expect(task.finished_at).toBe(new Date(noon + 3 * second).toISOString())
  expect(task.updated_at).toBe(task.finished_at)
})

test('a failed run gives exactly one credit back, once', async () => {
  const mock = frozenMock({ credits: 3, runOutcome: 'failed' })
  const { ask, newTask, look, credits } = clientOf(mock)
  const id = await newTask()
  await ask('runTask', { id })
  expect(await credits()).toBe(2)
  mock.clock.advance(2 * second)
  for (let looks = 0; looks < 3; looks++) {
    expect(await look(id)).toEqual({ status: 'failed', finished: true })
    expect(await credits()).toBe(3)
    mock.clock.advance(second)
  }
})

test('a run without length has ended when it is next looked at', async () => {
  const mock = frozenMock({ runDuration: 0 })
  const { ask, newTask, look } = clientOf(mock)
  const id = await newTask()
  await ask('runTask', { id })
  expect(await look(id)).toEqual({ status: 'completed', finished: true })
})

test('a run behind another is busy, accepted, and starts by itself', async () => {
  const mock = frozenMock({ credits: 5 })
  const { ask, newTask, look, credits } = clientOf(mock)
  const [first, waiting] = [await newTask(), await newTask()]
  await ask('runTask', { id: first })
  const { status, body } = await ask('runTask', { id: waiting })
  expect([status, Reflect.get(body, 'error')]).toEqual([409, 'busy'])
  expect(await credits()).toBe(3)
  expect(await look(waiting)).toEqual({ status: 'queued', finished: false })
  mock.clock.advance(2 * second)
  expect(await look(waiting)).toEqual({ status: 'in_progress', finished: false })
  mock.clock.advance(2 * second)
  expect(await look(waiting)).toEqual({ status: 'completed', finished: true })
  expect(await credits()).toBe(3)
})

test('waiting runs start first come, first served', async () => {
  const mock = frozenMock({ credits: 10 })
  const { ask, newTask, look } = clientOf(mock)
  const ids: string[] = []
  for (let i = 0; i < 4; i++) ids.push(await newTask(`Task ${i}`))
  for (const id of [...ids].reverse()) await ask('runTask', { id })
  const order: unknown[] = []
  for (let i = 0; i < 4; i++) {
    const looks = await Promise.all(ids.map(look))
    order.push(looks.findIndex(({ status }) => status === 'in_progress'))
    mock.clock.advance(2 * second)
  }
  expect(order).toEqual([3, 2, 1, 0])
})

test('organizations do not wait for each other', async () => {
  const mock = frozenMock()
  for (const name of ['one', 'two']) {
    const { ask, newTask } = clientOf(mock, name)
    expect((await ask('runTask', { id: await newTask() })).status).toBe(200)
  }
})

test.each([
  'in_progress',
  'queued',
])('a task that is %s refuses another run and reserves nothing', async (was) => {
  const mock = frozenMock({ credits: 5 })
  const { ask, newTask, look, credits } = clientOf(mock)
  const id = await newTask()
  if (was === 'queued') await ask('runTask', { id: await newTask() })
  await ask('runTask', { id })
  expect((await look(id)).status).toBe(was)
  const before = await credits()
  const { status, body } = await ask('runTask', { id })
  expect([status, Reflect.get(body, 'error')]).toEqual([409, 'invalid_request'])
  expect(await credits()).toBe(before)
})

test('a finished task can run again, reserves again, and is not finished meanwhile', async () => {
  const mock = frozenMock({ credits: 5 })
  const { ask, newTask, look, credits } = clientOf(mock)
  const id = await newTask()
  await ask('runTask', { id })
  mock.clock.advance(2 * second)
  expect((await ask('runTask', { id })).status).toBe(200)
  expect(await look(id)).toEqual({ status: 'in_progress', finished: false })
  expect(await credits()).toBe(3)
})

test('without a credit nothing runs, nothing is queued, and free routes answer', async () => {
  const mock = frozenMock({ credits: 1 })
  const { ask, newTask, look, credits } = clientOf(mock)
  const [first, refused] = [await newTask(), await newTask()]
  await ask('runTask', { id: first })
  const { status, body } = await ask('runTask', { id: refused })
  expect([status, Reflect.get(body, 'error')]).toEqual([402, 'no_credits'])
  mock.clock.advance(60 * second)
  expect(await look(refused)).toEqual({ status: 'pending', finished: false })
  expect((await ask('runTask', { id: refused })).status).toBe(402)
  expect(await credits()).toBe(0)
})

test('402 lasts until credits are added', async () => {
  const { ask, newTask, state } = clientOf(frozenMock({ credits: 0 }))
  const id = await newTask()
  expect((await ask('runTask', { id })).status).toBe(402)
  await state('credits', { credits: 1 })
  expect((await ask('runTask', { id })).status).toBe(200)
})

test('a conflict is told before the lack of credits', async () => {
  const { ask, newTask } = clientOf(frozenMock({ credits: 1 }))
  const id = await newTask()
  await ask('runTask', { id })
  expect((await ask('runTask', { id })).status).toBe(409)
})

test('an unknown task is told before the lack of credits', async () => {
  const { ask } = clientOf(frozenMock({ credits: 0 }))
  expect((await ask('runTask', { id: 'task_unknown' })).status).toBe(404)
})

test('the second variant counts what is used today and what remains', async () => {
  const mock = frozenMock({ credits: 10, variant: 'second', runOutcome: 'failed' })
  const { ask, newTask } = clientOf(mock)
  const counts = async () => {
    const { usedToday, limit, remaining } = (await ask('listTasks')).body
    return [usedToday, limit, remaining]
  }
  expect(await counts()).toEqual([0, 10, 10])
  await ask('runTask', { id: await newTask() })
  await ask('runTask', { id: await newTask() })
  expect(await counts()).toEqual([2, 10, 8])
  mock.clock.advance(2 * second)
  expect(await counts()).toEqual([1, 10, 9])
})

test('used today begins anew at midnight UTC', async () => {
  const mock = frozenMock({ credits: 10, variant: 'second' })
  const { ask, newTask } = clientOf(mock)
  mock.clock.advance(12 * 3_600_000 - 1)
  await ask('runTask', { id: await newTask() })
  expect((await ask('listTasks')).body).toMatchObject({ usedToday: 1, limit: 10 })
  mock.clock.advance(1)
  expect((await ask('listTasks')).body).toMatchObject({ usedToday: 0, limit: 9, remaining: 9 })
})

test('half of the runs fail where half of them should', async () => {
  const mock = frozenMock({ credits: 400, runOutcome: 0.5, runDuration: 0, rateLimit: 'off' })
  const { ask, newTask, credits } = clientOf(mock)
  for (let i = 0; i < 400; i++) await ask('runTask', { id: await newTask() })
  expect(await credits()).toBeGreaterThan(150)
  expect(await credits()).toBeLessThan(250)
})
