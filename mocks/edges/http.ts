/** A listener for a mock; knows HTTP and nothing of the API. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { wireFaultOf } from '../faults/wire.ts'
import type { Bindings } from '../pipeline/service.ts'
import { closed, guardOf, isLoopback, newToken } from './guard.ts'
import { resetIfStale, sendFaulty } from './wire.ts'

export interface Listener {
  /** Where it listens, such as `http://127.0.0.1:4402`; no trailing slash. */
  readonly url: string
  /** What control calls have to send; undefined: nothing. */
  readonly adminToken: string | undefined
  /** Stops listening and cuts every connection. */
  close(): Promise<void>
}

/** What a listener needs of a mock. */
interface Handler {
  handle(request: Request, bindings: Bindings): Response | Promise<Response>
}

/** Longest request line and headers, bytes: ids of 10 kB are answered, not cut off. */
const maxHeaderSize = 65_536

/** Where to listen. */
export interface Address {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** What control calls have to send; default: nothing on a loopback address, a new token elsewhere. */
  readonly adminToken?: string | undefined
}

/**
 * Listens on an address.
 * @throws the error of `listen`, such as `EADDRINUSE`.
 */
export async function listen(mock: Handler, { host, port, adminToken }: Address): Promise<Listener> {
  let guard = closed
  const answer = getRequestListener(
    (request, { incoming, outgoing }) => {
      if (resetIfStale(incoming.socket as Socket)) return RESPONSE_ALREADY_SENT
      const response = mock.handle(request, { incoming, guard })
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
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const bound = server.address() as AddressInfo
  const token = adminToken ?? (isLoopback(bound.address) ? undefined : newToken())
  guard = guardOf(host, token)
  return {
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    adminToken: token,
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
