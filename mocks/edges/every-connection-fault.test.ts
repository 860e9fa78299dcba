/** Every connection fault happens over every transport, whatever options a mock has. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as msw from 'msw'
import { setupServer } from 'msw/node'
import * as msw2 from 'msw-2'
import { setupServer as setupServer2 } from 'msw-2/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { persistState } from '#cli/mock/state-file.ts'
import { createTestFolder } from '#cli/testing/folder.ts'
import { createMock, type Mock } from '../app.ts'
import type { FaultRuleText } from '../faults/grammar.ts'
import type { MockOptions } from '../scenarios/index.ts'
import { createFetch, createMswHandlers, type MswHttp } from './fetch.ts'
import { listen } from './http.ts'
import type { RequestHandler } from './request.ts'

/** Connection as a client sees it: how much of the headers and the body, its end, and the answer to the next request. */
interface Wire {
  readonly headers: 'none' | 'part' | 'whole'
  readonly body: 'none' | 'part' | 'whole'
  readonly end: 'open' | 'closed' | 'reset'
}

const nothing = { headers: 'none', body: 'none' } as const
const part = { headers: 'whole', body: 'part', end: 'closed' } as const
const whole = { headers: 'whole', body: 'whole' } as const

/** By fault: the wire, what the next request on it gets, whether the task was created, and what clients in process get. */
const faults: Readonly<
  Record<string, { wire: Wire; next?: 'answered' | 'reset'; created: boolean; inProcess: InProcess }>
> = {
  reset: { wire: { ...nothing, end: 'reset' }, created: false, inProcess: 'rejected' },
  'lost reset': { wire: { ...nothing, end: 'reset' }, created: true, inProcess: 'rejected' },
  empty: { wire: { ...nothing, end: 'closed' }, created: false, inProcess: 'rejected' },
  'lost empty': { wire: { ...nothing, end: 'closed' }, created: true, inProcess: 'rejected' },
  cut_header: {
    wire: { headers: 'part', body: 'none', end: 'closed' },
    created: true,
    inProcess: 'rejected',
  },
  truncate: { wire: part, created: true, inProcess: 'broken off' },
  'truncate chunked': { wire: part, created: true, inProcess: 'broken off' },
  'dribble 1ms': { wire: { ...whole, end: 'open' }, next: 'answered', created: true, inProcess: 'answered' },
  hang: { wire: { ...nothing, end: 'open' }, created: false, inProcess: 'waiting' },
  'lost hang': { wire: { ...nothing, end: 'open' }, created: true, inProcess: 'waiting' },
  stale: { wire: { ...whole, end: 'open' }, next: 'reset', created: true, inProcess: 'answered' },
  idle: { wire: { ...whole, end: 'closed' }, created: true, inProcess: 'answered' },
}

type InProcess = 'answered' | 'broken off' | 'rejected' | 'waiting'

const options: Readonly<Record<string, MockOptions>> = {
  plain: {},
  cors: { cors: true },
  slots: { slots: '0-1023/1024' },
  'strict client': { strictClient: 7 },
  'second variant': { variant: 'second' },
  'no reason header': { reasonHeader: false },
  'state file': {},
}

/** A mock with a fault, and what takes its requests. */
function prepared(
  name: string,
  fault: string,
): { mock: Mock; handle: RequestHandler; seen: Promise<unknown> } {
  const mock = createMock({ ...options[name], fault: `createTask=${fault};times=1` as FaultRuleText })
  const seen = new Promise((resolve) =>
    mock.observe(({ operation }) => operation === 'createTask' && resolve(0)),
  )
  if (name !== 'state file') return { mock, handle: mock.handle, seen }
  const { handle } = persistState(mock, createTestFolder().file('state.json'))
  return { mock, handle, seen }
}

const text = 'Say hello'
const body = JSON.stringify({ text })
const key = 'Bearer wak_test_ada'
const sentHeaders = { authorization: key, 'content-type': 'application/json', origin: 'http://page.test' }

async function wasCreated(mock: Mock): Promise<boolean> {
  const answer = await mock.fetch('http://mock.test/api/cli/tasks', { headers: { authorization: key } })
  return (await answer.text()).includes(text)
}

const lines = (start: string) => [
  `${start} HTTP/1.1`,
  'Host: mock.test',
  ...Object.entries(sentHeaders).map((header) => header.join(': ')),
]
const post = [...lines('POST /api/cli/tasks'), `Content-Length: ${body.length}`, '', body].join('\r\n')
const get = [...lines('GET /api/cli/whoami'), '', ''].join('\r\n')

function wireOf(received: string, end: Wire['end']): Wire {
  const at = received.indexOf('\r\n\r\n')
  if (at < 0) return { headers: received === '' ? 'none' : 'part', body: 'none', end }
  const [head, sent] = [received.slice(0, at), received.slice(at + 4)]
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.POSITIVE_INFINITY)
  return { headers: 'whole', body: sent === '' ? 'none' : sent.length < length ? 'part' : 'whole', end }
}

