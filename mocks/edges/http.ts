/** The HTTP listener of a mock, and what faults do to its connections. */

import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { z } from 'zod'
import { callback, checked, fields } from '#contract/input/checked.ts'
import type { WireFault } from '../faults/fault.ts'
import { longestBody, type ReceivedBody } from '../pipeline/read-input.ts'
import { wireFaults } from '../pipeline/serve.ts'
import type { Bindings } from '../pipeline/service.ts'
import { closed, guardOf, isLoopback } from './guard.ts'

/** A running listener. */
export type Listener = Awaited<ReturnType<typeof listen>>

interface Handler {
  handle(request: Request, bindings: Bindings): Response | Promise<Response>
}

/** Maximum size of request line and headers, bytes; allows ids of 10 kB. */
const maxHeaderSize = 65_536

/** How long a connection may keep its place, real ms. */
const usualLimits = {
  /** From its beginning to the end of the headers of a request. */
  headers: 30_000,
  /** To the end of the body of that request. */
  request: 60_000,
  /** Without a byte in either direction while an answer is awaited or read: longer than any delay. */
  idle: 660_000,
  /** From the end of one direction to the end of the other. */
  closing: 5_000,
}

/**
 * The Response of the adapter, which it sends without reading a stream. It shows it only by putting it in the place of
 * that of the program, where it breaks what others do with theirs, so it is taken back at once.
 */
function adapterResponse(): typeof Response {
  const own = (['Request', 'Response'] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  )
  getRequestListener(() => RESPONSE_ALREADY_SENT)
  const { Response } = globalThis
  for (const [name, descriptor] of own) if (descriptor) Object.defineProperty(globalThis, name, descriptor)
  return Response
}

const FastResponse = adapterResponse()

/** Where to listen, of any address. */
export const placeInput = {
  /** Default: `127.0.0.1`, which only this machine can reach. */
  host: z.string().min(1).optional(),
  /** Default: 0, any free port. */
  port: z.int().min(0).max(65_535).optional(),
}

/** What can be the token that control calls require. */
export const adminTokens = z
  .string()
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'takes characters that a header can carry')

const addressInput = fields({
  ...placeInput,
  /** The token that control calls require; default: none on a loopback address, a new one elsewhere. */
  adminToken: adminTokens.optional(),
})

/** Where to listen; default: a free port of 127.0.0.1. */
export type Address = Readonly<z.input<typeof addressInput>>

/**
 * Listens on an address. `await using` closes the listener at the end of its block.
 * @throws the error of `listen`, such as `EADDRINUSE`; TypeError for an address that is not valid.
 */
