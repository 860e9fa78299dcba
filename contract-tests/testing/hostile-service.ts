/** A service that answers some requests as no service should, and all others as the mock behind it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { createMock } from '#mocks/app.ts'
import type { MockOptions } from '#mocks/scenarios/index.ts'

/** A way to answer a request with hostility, such as endlessly. */
export type HostileAnswer = (request: IncomingMessage, response: ServerResponse) => unknown

interface HostileService {
  readonly url: string
  /** Requests that were answered with hostility. */
  readonly hits: () => number
  close(): void
}

/** Starts a test service that answers hostilely where method and path match `at`, and as a mock elsewhere. */
export async function startHostileService(
  hostility: HostileAnswer,
  at = /^GET \/api\/cli\/tasks$/,
  options: MockOptions = {},
): Promise<HostileService> {
  const mock = createMock({ credits: 40, rateLimit: 'off', runDuration: '20ms', ...options })
  let hits = 0
  const server = createServer(async (request, response) => {
    response.on('error', () => undefined)
    const { method = '', url = '' } = request
    if (at.test(`${method} ${url}`)) {
      hits++
      request.resume()
      return void hostility(request, response)
    }
    const sent = await buffer(request)
    const body = sent.length > 0 ? { body: sent } : {}
    const headers = new Headers(request.headers as Record<string, string>)
    const answer = await mock.fetch(new Request(`http://mock.test${url}`, { method, headers, ...body }))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, hits: () => hits, close }
}

const asJson = { 'content-type': 'application/json' }

/** Answers with a text, declared as JSON. */
export const answerWithText =
  (body: string, status = 200, headers: Record<string, string> = {}): HostileAnswer =>
  (_, response) =>
    response.writeHead(status, { ...asJson, ...headers }).end(body)

/** Answers with a number of bytes at full speed. */
export const answerWithFlood =
  (bytes: number, { zipped = false } = {}): HostileAnswer =>
  async (_, response) => {
    response.writeHead(200, { ...asJson, ...(zipped ? { 'content-encoding': 'gzip' } : {}) })
    const out = zipped ? createGzip() : response
    if (out !== response) out.on('error', () => undefined).pipe(response)
    const chunk = Buffer.alloc(2 ** 16, '[1,2],')
    for (let sent = 0; sent < bytes && !response.destroyed; sent += chunk.length)
      if (!out.write(chunk)) await drained(out, response)
    out.end()
  }

/** Settles when more can be written, or nobody reads any more. */
function drained(out: NodeJS.EventEmitter, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      out.off('drain', end)
      response.off('close', end)
      resolve()
    }
    out.once('drain', end)
    response.once('close', end)
  })
}

/** Answers a byte every 50 ms, for ever. */
export const answerEndlessly: HostileAnswer = (_, response) => {
  response.writeHead(200, asJson)
  const timer = setInterval(() => response.write(' '), 50)
  response.on('close', () => clearInterval(timer))
}

/** Announces more bytes than it sends, and closes the connection. */
export const answerCutShort: HostileAnswer = (request, response) => {
  response.writeHead(200, { ...asJson, 'content-length': '1000' })
  response.write('{"items":[')
  setImmediate(() => request.socket.destroy())
}

/** Answers with bytes that are not HTTP. */
export const answerWithoutHttp: HostileAnswer = (request) => request.socket.end('\u0000\u001b[2J\r\n\r\n')
