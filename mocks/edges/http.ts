/** A listener for a mock; knows HTTP and nothing of the API. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'

export interface Listener {
  /** Where it listens, such as `http://127.0.0.1:4402`; no trailing slash. */
  readonly url: string
  /** Stops listening and cuts every connection. */
  close(): Promise<void>
}

/** What a listener needs of a mock. */
interface Handler {
  handle(request: Request): Response | Promise<Response>
}

/** Longest request line and headers, bytes: ids of 10 kB are answered, not cut off. */
const maxHeaderSize = 65_536

/**
 * Listens on an address; port 0 takes any free one.
 * @throws the error of `listen`, such as `EADDRINUSE`.
 */
export async function listen(mock: Handler, address: { host: string; port: number }): Promise<Listener> {
  const answer = getRequestListener((request) => mock.handle(request), { errorHandler: refuse })
  const server = createServer({ maxHeaderSize, noDelay: true, requireHostHeader: false }, answer)
  server.on('checkExpectation', answer)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    socket.end(unreadableRequest)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port, family, address: bound } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${bound}]` : bound}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The answer to a request that has no URL: no host, a host that is none, `OPTIONS *`. */
function refuse(error: unknown): Response {
  if (!(error instanceof RequestError)) return new Response(null, { status: 500 })
  return new Response(problem, { status: 400, headers: { 'content-type': 'application/json' } })
}

const problem = JSON.stringify({ error: 'invalid_request', message: 'This is not a readable HTTP request.' })

/** The answer to what is no HTTP, or whose headers are too long. */
const unreadableRequest = [
  'HTTP/1.1 400 Bad Request',
  'Content-Type: application/json',
  `Content-Length: ${problem.length}`,
  'Connection: close',
  '',
  problem,
].join('\r\n')