export async function listen(mock: Handler, address: Address = {}, limits = usualLimits) {
  checked('listen', z.looseObject({ handle: callback }, 'takes a mock'), mock)
  const { host = '127.0.0.1', port = 0, adminToken } = checked('listen', addressInput, address)
  let guard = closed
  const listener = getRequestListener(
    (request, { incoming, outgoing }) => {
      const socket = incoming.socket as Socket
      if (stale.has(socket) && !incoming.url?.startsWith('/__admin')) {
        socket.resetAndDestroy()
        return RESPONSE_ALREADY_SENT
      }
      const twice = headerSentTwice(incoming.rawHeaders)
      if (twice !== undefined) return invalid(`The request has two ${twice} headers; send one.`)
      const response = mock.handle(request, {
        incoming,
        guard,
        body: bodies.get(incoming),
        Response: FastResponse,
      })
      const sender = outgoing as ServerResponse
      if (!(response instanceof Promise)) return send(response, sender)
      return response.then((late) => {
        if (late.headers.get('content-type') === 'text/event-stream') endTurns(incoming as IncomingMessage)
        return send(late, sender)
      })
    },
    // A request without a valid URL: a missing or invalid host, or `OPTIONS *`.
    {
      overrideGlobalObjects: false,
      errorHandler: (error) =>
        error instanceof RequestError ? invalid() : new Response(null, { status: 500 }),
    },
  )
  function serve(incoming: IncomingMessage, outgoing: ServerResponse): void {
    // HTTP/1.0 does not require it, and health checks of proxies do not send it.
    if (incoming.httpVersionMinor === 0) incoming.headers.host ??= 'localhost'
    const turn = turnOf(incoming, outgoing)
    collectBody(incoming, () => turn(() => void listener(incoming, outgoing)))
  }
  const server = createServer(
    {
      maxHeaderSize,
      noDelay: true,
      requireHostHeader: false,
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      connectionsCheckingInterval: Math.min(5_000, limits.headers),
    },
    serve,
  )
  server.timeout = limits.idle
  server.on('checkExpectation', serve)
  server.on('connection', (socket) => socket.once('end', () => destroyAfter(socket, limits.closing)))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    socket.end(unreadable(error.code === 'HPE_HEADER_OVERFLOW' ? tooLong : problem))
    destroyAfter(socket, limits.closing)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const bound = server.address() as AddressInfo
  // It must not depend on the seed.
  const newToken = () => randomBytes(24).toString('base64url')
  const token = adminToken ?? (isLoopback(bound.address) ? undefined : newToken())
  guard = guardOf(host, token)
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    /** Its URL, such as `http://127.0.0.1:4402`, without a trailing slash. */
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    /** The token that control calls require; undefined: none. */
    adminToken: token,
    /** Stops listening and closes every connection. */
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** So many requests of a connection may wait for their turn before it is closed. */
const mostWaiting = 1_000

/** Of each connection: the newest answer, the requests that wait, and whether no answer ends before the connection. */
const turns = new WeakMap<
  Socket,
  { newest: ServerResponse; isOver: boolean; readonly waiting: Set<IncomingMessage> }
>()

/**
 * Returns what calls a handler once the answer before it has ended: requests that are sent without waiting for answers
 * take effect in their order (RFC 9112 §9.3.2). Answers that were ready early would also fill the buffer of the
 * connection, so that it is not read any more and the end of the client is not seen.
 */
function turnOf(incoming: IncomingMessage, outgoing: ServerResponse): (handle: () => void) => void {
  const { socket } = incoming
  const turn = turns.get(socket)
  if (!turn) {
    turns.set(socket, { newest: outgoing, isOver: false, waiting: new Set() })
    return atOnce
  }
  const last = turn.newest
  turn.newest = outgoing
  if (last.writableEnded) return atOnce
  if (turn.waiting.add(incoming).size > mostWaiting) socket.destroy()
  if (turn.isOver) incoming.resume()
  const before = closeOf(last)
  return (handle) =>
    void before.then(() => {
      turn.waiting.delete(incoming)
      if (!socket.destroyed) handle()
    })
}

// Outside of it, since a closure in it that named the answer before would keep it, and all before that.
const atOnce = (handle: () => void) => handle()
const closeOf = (answer: ServerResponse) => new Promise((resolve) => answer.once('close', resolve))

/**
 * Reads on where an answer has no end, although nobody will answer: a body that waits, of this request or of one behind
 * it, would hide the end of the client.
 */
function endTurns(endless: IncomingMessage): void {
  endless.resume()
  const turn = turns.get(endless.socket)
  if (!turn) return
  turn.isOver = true
  for (const incoming of turn.waiting) incoming.resume()
}

/** Bodies that were collected before their requests were handled. */
const bodies = new WeakMap<IncomingMessage | Http2ServerRequest, ReceivedBody>()

/**
 * Collects the body of a request to the API before it is handled, so that it can be handled synchronously: that takes
 * a sixth less processor time. Bodies of unknown or too great length are read later, if at all.
 */
function collectBody(incoming: IncomingMessage & { rawBody?: Buffer }, handle: () => void): void {
  const length = Number(incoming.headers['content-length'])
  if (!(length > 0 && length <= longestBody) || !incoming.url?.startsWith('/api/cli/')) {
    handle()
    return
  }
  const chunks: Buffer[] = []
  let isHandled = false
  const end = () => {
    if (isHandled) return
    isHandled = true
    const [first = Buffer.alloc(0)] = chunks
    const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
    if (bytes.length === length) {
      incoming.rawBody = bytes
      bodies.set(incoming, { bytes: length, text: isUtf8(bytes) ? textOf(bytes) : undefined })
    }
    handle()
  }
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', end)
  incoming.on('close', end)
}

const textOf = (bytes: Buffer) => {
  const text = bytes.toString()
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Returns a response for the adapter to send, or sends it itself if it has a connection fault. */
function send(response: Response, outgoing: ServerResponse): Response | Promise<Response> {
  const fault = wireFaults.get(response)
  if (fault?.wire === 'hang' && outgoing.socket) endTurns(outgoing.req)
  return fault ? sendFaulty(response, fault, outgoing).then(() => RESPONSE_ALREADY_SENT) : response
}

/** Returns the name of a header that was sent again, where the second could be meant for somebody else (RFC 9110 §7.2, §11.6.2). */
function headerSentTwice(rawHeaders: readonly string[]): string | undefined {
  let host = false
  let authorization = false
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') {
      if (host) return 'Host'
      host = true
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') {
      if (authorization) return 'Authorization'
      authorization = true
    }
  }
  return undefined
}

/** Frees a connection of which the other side may never end its part. */
function destroyAfter(socket: Socket, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms).unref()
  socket.once('close', () => clearTimeout(timer))
}

const problemOf = (message: string) => JSON.stringify({ error: 'invalid_request', message })
const problem = problemOf('This is not a valid HTTP request.')
const tooLong = problemOf('The URL and the headers take more than 64 KiB.')

/** Returns the response to a request that cannot be what was meant. */
function invalid(message?: string): Response {
  const text = message === undefined ? problem : problemOf(message)
  return new Response(text, { status: 400, headers: { 'content-type': 'application/json' } })
}

/** Returns the bytes of the response to data that is not HTTP, or whose headers are too long. */
const unreadable = (body: string) =>
  [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')

/** Stale connections: they seem open, but the next request on one is reset, unless it is a control call. */
const stale = new WeakSet<Socket>()

async function sendFaulty(response: Response, { wire, ms }: WireFault, outgoing: ServerResponse) {
  const socket = outgoing.socket
  if (!socket) return
  if (wire === 'reset') return void socket.resetAndDestroy()
  if (wire === 'empty') return void socket.destroy()
  if (wire === 'hang') return
  const body = Buffer.from(await response.arrayBuffer())
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'content-length': body.length,
  })
  if (wire === 'truncate')
    return void outgoing.write(body.subarray(0, body.length >> 1), () => socket.destroy())
  if (wire === 'stale') stale.add(socket)
  if (wire === 'dribble') await dribble(body, ms, outgoing)
  outgoing.end(wire === 'dribble' ? undefined : body)
}

const pieces = 10

async function dribble(body: Buffer, ms: number, outgoing: ServerResponse): Promise<void> {
  const size = Math.max(1, Math.ceil(body.length / pieces))
  for (let at = 0; at < body.length && !outgoing.destroyed; at += size) {
    outgoing.write(body.subarray(at, at + size))
    await new Promise((resolve) => setTimeout(resolve, ms / pieces))
  }
}
