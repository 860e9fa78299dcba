/** Answers are read within bounds, and long ones are kept outside of the heap. */
import { expect, test } from 'vitest'
import { json, refusal } from '../testing/fake-target.ts'
import { readBody } from './answer.ts'
import { NotExercised, Unreachable, Violation } from './check-errors.ts'
import { clientOf } from './testing/client.ts'

test('a long body is read again with the same text and value', async () => {
  const value = { items: Array.from({ length: 5_000 }, (_, i) => ({ id: i, text: 'ü'.repeat(20) })) }
  const body = await readBody(json(200, value))
  expect(body.kept).toBeGreaterThan(0)
  expect([body.text, body.json]).toEqual([JSON.stringify(value), value])
  // Others in between, so that it is no longer remembered.
  for (let i = 0; i < 3; i++)
    expect((await readBody(new Response(' '.repeat(11 * 2 ** 20)))).text).toHaveLength(11 * 2 ** 20)
  expect([body.text, body.json]).toEqual([JSON.stringify(value), value])
  expect(body.json).toBe(body.json)
})

test('a short body is kept as it is, and an empty one is no JSON', async () => {
  expect(await readBody(json(200, { a: 1 }))).toEqual({ text: '{"a":1}', json: { a: 1 }, kept: 0 })
  expect(await readBody(new Response(null, { status: 204 }))).toEqual({ text: '', json: undefined, kept: 0 })
})

test('a body that is too large is a violation of whoever asked, and is recorded with its start', async () => {
  const { client, recorder, costs } = clientOf(() => new Response(`[${'1'.repeat(17 * 2 ** 20)}]`))
  const error = await client.call('runTask', { id: '1' }).catch((error) => error)
  expect(error).toBeInstanceOf(Violation)
  expect(error.actual).toBe(
    'the answer to POST /base/api/cli/tasks/1/run is larger than 16 MB; the rest was not read',
  )
  expect(recorder.exchanges).toMatchObject([{ excess: 'is larger than 16 MB; the rest was not read' }])
  expect(recorder.exchanges[0]?.text).toHaveLength(4_097)
  expect(costs).toEqual([1])
})

test('a service whose answers are too large together is not asked any more', async () => {
  const { client, recorder } = clientOf(() => json(200))
  recorder.keptBytes = 256 * 2 ** 20
  expect((await client.call('whoami')).status).toBe(200)
  recorder.keptBytes++
  await expect(client.call('whoami')).rejects.toThrow(Unreachable)
})

test('a wait that is longer than the limit is not waited for, said once, and not exercised, unless it is taken', async () => {
  const { client, target, said } = clientOf(() =>
    refusal(429, 'rate_limited', { 'retry-after': '999999999' }),
  )
  for (let i = 0; i < 2; i++) await expect(client.call('listTasks')).rejects.toThrow(NotExercised)
  expect((await client.call('listTasks', { takes: [429] })).status).toBe(429)
  expect([target.slept, target.sent.length]).toEqual([[], 3])
  expect(said).toEqual([
    'not waited for as long as the service asks after GET /base/api/cli/tasks (Retry-After: 999999999), which is longer than --retry-limit 120s',
  ])
})

test('waits for one answer count together', async () => {
  const { client, target } = clientOf(() => refusal(429, 'rate_limited', { 'retry-after': '3' }), {
    retryLimit: 10_000,
  })
  await expect(client.call('whoami')).rejects.toThrow('--retry-limit 10s')
  expect(target.slept).toEqual([3_000, 3_000, 3_000])
})
