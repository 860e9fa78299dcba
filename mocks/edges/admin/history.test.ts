/** States of an organization: shown as they were after each request, and forked from there. */
import { describe, expect, test } from 'vitest'
import { clientOf } from '../../testing/client.ts'
import { controlOf } from '../../testing/control.ts'
import { frozenMock } from '../../testing/mock.ts'
import { controlsFor, lastRuns, live } from './testing/lived.ts'

describe('the past', () => {
  test('after each request everything is shown as it was', async () => {
    const mock = frozenMock({ credits: 5 })
    const { done } = controlsFor(mock, 'ada')
    const seen = new Map<number, unknown>()
    await live(mock, 'ada', async () => {
      seen.set(mock.journal.entries().at(-1)?.number ?? 0, await done('GET /organization'))
    })
    expect(seen.size).toBe(16)
    for (const [number, then] of seen) {
      const shown = await done('GET /organization', { query: `?at=${number}` })
      expect(shown).toEqual({ ...(then as object), at: { ...shown.at, number } })
    }
  })

  test('runs of a task are listed, the newest first, with refund and wait', async () => {
    const mock = frozenMock({ credits: 5 })
    const { one, two } = await live(mock, 'ada')
    const { tasks } = await controlsFor(mock, 'ada').done('GET /organization')
    const runsOf = (id: string) => tasks.find((task: { id: string }) => task.id === id).runs
    expect(runsOf(one)).toMatchObject([{ outcome: 'completed', waited_ms: 60_000 }, { outcome: 'completed' }])
    expect(runsOf(two)).toMatchObject([{ outcome: 'failed', refunded: true, waited_ms: 2_000 }])
  })

  test('a state that is not kept is gone, and says why', async () => {
    const mock = frozenMock({ journal: 20 })
    await live(mock, 'ada')
    await clientOf(mock, 'bob').call('whoami')
    const { call } = controlsFor(mock, 'ada')
    const ofBob = mock.journal.entries().at(-1)?.number
    for (const at of [ofBob, 99]) {
      const { status, body } = await call('GET /organization', { query: `?at=${at}` })
      expect([status, body.title]).toEqual([410, expect.stringContaining('not of this organization')])
    }
    const { newTask } = clientOf(mock, 'ada')
    for (let i = 0; i < 100; i++) await newTask()
    expect((await call('GET /organization', { query: '?at=1' })).status).toBe(410)
    expect((await call('GET /organization', { query: '?at=x' })).status).toBe(400)
    mock.reset('state')
    const { number } = mock.journal.entries({ operation: 'createTask' }).at(-1) ?? {}
    expect((await call('GET /organization', { query: `?at=${number}` })).status).toBe(410)
  })

  test('without a journal nothing is kept', async () => {
    const mock = frozenMock({ journal: 0 })
    await clientOf(mock, 'ada').newTask()
    expect((await controlsFor(mock, 'ada').call('GET /organization', { query: '?at=1' })).status).toBe(410)
  })
})

describe('a fork', () => {
  test.each([4, 5, 6, 13, undefined])('from request %s goes on as the organization did', async (at) => {
    const mock = frozenMock({ credits: 5 })
    const { one, two } = await live(mock, 'ada')
    const before = await controlsFor(mock, 'ada').done('GET /organization', { query: at ? `?at=${at}` : '' })
    const forked = await controlsFor(mock, 'ada').done('POST /fork', { body: at ? { at } : {} })
    const copy = controlsFor(mock, 'ada-fork')
    const after = await copy.done('GET /organization')
    const ownFields = {
      at: before.at,
      keys: expect.any(Array),
      creatives: expect.any(Array),
      ledger: expect.any(Array),
    }
    expect({ ...after, at: before.at }).toEqual({ ...lastRuns(before), ...ownFields })
    expect(after.at.time).toBe(before.at.time)
    expect(forked).toMatchObject({ api_key: 'wak_test_ada-fork', credits: before.credits })
    expect(forked.org_id).not.toBe(mock.organization('ada').id)
    mock.organization('ada-fork').clock.advance('2h')
    const client = clientOf(mock, 'ada-fork')
    expect((await client.poll(one)).finished).toBe(true)
    expect((await client.poll(two)).finished).toBe(true)
    await client.call('runTask', { id: await client.newTask() })
  })

  test('leaves the organization alone, and a second one gets another name', async () => {
    const mock = frozenMock()
    await live(mock, 'ada')
    const before = await controlsFor(mock, 'ada').done('GET /organization')
    await controlsFor(mock, 'ada').done('POST /fork')
    const second = await controlsFor(mock, 'ada').done('POST /fork')
    expect(second.api_key).toBe('wak_test_ada-fork-2')
    const { newTask } = clientOf(mock, 'ada-fork')
    await newTask()
    expect(await controlsFor(mock, 'ada').done('GET /organization')).toEqual(before)
  })

  test('has the options and fault rules of the organization', async () => {
    const mock = frozenMock()
    const name = 'ada.credits=2.variant=second'
    mock.organization(name).faults.add('whoami=503;times=1')
    await controlOf(mock).done('POST /fork', { body: { org_id: mock.organization(name).id, name: 'bob' } })
    const { apiKey } = mock.credentials('bob')
    const get = (path: string) =>
      mock.fetch(`http://mock/api/cli/${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect((await get('whoami')).status).toBe(503)
    expect(await (await get('tasks')).json()).toMatchObject({ remaining: 2 })
  })

  test('a taken name and --keys-only are refused', async () => {
    const mock = frozenMock()
    const { call } = controlsFor(mock, 'ada')
    expect((await call('POST /fork', { body: { name: 'ada' } })).status).toBe(409)
    const only = frozenMock({ keysOnly: ['k1'] })
    expect((await controlOf(only, 'k1').call('POST /fork')).status).toBe(409)
  })
})

test('a run ends when an operator says so, as it is said', async () => {
  const mock = frozenMock({ credits: 5 })
  const { call, newTask, poll, credits } = clientOf(mock, 'ada')
  const [one, two] = [await newTask(), await newTask()]
  await call('runTask', { id: one })
  await call('runTask', { id: two })
  const ada = controlsFor(mock, 'ada')
  await ada.done(`POST /tasks/${two}/finish`, { body: { outcome: 'failed' } })
  expect(await poll(two)).toEqual({ status: 'queued', finished: false })
  await ada.done(`POST /tasks/${one}/finish`)
  expect(await poll(one)).toEqual({ status: 'completed', finished: true })
  expect(await poll(two)).toEqual({ status: 'failed', finished: true })
  expect(await credits()).toBe(4)
  expect((await ada.call(`POST /tasks/${one}/finish`)).status).toBe(409)
  expect((await ada.call('POST /tasks/nope/finish')).status).toBe(404)
})
