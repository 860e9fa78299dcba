/** Answers of a gateway, odd answers of a service, and connections that end early, as curl, undici and clients in process see them. */
import { expect, test } from 'vitest'
import { uncheckedClientOf } from '../testing/client.ts'
import { listenUntilTestEnd, runCurl } from '../testing/listening.ts'
import { createFrozenMock, createFrozenMockWithClient, noonMs } from '../testing/mock.ts'

const origin = 'http://mock.test'

/** Runs a task in process under a fault of that run: its answer, what it cost, and its row of the journal. */
async function run(fault: string) {
  const { mock, newTask, credits } = createFrozenMockWithClient({ fault: `runTask=${fault}` })
  const [before, id] = [await credits(), await newTask()]
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const response = await mock.fetch(`${origin}/api/cli/tasks/${id}/run`, { method: 'POST', headers })
  const [row] = mock.journal.entries({ limit: 1 })
  const type = response.headers.get('content-type')
  return { mock, response, text: await response.text(), type, row, paid: before - (await credits()) }
}

test.each([
  ['408', 408, 'text/html', '<html>', 0],
  ['502', 502, 'text/html', '<html>', 0],
  ['504', 504, 'text/html', '<html>', 0],
  ['gateway_error', 500, 'text/html', '<html>', 0],
  ['gateway_error json', 500, 'application/json; charset=utf-8', '{"statusCode":500', 0],
  ['empty_200', 200, null, '', 0],
  ['lost 408', 408, 'text/html', '<html>', 1],
  ['lost 502', 502, 'text/html', '<html>', 1],
  ['lost 504', 504, 'text/html', '<html>', 1],
  ['lost gateway_error', 500, 'text/html', '<html>', 1],
  ['lost gateway_error json', 500, 'application/json; charset=utf-8', '{"statusCode":500', 1],
  ['lost empty_200', 200, null, '', 1],
  ['wrong_type', 200, 'text/html; charset=utf-8', '{"taskId":', 1],
])('%s answers %i of type %s and %j, and the run costs %i', async (fault, status, type, begin, paid) => {
  const seen = await run(fault)
  expect([seen.response.status, seen.type, seen.paid]).toEqual([status, type, paid])
  expect(seen.text.slice(0, begin.length)).toBe(begin)
  expect(seen.text === '').toBe(begin === '')
  expect(seen.row).toMatchObject({ status, error: null, wire: null })
})

test('the 500 of a gateway in JSON has the fields of an error of the API', async () => {
  const { text } = await run('lost gateway_error json')
  expect(JSON.parse(text)).toMatchObject({ error: expect.any(String), message: expect.any(String) })
})

test.each([
  ['unavailable', null],
  ['unavailable seconds', '1'],
  ['unavailable 5s', '5'],
  ['unavailable date', new Date(noonMs + 1_000).toUTCString()],
  ['unavailable date 5s', new Date(noonMs + 5_000).toUTCString()],
  ['rate_limited 7s', '7'],
  ['rate_limited date 7s', new Date(noonMs + 7_000).toUTCString()],
  ['rate_limited date -5s', new Date(noonMs - 5_000).toUTCString()],
  ['rate_limited 0s', '0'],
  ['rate_limited none', null],
])('%s has Retry-After: %s', async (fault, wait) => {
  const { headers } = await uncheckedClientOf(createFrozenMock({ fault: `whoami=${fault}` })).call('whoami')
  expect(headers.get('retry-after')).toBe(wait)
})

test.each([
  ['127.0.0.1', 'localhost'],
  ['localhost', '127.0.0.1'],
])('redirect sends a client at %s to %s, where the same request is answered once', async (at, to) => {
  const { mock, newTask, credits } = createFrozenMockWithClient({ fault: 'runTask=redirect' })
  const { url } = await listenUntilTestEnd(mock)
  const { port } = new URL(url)
  const [before, id] = [await credits(), await newTask()]
  const auth = `Authorization: Bearer ${mock.credentials().apiKey}`
  const task = `http://${at}:${port}/api/cli/tasks/${id}/run`
  const { out } = await runCurl('-X', 'POST', '-H', auth, '-i', task)
  expect(out).toMatch(/^HTTP\/1\.1 307 /)
  expect(out).toContain(`\r\nlocation: http://${to}:${port}/api/cli/tasks/${id}/run?redirected=1\r\n`)
  expect(before - (await credits())).toBe(0)
  const followed = await runCurl('-X', 'POST', '-H', auth, '--location-trusted', task)
  expect(JSON.parse(followed.out)).toMatchObject({ taskId: id })
  expect(before - (await credits())).toBe(1)
})

test('408 closes the connection', async () => {
  const { mock } = createFrozenMockWithClient({ fault: 'whoami=408' })
  const { send } = await listenUntilTestEnd(mock)
  const { headers } = await send('GET', '/api/cli/whoami', { key: mock.credentials().apiKey })
  expect(headers.connection).toBe('close')
})
