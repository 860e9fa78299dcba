/** The ledger, top-ups, notifications and organizations: what an operator sees and adds. */
import { expect, test } from 'vitest'
import { clientOf } from '../../testing/client.ts'
import { controlOf } from '../../testing/control.ts'
import { frozenMock, noon } from '../../testing/mock.ts'

test('the ledger tells what became of each credit, when, and by which request', async () => {
  const mock = frozenMock({ credits: 5 })
  const { ask, newTask, state } = clientOf(mock, 'ada')
  const control = controlOf(mock, mock.credentials('ada').apiKey)
  const ids = [await newTask(), await newTask('[[mock:fail]]'), await newTask()]
  for (const id of ids) await ask('runTask', { id })
  await state('next_creative_fails')
  await ask('generateCreative', { body: { prompt: 'a' } })
  mock.clock.advance(4_000)
  await control.done('POST /credits', { body: { add: 2.5 } })
  const { ledgers } = await control.done('GET /ledger')
  const [ledger] = ledgers
  expect(ledgers).toEqual(mock.organization('ada').ledgers())
  expect(ledger).toMatchObject({ org_id: mock.organization('ada').id, balance: 5.5, reserved: 1 })
  const now = ledger.entries.filter(({ at }: { at: string }) => at >= new Date(noon).toISOString())
  const requests = mock.journal.entries({ operation: 'runTask,generateCreative' }).map(({ id }) => id)
  expect(now.map((one: object) => ({ ...one, id: '', at: '', subject: '' }))).toEqual(
    [
      { kind: 'reserve', amount: -1, balance: 4, request_id: requests[0] },
      { kind: 'reserve', amount: -1, balance: 3, request_id: requests[1] },
      { kind: 'reserve', amount: -1, balance: 2, request_id: requests[2] },
      { kind: 'reserve', amount: -1, balance: 1, request_id: requests[3] },
      { kind: 'refund', amount: 1, balance: 2, request_id: requests[3] },
      { kind: 'refund', amount: 1, balance: 3, request_id: null },
      { kind: 'top_up', amount: 2.5, balance: 5.5, request_id: null },
    ].map((one) => ({ id: '', at: '', subject: '', ...one })),
  )
  expect(now[5]).toMatchObject({ at: new Date(noon + 4_000).toISOString(), subject: now[1].subject })
})

test('what was added is what there is, what is held, and what was spent', async () => {
  const mock = frozenMock()
  const { ask, newTask } = clientOf(mock)
  for (let i = 0; i < 3; i++) await ask('runTask', { id: await newTask() })
  mock.clock.advance(2_000)
  for (const { balance, reserved, spent, added } of mock.ledgers())
    expect(balance + reserved + spent).toBe(added)
})

test('without a key all ledgers are told', async () => {
  const mock = frozenMock()
  for (const name of ['ada', 'bob']) await clientOf(mock, name).ask('whoami')
  const { ledgers } = await controlOf(mock).done('GET /ledger')
  expect(ledgers.map(({ org_id }: { org_id: string }) => org_id)).toEqual([
    mock.organization('ada').id,
    mock.organization('bob').id,
  ])
})

test('a top-up ends 402', async () => {
  const mock = frozenMock({ credits: 0 })
  const { ask, newTask, credits } = clientOf(mock)
  const id = await newTask()
  expect((await ask('runTask', { id })).status).toBe(402)
  const control = controlOf(mock, mock.credentials().apiKey)
  expect(await control.done('POST /credits', { body: { add: 3 } })).toMatchObject({ credits: 3 })
  expect((await ask('runTask', { id })).status).toBe(200)
  expect(await control.done('POST /credits', { body: { set: 0.5 } })).toMatchObject({ credits: 0.5 })
  expect(await control.done('POST /credits', { body: { add: -9 } })).toMatchObject({ credits: 0 })
  expect(await credits()).toBe(0)
  mock.organization().setCredits(4)
  mock.organization().addCredits(1)
  expect(await credits()).toBe(5)
})

