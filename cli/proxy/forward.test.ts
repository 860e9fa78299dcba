/** The end of a connection on either side of the proxy reaches the other side as it was. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createForwarder, type ForwardedExchange } from './forward.ts'

/** A service that does as told with each connection, behind a proxy; `ask`: sends bytes, and returns what comes. */
async function behind(serve: (socket: Socket) => void, protocol = 'http') {
  const service = createServer({ allowHalfOpen: true }, serve).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const passed: ForwardedExchange[] = []
  const unreachable: unknown[] = []
  const host = `127.0.0.1:${(service.address() as AddressInfo).port}`
  const forwarding = createForwarder(new URL(`${protocol}://${host}`), {
    passed: (one) => passed.push(one),
    unreachable: ({ code }) => unreachable.push(code),
    report: async () => '{"report":1}',
  })
  forwarding.server.listen(0, '127.0.0.1')
  await once(forwarding.server, 'listening')
  onTestFinished(async () => {
    service.close()
    await forwarding.close()
  })
  const { port } = forwarding.server.address() as AddressInfo
  const ask = async (text: string, meet: (socket: Socket) => void = () => undefined) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const parts: Buffer[] = []
    const errors: unknown[] = []
    socket.on('data', (part) => parts.push(part as Buffer))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => errors.push(code))
    socket.on('end', () => socket.end())
    socket.write(text, 'latin1')
    meet(socket)
    await new Promise((resolve) => socket.on('close', resolve))
    return { text: Buffer.concat(parts).toString('latin1'), errors }
  }
  return { service, host, passed, unreachable, ask }
}

const request = (host: string) =>
  `POST /a?b=%20 HTTP/1.1\r\nHOST:  ${host}\r\nX-Odd:a \r\nContent-Length: 3\r\n\r\n\xff\x00!`
const answer =
  'HTTP/1.1 299 As it is\r\nx-ODD:  1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n\x1f\x8b\x00\r\n0\r\nT: 1\r\n\r\n'

test('requests and answers pass byte for byte, but for the name of the host, several at once too', async () => {
  let received = ''
  const { host, ask, passed } = await behind((socket) => {
    socket.on('data', (part) => {
      received += part.toString('latin1')
      if (received.length === 2 * request(host).length) socket.end(answer + answer, 'latin1')
    })
  })
  const { text, errors } = await ask(request('proxy:4403') + request('proxy:4403'))
  expect([received, text, errors]).toEqual([request(host) + request(host), answer + answer, []])
  const body = expect.objectContaining({ length: 3 })
  const one = { method: 'POST', target: '/a?b=%20', status: 299, body }
  await expect.poll(() => passed).toMatchObject([one, one])
  expect(passed[0]?.answerHeaders).toEqual(['x-ODD', '1', 'Transfer-Encoding', 'chunked'])
  expect(Buffer.from(passed[0]?.answer ?? []).toString('latin1')).toBe('\x1f\x8b\x00')
})

test('an absolute request target names the service too, and is the same request', async () => {
  let received = ''
  const { host, ask, passed } = await behind((socket) => {
    socket.on('data', (part) => {
      received += part
      socket.end(answer)
    })
  })
  await ask('GET http://proxy:4403/a?b=http://c HTTP/1.1\r\nHost: proxy:4403\r\n\r\n')
  expect(received).toBe(`GET http://${host}/a?b=http://c HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await expect.poll(() => passed).toMatchObject([{ target: '/a?b=http://c', status: 299 }])
})

test.each([
  ['/__admin/report', 200, { report: 1 }],
  ['/__admin/report?format=json', 200, { report: 1 }],
  ['http://proxy:4403/__admin/report?', 200, { report: 1 }],
  ['/__admin/report?format=text', 400, { title: expect.stringContaining('JSON'), status: 400 }],
])('the proxy answers %s itself: %i', async (target, status, body) => {
  const { ask, passed } = await behind((socket) => socket.end(answer))
  const { text } = await ask(`GET ${target} HTTP/1.1\r\nHost: proxy:4403\r\n\r\n`)
  expect(Number(text.split(' ')[1])).toBe(status)
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual(body)
  expect(passed).toEqual([])
})

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

test.each<[string, (socket: Socket) => void, string, unknown[]]>([
  ['resets it', (socket) => socket.resetAndDestroy(), '', ['ECONNRESET']],
  ['closes it', (socket) => socket.end(), '', []],
  [
    'stops in a body',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'),
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab',
    [],
  ],
  ['speaks something else', (socket) => socket.end('220 mail\r\n\r\n'), '220 mail\r\n\r\n', []],
])('a service that %s is seen to', async (_, end, text, errors) => {
  const { ask, passed } = await behind((socket) => socket.once('data', () => end(socket)))
  expect(await ask(get)).toEqual({ text, errors })
  await expect.poll(() => passed.map(({ target, answer }) => [target, answer])).toEqual([['/', undefined]])
})

test('a client that gives up ends the request to the service', async () => {
  const gone = Promise.withResolvers<string>()
  const { ask, passed } = await behind((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na'))
    socket.on('end', () => gone.resolve('end'))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => gone.resolve(String(code)))
  })
  await ask(get, (socket) => socket.once('data', () => socket.resetAndDestroy()))
  expect(await gone.promise).toBe('ECONNRESET')
  await expect.poll(() => passed.map(({ status, answer }) => [status, answer])).toEqual([[200, undefined]])
})

test('a service that is not there is as unreachable through the proxy', async () => {
  const { service, ask, unreachable, passed } = await behind(() => undefined)
  service.close()
  await once(service, 'close')
  expect(await ask(get)).toEqual({ text: '', errors: ['ECONNRESET'] })
  expect(unreachable).toEqual(['ECONNREFUSED'])
  expect(passed).toMatchObject([{ target: '/', status: 0 }])
})

test('a service that cannot be trusted is as unreachable', async () => {
  const { ask, unreachable, passed } = await behind((socket) => socket.end('no TLS'), 'https')
  expect(await ask(get)).toEqual({ text: '', errors: ['ECONNRESET'] })
  expect([unreachable.length, passed[0]?.status]).toEqual([1, 0])
})

test('a body of any length passes; of a long one nothing is kept', async () => {
  const body = 'x'.repeat(3_000_000)
  const { ask, passed } = await behind((socket) =>
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n\r\n${body}`)),
  )
  expect((await ask(get)).text.length).toBe(body.length + 'HTTP/1.1 200 OK\r\n\r\n'.length)
  await expect.poll(() => passed.map(({ status, answer }) => [status, answer])).toEqual([[200, undefined]])
})

test('another protocol passes in both directions', async () => {
  const { ask } = await behind((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n\r\n')
      socket.on('data', (part) => socket.end(part))
    })
  })
  const { text } = await ask(get, (socket) => socket.once('data', () => socket.write('no head')))
  expect(text.endsWith('\r\n\r\nno head')).toBe(true)
})
