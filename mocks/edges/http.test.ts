/** The listener with invalid HTTP: it responds or disconnects, and continues to serve. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createMock } from '../app.ts'
import { checkedClientOf } from '../testing/client.ts'
import { type Listener, listen } from './http.ts'

const mock = createMock({ rateLimit: 'off' })
const client = checkedClientOf(mock)
let listener: Listener
let before: unknown

beforeAll(async () => {
  listener = await listen(mock, {}, { headers: 30_000, request: 60_000, idle: 660_000, closing: 100 })
  before = (await client.call('listTasks')).body
})
afterAll(() => listener.close())

afterEach(async () => {
  const response = await fetch(`${listener.url}/api/cli/whoami`, { headers: { authorization } })
  expect(response.status).toBe(200)
  expect(mock.bugs).toEqual([])
})

const authorization = `Bearer ${mock.credentials().apiKey}`
const head = (start: string, ...headers: string[]) =>
  [`${start} HTTP/1.1`, 'Host: mock.test', `Authorization: ${authorization}`, ...headers, '', ''].join('\r\n')
const post = (...headers: string[]) => head('POST /api/cli/tasks', 'Connection: close', ...headers)

test('it leaves the Response of the program in its place, on which msw relies', () => {
  expect(Response.error()).toBeInstanceOf(Response)
})

const portOf = ({ url }: Pick<Listener, 'url'>) => Number(new URL(url).port)

test.each([
  ['at once', 'not_exercised'],
  ['one after the other', 'warned'],
])('requests with a refused key that are sent on one connection %s: to stop at 401 is %s', async (how, outcome) => {
  const refusing = createMock({ keysOnly: ['only-key'] })
  await using other = await listen(refusing)
  const socket = connect(portOf(other), '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  const [one, answers] = [head('GET /api/cli/whoami'), () => received.split('HTTP/1.1 401').length - 1]
  const writes = how === 'at once' ? [one + one + one] : [one, one, one]
  for (const [i, text] of writes.entries()) {
    socket.write(text)
    await expect.poll(answers).toBe(how === 'at once' ? 3 : i + 1)
  }
  socket.destroy()
  expect(refusing.report().rules.find(({ id }) => id === 'stops-at-401')?.outcome).toBe(outcome)
})

/** Sends parts over a new connection and returns everything received until it is closed. */
async function exchange(...parts: (string | Uint8Array)[]): Promise<string> {
  const socket = connect(portOf(listener), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined)
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a path of raw bytes', Buffer.from(head('GET /api/cli/tasks/é'))],
  ['a path with a backslash', head('GET /api\\cli/tasks', 'Connection: close')],
  ['a path that is an asterisk', head('OPTIONS *', 'Connection: close')],
  ['no host', 'GET /api/cli/whoami HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['a host that is none', 'GET /api/cli/whoami HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
  [
    'a host with an empty label',
    'GET /__admin/clock HTTP/1.1\r\nHost: 127.0.0..1\r\nConnection: close\r\n\r\n',
  ],
  ['a host of five numbers', 'GET /api/cli/whoami HTTP/1.1\r\nHost: 1.2.3.4.5\r\nConnection: close\r\n\r\n'],
  ['two hosts', head('GET /api/cli/whoami', 'host: mock.test', 'Connection: close')],
  ['two keys', head('GET /api/cli/whoami', 'authorization: Bearer wak_test_b', 'Connection: close')],
  ['headers of 100 kB', head('GET /api/cli/whoami', `X-Long: ${'a'.repeat(100_000)}`)],
  ['two lengths', `${post('Content-Length: 12', 'Content-Length: 13')}{"text":"a"}`],
  ['a length and chunks', `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
  ['another expectation, and a list', `${post('Expect: miracles', 'Content-Length: 2')}[]`],
  ['a length of more than 1 MiB', post('Content-Length: 2097152')],
  ['bytes that are not UTF-8', Buffer.from(`${post('Content-Length: 12')}{"text":"\xff"}`, 'latin1')],
  ['chunks that end in nonsense', `${post('Transfer-Encoding: chunked')}5\r\n{"tex\r\nzz\r\n`],
])('%s is rejected with an error of the contract', async (_, bytes) => {
  const organizations = mock.ledgers().length
  const answer = await exchange(bytes)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toEqual({
    error: 'invalid_request',
    message: expect.any(String),
  })
  expect(mock.ledgers()).toHaveLength(organizations)
})

test('chunks of more than 1 MiB are rejected, and the next request on the connection succeeds', async () => {
  const block = Buffer.alloc(2 * 1_048_576, 'a')
  const answer = await exchange(
    head('POST /api/cli/tasks', 'Transfer-Encoding: chunked'),
    `${block.length.toString(16)}\r\n`,
    block,
    `\r\n0\r\n\r\n${head('GET /api/cli/whoami', 'Connection: close')}`,
  )
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200'])
})

test('tiny chunks are joined', async () => {
  const body = [...'{"text":"drop by drop"}'].map((letter) => `1\r\n${letter}\r\n`).join('')
  const answer = await exchange(`${post('Transfer-Encoding: chunked')}${body}0\r\n\r\n`)
  expect(statusOf(answer)).toBe(200)
  expect(answer).toContain('"text":"drop by drop"')
  before = (await client.call('listTasks')).body
})

test('a request with 100-continue gets 100, then its response', async () => {
  const answer = await exchange(`${post('Expect: 100-continue', 'Content-Length: 2')}[]`)
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
})

test.each([
  ['of a known length', post('Content-Length: 1000')],
  ['in chunks', `${post('Transfer-Encoding: chunked')}5\r\n`],
])('a client that disconnects in the middle of a body %s changes nothing', async (_, request) => {
  const seen = new Promise<number>((resolve) => {
    const stop = mock.observe(({ status }) => {
      stop()
      resolve(status)
    })
  })
  const socket = connect(portOf(listener), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${request}{"tex`, () => socket.destroy())
  expect(await seen).toBe(400)
  expect((await client.call('listTasks')).body).toEqual(before)
})

test('absolute request targets and HTTP/1.0, which needs no Host, are supported', async () => {
  expect(statusOf(await exchange(head('GET http://mock.test/api/cli/whoami', 'Connection: close')))).toBe(200)
  const old = `GET /api/cli/whoami HTTP/1.0\r\nAuthorization: ${authorization}\r\n\r\n`
  expect(statusOf(await exchange(old))).toBe(200)
})

test.each([
  '/',
  '/__admin/faults',
  '/x',
])('a method that Fetch does not know is refused at %s', async (path) => {
  expect(statusOf(await exchange(head(`TRACE ${path}`, 'Connection: close')))).toBeGreaterThanOrEqual(400)
  expect(statusOf(await exchange(head(`TRACE ${path}`, 'Connection: close')))).toBeLessThan(500)
})

test('a response has one Date header, with mock time; a listener is closed at the end of its block', async () => {
  const other = createMock()
  other.clock.freeze(0)
  let url = ''
  {
    await using one = await listen(other)
    url = one.url
    const response = await fetch(`${url}/api/cli/whoami`)
    expect(response.headers.get('date')).toBe('Thu, 01 Jan 1970 00:00:00 GMT')
  }
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('close ends idle and active connections', async () => {
  const { url, close } = await listen(mock, { host: '127.0.0.1', port: 0 })
  const socket = connect(portOf({ url }), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(head('POST /api/cli/tasks', 'Content-Length: 10'))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  await Promise.all([closed, close()])
  await expect(fetch(url)).rejects.toThrow()
})

/** A run whose client wants the connection to be closed, before a body in chunks. */
const closingRun = head('POST /api/cli/tasks/none/run', 'Connection: close', 'Transfer-Encoding: chunked')

/** Opens a connection that never ends by itself; resolves to what it received once the listener dropped it. */
async function dropped(port: number, ...parts: string[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let received = ''
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      received += chunk
    })
  const closed = once(socket, 'close').catch(() => undefined)
  for (const part of parts) socket.write(part)
  await once(socket, 'end')
  // Only a connection that is gone resets what is still sent on it.
  const knock = setInterval(() => socket.write('\r\n'), 20)
  await closed
  clearInterval(knock)
  return received
}

test.each([
  ['sends nothing'],
  ['sends half of its headers', 'GET /api/cli/whoami HTTP/1.1\r\nHost:'],
  ['sends half of a body', head('POST /api/cli/tasks', 'Content-Length: 10'), '{"tex'],
  ['sends no HTTP', 'hello\r\n\r\n'],
  ['waits for an answer that never comes', head('GET /api/cli/whoami', 'Prefer: fault=hang')],
  ['never ends a body that nobody needs', `${closingRun}5\r\nabc`],
])('a client that %s and never hangs up loses its connection', async (_, ...parts) => {
  const limits = { headers: 100, request: 200, idle: 400, closing: 50 }
  await using short = await listen(mock, {}, limits)
  expect(await dropped(portOf(short), ...parts)).toMatch(/^$|^HTTP\/1\.1 40[04] /)
})

test('a client that still sends a body that nobody needs gets its answer before the connection closes', async () => {
  const socket = connect(portOf(listener), '127.0.0.1')
  const errors: unknown[] = []
  socket.on('error', (error) => errors.push(error))
  socket.write(`${closingRun}3\r\nabc\r\n`)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 404 [\s\S]+\r\nConnection: close\r\n[\s\S]+\}$/)
  for (let i = 0; i < 100; i++) await new Promise((resolve) => socket.write('3\r\nabc\r\n', resolve))
  socket.write('0\r\n\r\n')
  await once(socket.resume(), 'close')
  expect(errors).toEqual([])
})

const hanging = head('GET /api/cli/whoami', 'Prefer: fault=hang')

test('requests that are sent without waiting take effect in their order', async () => {
  const body = '{"text":"in order"}'
  const answer = await exchange(
    head('POST /api/cli/tasks', `Content-Length: ${body.length}`) + body,
    head('GET /api/cli/tasks', 'Connection: close'),
  )
  expect(answer.match(/"text":"in order"/g)).toHaveLength(2)
})

test.each([
  ['at once', [[]]],
  ['late', [['Prefer: fault="delay 30ms"']]],
  ['late, twice', [['Prefer: fault="delay 30ms", fault="delay 20ms"']]],
  ['late, each of several', [['Prefer: fault="delay 30ms"'], ['Prefer: fault="delay 20ms"'], []]],
  ['slowly', [['Prefer: fault="dribble 30ms"']]],
  ['late and slowly', [['Prefer: fault="delay 20ms", fault="dribble 30ms"']]],
])('a client that ends its side after its requests gets answers that come %s', async (_, requests) => {
  const socket = connect({ port: portOf(listener), host: '127.0.0.1', allowHalfOpen: true })
  let answers = ''
  socket.on('data', (chunk) => {
    answers += chunk
  })
  socket.end(requests.map((headers) => head('GET /api/cli/whoami', ...headers)).join(''))
  await once(socket, 'end')
  const [nothing, ...all] = answers.split('HTTP/1.1 200 OK\r\n')
  const bodies = all.map((answer) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))))
  const body = { org: expect.anything(), credits: expect.any(Number) }
  expect([nothing, bodies]).toEqual(['', requests.map(() => expect.objectContaining(body))])
})

test.each([
  ['ends its side and waits', true, { status: 200, wire: null }],
  ['closes the connection', false, { status: 0, wire: 'abandoned' }],
])('the journal tells a client that %s before a late answer', async (_, waits, told) => {
  await using one = await listen({
    handle(sent) {
      const hold = sent.hold.bind(sent)
      // A busy kernel may take a moment to reset the connection.
      sent.hold = () => hold(once(sent.connection as Socket, 'end').then(() => pause(100)))
      return mock.handle(sent)
    },
  })
  const seen = new Promise((resolve) => {
    const stop = mock.observe((summary) => {
      stop()
      resolve(summary)
    })
  })
  const socket = connect({ port: portOf(one), host: '127.0.0.1', allowHalfOpen: waits })
  const request = head('GET /api/cli/whoami', 'Prefer: fault="delay 1ms"')
  socket.write(request, () => (waits ? socket.end() : socket.destroy()))
  expect(await seen).toMatchObject(told)
})

const stream = 'GET /__admin/events HTTP/1.1\r\nHost: localhost\r\n'
const long = 'x'.repeat(300_000)
const longState = head('PUT /__admin/state', `Content-Length: ${long.length}`) + long

test.each([
  ['an absolute URL with an empty host', 'GET http://mock.test/api/cli/whoami HTTP/1.1\r\nHost: \r\n\r\n'],
  ['two requests', head('GET /api/cli/whoami').repeat(2)],
  ['a request that hangs, and another', hanging + head('GET /api/cli/whoami')],
  ['half of a body', `${head('POST /api/cli/tasks', 'Content-Length: 10')}{"tex`],
  ['a stream, and many requests', `${stream}\r\n${head('GET /api/cli/tasks').repeat(200)}`],
  ['a stream, and a long body', `${stream}\r\n${longState}`],
  ['a stream that was asked for with a long body', `${stream}Content-Length: ${long.length}\r\n\r\n${long}`],
  [
    'a request with a long body that hangs',
    head('POST /api/cli/tasks', 'Prefer: fault=hang', 'Content-Length: 1200000') + long.repeat(4),
  ],
  ['a request that hangs, and a long body', hanging + longState],
  ['a request that hangs, and more than may wait', hanging + head('GET /api/cli/whoami').repeat(2_000)],
])('a connection with %s ends after the end of its client', async (_, bytes) => {
  await using short = await listen(mock, {}, { headers: 60_000, request: 60_000, idle: 60_000, closing: 100 })
  const socket = connect(portOf(short), '127.0.0.1')
  socket.on('error', () => undefined).resume()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.end(bytes)
  await closed
})

test('a connection that stays open keeps none of the requests that were answered', async () => {
  const seen: WeakRef<object>[] = []
  await using one = await listen({
    handle(sent) {
      seen.push(new WeakRef(sent))
      return mock.handle(sent)
    },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const options = { agent, method: 'POST', headers: { authorization, 'content-type': 'application/json' } }
  for (let i = 0; i < 20; i++) {
    const sent = request(`${one.url}/api/cli/tasks`, options).end('{"text":"a"}')
    const [answer] = await once(sent, 'response')
    await once(answer.resume(), 'end')
  }
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(seen).toHaveLength(20)
  expect(seen.filter((ref) => ref.deref()).length).toBeLessThan(5)
  agent.destroy()
})
