/** Control routes of ledgers, credits, notifications and organizations. */
import { expect, test } from 'vitest'
import { checkedClientOf } from '../../testing/client.ts'
import { createControlClient } from '../../testing/control.ts'
import { createFrozenMock, createFrozenMockWithClient, noonMs } from '../../testing/mock.ts'

test('the ledger lists each change with its time and request', async () => {
  const { mock, call, newTask, state, control } = createFrozenMockWithClient({ credits: 5 }, 'ada')
  const ids = [await newTask(), await newTask('[[mock:fail]]'), await newTask()]
  for (const id of ids) await call('runTask', { id })
  await state('next_creative_fails')
  await call('generateCreative', { body: { prompt: 'a' } })
  mock.clock.advance(4_000)
  await control.done('POST /credits', { body: { add: 2.5 } })
  const { ledgers } = await control.done('GET /ledger')
  const [ledger] = ledgers
  expect(ledgers).toEqual(mock.organization('ada').ledgers())
  expect(ledger).toMatchObject({ org_id: mock.organization('ada').id, balance: 5.5, reserved: 1 })
  const now = ledger.entries.filter(({ at }: { at: string }) => at >= new Date(noonMs).toISOString())
  const requests = mock.journal.entries({ operation: 'runTask,generateCreative' }).map(({ id }) => id)
  expect(now).toMatchObject([
    { kind: 'reserve', amount: -1, balance: 4, request_id: requests[0] },
    { kind: 'reserve', amount: -1, balance: 3, request_id: requests[1] },
    { kind: 'reserve', amount: -1, balance: 2, request_id: requests[2] },
    { kind: 'reserve', amount: -1, balance: 1, request_id: requests[3] },
    { kind: 'refund', amount: 1, balance: 2, request_id: requests[3] },
    { kind: 'refund', amount: 1, balance: 3, request_id: null },
    { kind: 'top_up', amount: 2.5, balance: 5.5, request_id: null },
  ])
  expect(now[5]).toMatchObject({ at: new Date(noonMs + 4_000).toISOString(), subject: now[1].subject })
})

test('a run that failed has spent nothing, and what is set to zero is one entry', async () => {
  const { mock, call, newTask, control } = createFrozenMockWithClient({ credits: 5, past: 'none' })
  for (const text of ['[[mock:fail]]', 'works']) await call('runTask', { id: await newTask(text) })
  mock.clock.advance(8_000)
  const sums = { spent: 1, refunded: 1, reserved: 0, added: 5 }
  expect(mock.ledgers()).toMatchObject([{ balance: 4, ...sums }])
  expect(await control.done('GET /organization')).toMatchObject({ credits: 4, ...sums })
  await control.done('POST /credits', { body: { set: 0 } })
  await control.done('POST /credits', { body: { set: 0 } })
  const { ledger } = await control.done('GET /organization')
  expect(ledger.slice(0, 2)).toMatchObject([{ kind: 'set', amount: -4, balance: 0 }, { kind: 'refund' }])
})

test('credits are added, set and removed to tenths, and never fall below zero', async () => {
  const { mock, credits, control } = createFrozenMockWithClient({ credits: 0 })
  for (const [change, balance] of [
    [{ add: 3 }, 3],
    [{ set: 0.5 }, 0.5],
    [{ set: 0.7 }, 0.7],
    [{ add: 0.1 }, 0.8],
    [{ add: -9 }, 0],
  ] as const)
    expect(await control.done('POST /credits', { body: change })).toMatchObject({ credits: balance })
  expect(await credits()).toBe(0)
  mock.organization().setCredits(4)
  mock.organization().addCredits(-1)
  expect(await credits()).toBe(3)
})

test('a balance below the price is 402, without an entry', async () => {
  const { mock, call, newTask } = createFrozenMockWithClient({ credits: 0.8 })
  const entries = () => mock.organization().ledgers()[0]?.entries.length
  const before = entries()
  expect([(await call('runTask', { id: await newTask() })).status, entries()]).toEqual([402, before])
})

test('routes of an organization require one', async () => {
  const control = createControlClient(createFrozenMock())
  for (const what of ['POST /credits', 'POST /notifications']) {
    const { status, body } = await control.call(what, { body: what.includes('credits') ? { add: 1 } : {} })
    expect([status, body.title]).toEqual([400, expect.stringContaining('The call needs an organization')])
  }
})

test('an organization that was created with options has them after a reset and a restore, and no others', async () => {
  const mock = createFrozenMock()
  const control = createControlClient(mock)
  const grace = { name: 'grace', credits: 3, runOutcome: 'failed', strictClient: 'ids-numbers' }
  const { org_id } = await control.done('POST /organizations', { body: grace })
  expect(Number(org_id)).toBeGreaterThan(0)
  const snapshot = JSON.parse(JSON.stringify(mock.snapshot()))
  const facts = async (one: typeof mock) => {
    const { call, newTask } = checkedClientOf(one, 'grace')
    await call('runTask', { id: await newTask() })
    one.clock.advance('1m')
    const { id } = (await call('whoami')).body.org
    return [id, (await call('whoami')).body.credits]
  }
  expect(await facts(mock)).toEqual([Number(org_id), 3])
  mock.reset()
  expect(await facts(mock)).toEqual([Number(org_id), 3])
  const other = createFrozenMock()
  other.restore(snapshot)
  expect(await facts(other)).toEqual([Number(org_id), 3])
  other.organization('grace').reset()
  expect(await facts(other)).toEqual([Number(org_id), 3])

  const again = await control.call('POST /organizations', { body: { ...grace, credits: 4 } })
  expect([again.status, again.body.title]).toEqual([409, expect.stringContaining('"grace" exists already')])
  expect((await control.done('POST /organizations', { body: { name: 'grace' } })).org_id).toBe(org_id)
  const behaviour = await control.call('PUT /behaviour', { body: { org_id, strictClient: false } })
  expect(behaviour.status).toBe(409)
})

test('with fixed keys, no organization can be created', async () => {
  const control = createControlClient(createFrozenMock({ keysOnly: 'one,two' }))
  expect((await control.call('POST /organizations', { body: { name: 'ada' } })).status).toBe(409)
  expect((await control.done('GET /organizations')).organizations).toHaveLength(2)
})

test('an invalid key returns 401 on every call', async () => {
  const control = createControlClient(createFrozenMock(), 'nonsense')
  for (const what of ['GET /clock', 'GET /ledger', 'POST /reset', 'GET /requests', 'PUT /state'])
    expect((await control.call(what)).status).toBe(401)
})
