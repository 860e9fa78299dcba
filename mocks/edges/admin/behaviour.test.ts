/** Chaos and quirks of an organization that exists: what it has stays, and each answer names the quirks in it. */
import { expect, test } from 'vitest'
import { controlOf } from '../../testing/control.ts'
import { frozenMock, tenantOf } from '../../testing/mock.ts'

const of = () => {
  const opened = tenantOf({ rateLimit: 'off' })
  const { apiKey } = opened.mock.credentials()
  /** Sends a request whose answer need not be of the usual form. */
  const send = (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    return opened.mock.fetch(`http://mock.test/api/cli${path}`, { ...init, headers })
  }
  return { ...opened, send }
}

test('quirks are switched on and off; tasks, credits, keys and the past stay', async () => {
  const { mock, call, send, control } = of()
  const { task } = (await call('createTask', { body: { text: 'before' } })).body
  await call('runTask', { id: task.id })
  const { credits } = (await call('whoami')).body
  expect(await control.done('PUT /behaviour', { body: { strictClient: 7 } })).toEqual({
    strict_client: '7',
    chaos: null,
  })
  expect((await send(`/tasks/${task.id}`)).status).toBe(200)
  const { why } = await control.done('GET /requests/2')
  expect(why).toMatchObject({ complete: true, credits: { before: credits + 1, after: credits }, quirks: [] })
  expect((await control.done('GET /organization', { query: '?at=1' })).credits).toBe(credits + 1)
  expect(await control.done('PUT /behaviour', { body: { strictClient: false } })).toEqual({
    strict_client: null,
    chaos: null,
  })
  expect((await call('whoami')).body.credits).toBe(credits)
  mock.reset()
  await call('whoami')
  expect((await control.done('GET /overview')).organizations[0]).toMatchObject({ strict_client: null })
})

test('a state from before a change of quirks has the switches and windows of then', async () => {
  const { call, control } = tenantOf({}, 'ada')
  await call('whoami')
  const stateAt = async () => {
    const { arranged, windows } = (await control.done('GET /link', { query: '?at=1' })).file.organization
      .state
    return { arranged, windows }
  }
  const then = await stateAt()
  await call('whoami')
  await control.done('POST /states', { body: { state: 'unavailable', params: {}, action: 'setup' } })
  await control.done('PUT /behaviour', { body: { strictClient: 7 } })
  expect(await stateAt()).toEqual(then)
})

test('why an answer is as it is names the quirks that made it differ, and no others', async () => {
  const { mock, send, control } = of()
  const quirks =
    'runs-double,runs-busy-first,run-again-conflict,unknown-fields-refused,notification-unknown-read,plan-object'
  await control.done('PUT /behaviour', { body: { strictClient: quirks } })
  const task = async (body: object) =>
    (await (await send('/tasks', { method: 'POST', body: JSON.stringify(body) })).json()).task?.id
  const named: string[][] = []
  const note = async () => {
    const { why } = await control.done(`GET /requests/${mock.journal.count()}`)
    expect(why.strict_client).toBe(quirks)
    named.push(why.quirks.map(({ id }: { id: string }) => id))
  }
  await task({ text: 'a', other: 1 })
  await note()
  await task({ other: 1 })
  await note()
  const id = await task({ text: 'a' })
  await note()
  const post = async (path: string) => {
    await send(path, { method: 'POST' })
    await note()
  }
  await post(`/tasks/${id}/run`)
  mock.clock.advance('1h')
  await post(`/tasks/${id}/run`)
  await post('/notifications/none/read')
  await send('/whoami')
  await note()
  expect(named).toEqual([
    ['unknown-fields-refused'],
    [],
    [],
    ['runs-double', 'runs-busy-first'],
    ['run-again-conflict'],
    ['notification-unknown-read'],
    ['plan-object'],
  ])
})

test('chaos of an organization is a rule of its own with the given share and seed, until it is off', async () => {
  const { mock, control } = of()
  await control.done('PUT /behaviour', { body: { chaos: 0.5, chaosSeed: 'a' } })
  const [rule] = mock.organization().faults.list()
  expect(rule).toMatchObject({ id: 'chaos', org_id: mock.organization().id, rate: 0.5 })
  expect(rule?.text).toContain(';seed=a')
  expect(await control.done('PUT /behaviour', { body: { chaos: 0 } })).toMatchObject({ chaos: null })
  expect(mock.organization().faults.list()).toEqual([])
})

test.each([
  [{ chaos: 2 }, 'chaos: takes the share'],
  [{ strictClient: '' }, 'strictClient'],
])('%j is refused, and changes nothing', async (body, problem) => {
  const { control } = of()
  const { status, body: answer } = await control.call('PUT /behaviour', { body })
  expect([status, answer.title]).toEqual([400, expect.stringContaining(problem)])
  const { organizations } = await control.done('GET /overview')
  expect(organizations[0]).toMatchObject({ strict_client: null, chaos: null })
})

test('chaos of the mock can be switched off for an organization, and on again', async () => {
  const mock = frozenMock({ chaos: 1, rateLimit: 'off' })
  const { call } = controlOf(mock, mock.credentials('ada').apiKey)
  const statuses = async (name: string) => {
    const headers = { authorization: `Bearer ${mock.credentials(name).apiKey}` }
    const answers = Array.from({ length: 6 }, () =>
      mock.fetch('http://mock.test/api/cli/whoami', { headers }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    return Promise.all(answers)
  }
  const { body } = await call('PUT /behaviour', { body: { chaos: 0 } })
  expect(body.chaos).toBeNull()
  expect(new Set(await statuses('ada'))).toEqual(new Set([200]))
  expect(await statuses('bob')).not.toEqual([200, 200, 200, 200, 200, 200])
  const snapshot = mock.snapshot()
  mock.restore(snapshot)
  expect(new Set(await statuses('ada'))).toEqual(new Set([200]))
  expect((await call('PUT /behaviour', { body: { chaos: 1 } })).body.chaos).toBe(1)
  expect(await statuses('ada')).not.toEqual([200, 200, 200, 200, 200, 200])
  mock.organization('ada').reset('faults')
  expect(mock.organization('ada').faults.list()).toMatchObject([{ id: 'chaos', org_id: null, rate: 1 }])
})
