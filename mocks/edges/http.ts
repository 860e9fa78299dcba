/** A listener for a mock; knows HTTP and nothing of the API. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Bindings } from '../answering.ts'
import { wireFaultOf } from '../faults/wire.ts'
import { resetIfStale, sendFaulty } from './wire.ts'

export interface Listener {
  /** Where it listens, such as `http://127.0.0.1:4402`; no trailing slash. */
  readonly url: string
  /** Stops listening and cuts every connection. */
  close(): Promise<void>
}

/** What a listener needs of a mock. */
interface Handler {
  handle(request: Request, bindings: Bindings): Response | Promise<Response>
}

/** Longest request line and headers, bytes: ids of 10 kB are answered, not cut off. */
const maxHeaderSize = 65_536

/**
 * Listens on an address; port 0 takes any free one.
 * @throws the error of `listen`, such as `EADDRINUSE`.
 */
export async function listen(mock: Handler, address: { host: string; port: number }): Promise<Listener> {
  const answer = getRequestListener(
    (request, { incoming, outgoing }) => {
      if (resetIfStale(incoming.socket as Socket)) return RESPONSE_ALREADY_SENT
      const response = mock.handle(request, { incoming })
      const sender = outgoing as ServerResponse
      return response instanceof Promise
        ? response.then((late) => send(late, sender))
        : send(response, sender)
    },
    { errorHandler: refuse },
  )
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

/** Leaves a response to the adapter, unless something is to happen to its connection. */
function send(response: Response, outgoing: ServerResponse): Response | Promise<Response> {
  const fault = wireFaultOf(response)
  return fault ? sendFaulty(response, fault, outgoing).then(() => RESPONSE_ALREADY_SENT) : response
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