/** Sends a request over a connection, and then another one; returns what came. */
async function overHttp(handle: RequestHandler, seen: Promise<unknown>, expected: Wire) {
  await using listener = await listen({ handle })
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
  let received = ''
  let end: Wire['end'] = 'open'
  socket.on('data', (chunk) => (received += chunk))
  socket.on('error', () => (end = 'reset'))
  const ended = new Promise<void>((resolve) =>
    socket.once('close', () => {
      if (end === 'open') end = 'closed'
      resolve()
    }),
  )
  const isWhole = () => wireOf(received, end).body === 'whole'
  const come = async () => {
    while (!isWhole()) await new Promise((resolve) => socket.once('data', resolve))
  }
  await once(socket, 'connect')
  socket.write(post)
  await seen
  if (expected.end !== 'open') await ended
  else if (expected.body === 'whole') await come()
  const wire = wireOf(received, end)
  if (wire.end !== 'open' || wire.body !== 'whole') return { wire, next: undefined }
  received = ''
  socket.write(get)
  await Promise.race([ended, come()])
  return { wire, next: isWhole() ? 'answered' : end }
}

test.each(['stale', 'idle'])('the journal has what came on a connection that %s closed', async (fault) => {
  const { mock, handle, seen } = prepared('plain', fault)
  const cut = new Promise((resolve) => mock.observe(({ operation }) => operation === 'whoami' && resolve(0)))
  await using listener = await listen({ handle })
  const socket = connect({ port: Number(new URL(listener.url).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined).resume()
  socket.write(post)
  await seen
  if (fault === 'idle') await once(socket, 'end')
  socket.write(get)
  await cut
  socket.destroy()
  const [answered, reset] = mock.journal.entries()
  expect([answered?.operation, answered?.status, answered?.wire]).toEqual(['createTask', 200, fault])
  expect([reset?.operation, reset?.status, reset?.wire]).toEqual(['whoami', 0, 'reset'])
  expect(reset?.reason).toContain(`fault=${fault}`)
})

/** Sends a request by a `fetch`, and gives up one that is to wait once the mock has seen it; returns what came. */
async function byFetch(
  fetched: typeof fetch,
  base: string,
  seen: Promise<unknown>,
  expected: InProcess,
): Promise<InProcess> {
  const given = new AbortController()
  const init = { method: 'POST', headers: sentHeaders, body, signal: given.signal }
  const answer = fetched(`${base}/api/cli/tasks`, init).then(
    (response) =>
      response.text().then(
        (): InProcess => (response.status < 300 ? 'answered' : 'rejected'),
        (): InProcess => 'broken off',
      ),
    (error) => (error.name === 'AbortError' ? 'waiting' : 'rejected'),
  )
  await seen
  const turns = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  if (expected === 'waiting') {
    await Promise.race([answer, turns()])
    given.abort()
  }
  return answer
}

const cases = Object.keys(options).flatMap((name) =>
  Object.keys(faults).map((fault) => [fault, name] as const),
)
const expectedOf = (fault: string) => faults[fault] as (typeof faults)[string]

describe('over HTTP', () => {
  test.each(cases)('%s, %s', async (fault, name) => {
    const { mock, handle, seen } = prepared(name, fault)
    const { wire, next, created } = expectedOf(fault)
    expect(await overHttp(handle, seen, wire)).toEqual({ wire, next })
    expect(await wasCreated(mock)).toBe(created)
  })
})

describe('by mock.fetch', () => {
  test.each(cases)('%s, %s', async (fault, name) => {
    const { mock, handle, seen } = prepared(name, fault)
    const { inProcess, created } = expectedOf(fault)
    const fetched = createFetch(handle) as typeof fetch
    expect(await byFetch(fetched, 'http://mock.test', seen, inProcess)).toBe(inProcess)
    expect(await wasCreated(mock)).toBe(created)
  })
})

test('a request that hangs is given up by its signal although its objects could be collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const { mock } = prepared('plain', 'hang')
  const given = new AbortController()
  const init = { method: 'POST', headers: sentHeaders, body, signal: given.signal }
  const answer = mock.fetch('http://mock.test/api/cli/tasks', init)
  answer.catch(() => undefined)
  for (let turn = 0; turn < 10; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  given.abort()
  await expect(answer).rejects.toThrow(/aborted/)
})

test('a request that is given up while it is handled does not wait for an answer that hangs', async () => {
  const client = new AbortController()
  const fetched = createFetch(() => {
    client.abort()
    return {
      status: 200,
      headers: {},
      text: '',
      fault: { wire: 'hang', ms: 0, lost: false, reason: 'fault=hang' },
    }
  })
  await expect(fetched('http://mock.test/', { signal: client.signal })).rejects.toThrow(/aborted/)
})

const versions = [
  ['msw 3', msw.http, setupServer],
  ['msw 2', msw2.http, setupServer2],
] as unknown as [string, MswHttp<object>, typeof setupServer][]

describe.each(versions)('through %s', (_, http, setup) => {
  const server = setup()
  beforeAll(() => server.listen())
  afterAll(() => server.close())

  test.each(cases)('%s, %s', async (fault, name) => {
    const { mock, handle, seen } = prepared(name, fault)
    const { inProcess: direct, created } = expectedOf(fault)
    // msw has the body before it answers.
    const inProcess = direct === 'broken off' ? 'rejected' : direct
    server.resetHandlers(
      ...(createMswHandlers(http, { fetch: createFetch(handle) }, 'http://api.example') as never[]),
    )
    expect(await byFetch(fetch, 'http://api.example', seen, inProcess)).toBe(inProcess)
    expect(await wasCreated(mock)).toBe(created)
  })
})
