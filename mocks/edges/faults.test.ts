/** Faults of the connection, as undici, curl and clients in process observe them. */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { curl, listening } from '../testing/listening.ts'
import { frozenMock, tenantOf } from '../testing/mock.ts'

/** Runs a task under a fault over one connection. */
async function run(fault: string) {
  const mock = frozenMock({ fault: `runTask=${fault}` })
  const { send } = await listening(mock)
  const { newTask, credits, poll } = clientOf(mock)
  const before = await credits()
  const id = await newTask()
  const key = mock.credentials().apiKey
  const started = performance.now()
  const response = await send('POST', `/api/cli/tasks/${id}/run`, { key })
  const took = performance.now() - started
  const [entry] = mock.journal.entries({ operation: 'runTask' })
  return { mock, response, send, key, id, poll, entry, took, paid: before - (await credits()) }
}

const gone = expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/)

test.each(['lost', 'lost empty', 'lost reset'])('%s: the effect, but no response', async (fault) => {
  const { response, paid, poll, id, mock, entry } = await run(fault)
  expect([response.error, paid]).toEqual([gone, 1])
  expect((await poll(id)).status).toBe('in_progress')
  expect(entry).toMatchObject({ status: 0, answer: { body: expect.stringContaining('in_progress') } })
  const entries = mock.ledgers().find(({ org_id }) => org_id === entry?.org_id)?.entries
  expect(entries?.at(-1)).toMatchObject({ kind: 'reserve', amount: -1, request_id: entry?.id })
})

test('dribble: the effect, and a slow response', async () => {
  const { response, paid, took } = await run('dribble 60ms')
  expect([response.status, JSON.parse(response.text).status, paid]).toEqual([200, 'in_progress', 1])
  expect(took).toBeGreaterThan(50)
})

test('stale: a response, then the next request on the connection is reset, but no control call', async () => {
  const { response, paid, send, key } = await run('stale')
  expect([response.status, paid]).toEqual([200, 1])
  expect((await send('GET', '/__admin/health')).status).toBe(200)
  const next = () => send('GET', '/api/cli/whoami', { key })
  expect((await next()).error).toEqual(gone)
  expect((await next()).status).toBe(200)
})

test.each([
  ['reset', 56, '', 0],
  ['lost', 56, '', 1],
  ['empty', 52, '', 0],
  ['truncate', 18, '{"taskId":"', 1],
  ['lost truncate', 18, '{"taskId":"', 1],
  ['hang', 28, '', 0],
  ['malformed', 0, '{"taskId":"', 1],
  ['dribble 20ms', 0, '{"taskId":"', 1],
  ['503', 0, '{"error":"unavailable"', 0],
])('curl reports %s with exit code %i and %j, and it costs %i', async (fault, exit, begin, paid) => {
  const { mock, newTask, credits } = tenantOf({ fault: `runTask=${fault}` })
  const [before, id] = [await credits(), await newTask()]
  const { url } = await listening(mock)
  const auth = `Authorization: Bearer ${mock.credentials().apiKey}`
  const limit = fault === 'hang' ? '0.05' : '5'
  const { code, out } = await curl('-X', 'POST', '-m', limit, '-H', auth, `${url}/api/cli/tasks/${id}/run`)
  expect([code, out.slice(0, begin.length), before - (await credits())]).toEqual([exit, begin, paid])
  if (/malformed|truncate/.test(fault)) expect(() => JSON.parse(out)).toThrow()
})