test.each([
  {},
  { add: 1, set: 1 },
  { set: -1 },
  { add: '5' },
  { add: 1e300 },
  { credits: 5 },
])('credits: %j is refused', async (body) => {
  const mock = frozenMock({ credits: 7 })
  const control = controlOf(mock, mock.credentials().apiKey)
  expect((await control.ask('POST /credits', { body })).status).toBe(400)
  expect(await clientOf(mock).credits()).toBe(7)
})

test('what is about an organization asks for one', async () => {
  const control = controlOf(frozenMock())
  for (const what of ['POST /credits', 'POST /notifications']) {
    const { status, body } = await control.ask(what, { body: what.includes('credits') ? { add: 1 } : {} })
    expect([status, body.title]).toEqual([400, expect.stringContaining('Name an organization')])
  }
})

test('a notification is added, unread', async () => {
  const mock = frozenMock()
  const { ask } = clientOf(mock)
  const control = controlOf(mock, mock.credentials().apiKey)
  const before = (await ask('listNotifications')).body.unread
  const { notification } = await control.done('POST /notifications', {
    body: { title: 'Hello', body: 'you' },
  })
  const id = mock.organization().notify('Again', 'and again')
  const { items, unread } = (await ask('listNotifications')).body
  expect(unread).toBe(before + 2)
  expect(items.slice(0, 2)).toMatchObject([{ id, title: 'Again' }, notification])
  expect(notification).toMatchObject({ title: 'Hello', body: 'you', read: false })
})

test('an organization is made with what is said of it, and its key says so too', async () => {
  const mock = frozenMock()
  const control = controlOf(mock)
  const body = {
    name: 'ada',
    credits: 0,
    variant: 'second',
    fault: 'whoami=delay 0ms,503',
    runDuration: '9s',
  }
  const made = await control.done('POST /organizations', { body })
  expect(made).toMatchObject({
    api_key: 'wak_test_ada.credits=0.variant=second.run-duration=9s.fault=whoami=delay:0ms,503',
    credits: 0,
  })
  const headers = { authorization: `Bearer ${made.api_key}` }
  const ask = (path: string, init = {}) =>
    mock.fetch(new Request(`http://mock.test/api/cli/${path}`, { headers, ...init }))
  expect((await ask('whoami')).status).toBe(200)
  expect((await ask('whoami')).status).toBe(503)
  expect(await (await ask('tasks')).json()).toMatchObject({ remaining: 0 })
  const keys = await ask('keys', { headers: { cookie: made.session_cookie } })
  expect(keys.status).toBe(200)
  expect(await control.done('POST /organizations', { body })).toEqual(made)
  const { organizations } = await control.done('GET /organizations')
  expect(organizations).toEqual([made])
})

test('organizations are listed, to a key only its own', async () => {
  const mock = frozenMock()
  for (const name of ['ada', 'bob']) await clientOf(mock, name).ask('whoami')
  const names = async (control: ReturnType<typeof controlOf>) =>
    (await control.done('GET /organizations')).organizations.map(
      ({ api_key }: { api_key: string }) => api_key,
    )
  expect(await names(controlOf(mock))).toEqual(['wak_test_ada', 'wak_test_bob'])
  expect(await names(controlOf(mock, 'wak_test_bob'))).toEqual(['wak_test_bob'])
})

test.each([
  {},
  { name: '' },
  { name: 'with.dot' },
  { name: 'a b' },
  { name: 'ada', credits: -1 },
  { name: 'ada', variant: 'third' },
  { name: 'ada', fault: 'whoami=busy' },
  { name: 'ada', seed: 'x' },
])('an organization %j is refused', async (body) => {
  expect((await controlOf(frozenMock()).ask('POST /organizations', { body })).status).toBe(400)
})

test('where the keys are fixed nobody is made', async () => {
  const control = controlOf(frozenMock({ keysOnly: 'one,two' }))
  expect((await control.ask('POST /organizations', { body: { name: 'ada' } })).status).toBe(409)
  expect((await control.done('GET /organizations')).organizations).toHaveLength(2)
})

test('a key that is none is 401, whatever the call', async () => {
  const control = controlOf(frozenMock(), 'nonsense')
  for (const what of ['GET /clock', 'GET /ledger', 'POST /reset', 'GET /requests', 'PUT /state'])
    expect((await control.ask(what)).status).toBe(401)
})
