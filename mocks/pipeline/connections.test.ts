/** Previous requests are tracked per connection. */
import { Agent, fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../edges/http.ts'
import { frozenMock } from '../testing/mock.ts'
import { ConnectionHistory, VirtualConnectionPool } from './connections.ts'

test('the previous request is that of the same organization on the same connection', () => {
  const connections = new ConnectionHistory()
  const [one, other] = [{}, {}]
  const previous = [
    connections.previousRequest(one, 'ada', 'a1'),
    connections.previousRequest(one, 'bob', 'b1'),
    connections.previousRequest(one, 'ada', 'a2'),
    connections.previousRequest(other, 'ada', 'a3'),
    connections.previousRequest(undefined, 'ada', 'a4'),
    connections.previousRequest(one, 'ada', 'a5'),
  ]
  expect(previous).toEqual([null, null, 'a1', null, null, 'a2'])
})

test('in process, sequential requests share a connection', async () => {
  const connections = new VirtualConnectionPool()
  const first = await connections.use(async (connection) => connection)
  expect(await connections.use((connection) => connection)).toBe(first)
})

test('in process, concurrent requests have one connection each', async () => {
  const connections = new VirtualConnectionPool()
  const used = await Promise.all([1, 2, 3].map(() => connections.use(async (connection) => connection)))
  expect(new Set(used).size).toBe(3)
})

test('a connection is free again after a failure', async () => {
  const connections = new VirtualConnectionPool()
  const seen: object[] = []
  const fail = (connection: object) => {
    seen.push(connection)
    throw new Error('no response')
  }
  for (let i = 0; i < 2; i++) await expect(connections.use(fail)).rejects.toThrow('no response')
  expect(seen[0]).toBe(seen[1])
})

/** Returns the outcome of waits-retry-after for three requests over a number of connections where one is allowed. */
async function outcomeOf(connections: number, inTurn: boolean) {
  const mock = frozenMock({ rateLimit: '1/60s' })
  const { url, close } = await listen(mock, { host: '127.0.0.1', port: 0 })
  const dispatcher = new Agent({ connections, pipelining: 1 })
  onTestFinished(async () => {
    await dispatcher.close()
    await close()
  })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const send = async () => (await fetch(`${url}/api/cli/whoami`, { dispatcher, headers })).text()
  if (inTurn) for (let i = 0; i < 3; i++) await send()
  else await Promise.all([send(), send(), send()])
  return mock.report().rules.find(({ id }) => id === 'waits-retry-after')?.outcome
}

test('over HTTP, a client that retries immediately after a 429 has not waited', async () => {
  expect(await outcomeOf(1, true)).toBe('failed')
})

test('over HTTP, requests on separate connections may have been sent before the 429', async () => {
  expect(await outcomeOf(3, false)).toBe('not_exercised')
})
