/** Which answers a client had in hand is known from the connection that it used. */
import { Agent, fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../edges/http.ts'
import { frozenMock } from '../testing/mock.ts'
import { Connections, VirtualConnections } from './virtual-connections.ts'

test('a request follows the one of the same organization before it on its connection', () => {
  const connections = new Connections()
  const [one, other] = [{}, {}]
  const turns = [
    connections.previousRequest(one, 'ada', 'a1'),
    connections.previousRequest(one, 'bob', 'b1'),
    connections.previousRequest(one, 'ada', 'a2'),
    connections.previousRequest(other, 'ada', 'a3'),
    connections.previousRequest(undefined, 'ada', 'a4'),
    connections.previousRequest(one, 'ada', 'a5'),
  ]
  expect(turns).toEqual([null, null, 'a1', null, null, 'a2'])
})

test('in process, requests one after the other share a lane', async () => {
  const connections = new VirtualConnections()
  const first = await connections.use(async (connection) => connection)
  expect(await connections.use((connection) => connection)).toBe(first)
})

test('in process, requests at the same time have a lane each', async () => {
  const connections = new VirtualConnections()
  const used = await Promise.all([1, 2, 3].map(() => connections.use(async (connection) => connection)))
  expect(new Set(used).size).toBe(3)
})

test('a lane is free again after a failure', async () => {
  const connections = new VirtualConnections()
  const seen: object[] = []
  const fail = (connection: object) => {
    seen.push(connection)
    throw new Error('no answer')
  }
  for (let i = 0; i < 2; i++) await expect(connections.use(fail)).rejects.toThrow('no answer')
  expect(seen[0]).toBe(seen[1])
})

/** How a client that may use so many connections is judged after three requests where one is allowed. */
async function judged(connections: number, inTurn: boolean) {
  const mock = frozenMock({ rateLimit: '1/60s' })
  const { url, close } = await listen(mock, { host: '127.0.0.1', port: 0 })
  const dispatcher = new Agent({ connections, pipelining: 1 })
  onTestFinished(async () => {
    await dispatcher.close()
    await close()
  })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const ask = async () => (await fetch(`${url}/api/cli/whoami`, { dispatcher, headers })).text()
  if (inTurn) for (let i = 0; i < 3; i++) await ask()
  else await Promise.all([ask(), ask(), ask()])
  return mock.report().rules.find(({ id }) => id === 'waits-retry-after')?.outcome
}

test('over HTTP, a client that asks again at once after a 429 has not waited', async () => {
  expect(await judged(1, true)).toBe('failed')
})

test('over HTTP, requests on connections of their own may have been on their way already', async () => {
  expect(await judged(3, false)).toBe('not_exercised')
})
