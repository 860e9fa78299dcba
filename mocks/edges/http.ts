/** The HTTP listener of a mock, and what faults do to its connections. */

import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { z } from 'zod'
import { createStrictObjectSchema, objectWithMethodSchema, parseOrThrow } from '#contract/input/checked.ts'
import type { Answer } from '../handlers/respond.ts'
import type { ArrivalDelays } from '../journal/entry.ts'
import type { ReceivedBody } from '../pipeline/received-request.ts'
import { isApiPath } from '../pipeline/routes.ts'
import {
  closingFaultReasonOf,
  createPipelinedRequestScheduler,
  destroyAfterAnswers,
  destroyConnectionAfterDelay,
  endAnswer,
  readRestOfConnection,
  recordConnectionOpening,
  sendAnswer,
  sendFaultyAnswer,
} from './connection.ts'
import { createControlGuard, isLoopback, rejectAllControlCalls } from './guard.ts'
import { collectBody, findForbiddenDuplicateHeader, HttpRequest, requestUrlOf } from './http-request.ts'
import { isPipelineAnswer, type RequestHandler } from './request.ts'

/** A mock that listens on an address, until it is closed. */
export type Listener = Awaited<ReturnType<typeof listen>>

interface Handler {
  readonly handle: RequestHandler
}

/** Maximum size of request line and headers, bytes; allows ids of 10 kB. */
const maxHeaderSize = 65_536

/** Time limits of a connection, real ms. */
const usualLimits = {
  /** Until the headers of a request have arrived. */
  headers: 30_000,
  /** Until the whole request has arrived. */
  request: 60_000,
  /** Without a byte in either direction while an answer is awaited or read: longer than any delay. */
  idle: 660_000,
  /** From the end of one direction to the end of the other. */
  closing: 5_000,
}

/** Schemas of the fields that every listening address has. */
export const listenFieldSchemas = {
  /** Default: `127.0.0.1`, which only this machine can reach. */
  host: z.string().min(1).optional(),
  /** Default: 0, any free port. */
  port: z.int().min(0).max(65_535).optional(),
}

/** Schema of the admin token, which control calls must carry if it is set. */
export const adminTokenSchema = z
  .string()
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'takes characters that a header can carry')

const addressInput = createStrictObjectSchema({
  ...listenFieldSchemas,
  /** The token that control calls require; default: none on a loopback address, a new one elsewhere. */
  adminToken: adminTokenSchema.optional(),
})

/** The address that a mock listens on; default: a free port of 127.0.0.1. */
export type Address = Readonly<z.input<typeof addressInput>>

/**
 * Serves a mock on an address. `await using` closes the listener at the end of its block. @throws the error of
 * `listen`, such as `EADDRINUSE`; TypeError for an address that is not valid.
 */
export async function listen(mock: Handler, address: Address = {}, limits = usualLimits) {
  parseOrThrow('listen', objectWithMethodSchema('handle', 'takes a mock'), mock)
  const { host = '127.0.0.1', port = 0, adminToken } = parseOrThrow('listen', addressInput, address)
  let guard = rejectAllControlCalls
  /** Returns the answer to a request; undefined: the request gets none. */
  function answerTo(outgoing: ServerResponse, body: ReceivedBody | undefined, arrival: ArrivalDelays) {
    const { req } = outgoing
    const twice = findForbiddenDuplicateHeader(req.rawHeaders)
    if (twice !== undefined) return invalid(`The request has two ${twice} headers; send one.`)
    const cutBy = req.url?.startsWith('/__admin') ? undefined : closingFaultReasonOf(req.socket)
    const url = requestUrlOf(req)
    if (url === undefined) return invalid()
    const request = new HttpRequest(outgoing, url, body, guard, cutBy, arrival)
    if (cutBy === undefined || isApiPath(request.path)) return mock.handle(request)
    req.socket.resetAndDestroy()
    return undefined
  }
  function answer(outgoing: ServerResponse, body: ReceivedBody | undefined, arrival: ArrivalDelays): void {
    try {
      const answered = answerTo(outgoing, body, arrival)
      if (answered instanceof Promise)
        answered.then((late) => respond(outgoing, late)).catch(() => fail(outgoing))
      else if (answered) respond(outgoing, answered)
    } catch {
      fail(outgoing)
    }
  }
  const fail = (outgoing: ServerResponse) => sendAnswer(failed, outgoing, limits.closing)
  function respond(outgoing: ServerResponse, answered: Answer | Response): void {
    if (!isPipelineAnswer(answered)) void sendResponse(answered, outgoing, limits.closing)
    else if (answered.fault)
      sendFaultyAnswer({ ...answered, fault: answered.fault }, outgoing, limits.closing)
    else sendAnswer(answered, outgoing, limits.closing)
  }
  function serve(incoming: IncomingMessage, outgoing: ServerResponse): void {
    // HTTP/1.0 does not require a `Host` header, and health checks of proxies send none.
    if (incoming.httpVersionMinor === 0) incoming.headers.host ??= 'localhost'
    const turn = createPipelinedRequestScheduler(incoming, outgoing)
    collectBody(incoming, (body) => turn((arrival) => answer(outgoing, body, arrival)))
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
  // A client may end its side once it has sent its request (RFC 9112 §9.6).
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('checkExpectation', serve)
  server.on('connection', (socket) => {
    recordConnectionOpening(socket)
    socket.once('end', () => destroyAfterAnswers(socket, limits.closing))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    socket.end(unreadable(error.code === 'HPE_HEADER_OVERFLOW' ? tooLong : problem))
    destroyConnectionAfterDelay(socket, limits.closing)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const bound = server.address() as AddressInfo
  // The token must not depend on the seed.
  const newToken = () => randomBytes(24).toString('base64url')
  const token = adminToken ?? (isLoopback(bound.address) ? undefined : newToken())
  guard = createControlGuard(host, token)
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    /** Its URL, such as `http://127.0.0.1:4402`, without a trailing slash. */
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    /** The token that control calls require; undefined if there is none. */
    adminToken: token,
    /** Stops listening and closes every connection. */
    close,
    [Symbol.asyncDispose]: close,
  }
}

const problemOf = (message: string) => JSON.stringify({ error: 'invalid_request', message })
const problem = problemOf('This is not a valid HTTP request.')
const tooLong = problemOf('The URL and the headers take more than 64 KiB.')

/** The answer where the handler of a listener failed. */
const failed: Answer = { status: 500, headers: {}, text: '' }

/** Returns the answer to an invalid request. */
function invalid(message?: string): Answer {
  const text = message === undefined ? problem : problemOf(message)
  return { status: 400, headers: { 'content-type': 'application/json' }, text }
}

/** Sends a Response: a stream of events as it comes, anything else at once. */
async function sendResponse(response: Response, outgoing: ServerResponse, closing: number): Promise<void> {
  const { status, body } = response
  const headers = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  const all = cookies.length > 0 ? { ...headers, 'set-cookie': cookies } : headers
  if (body && headers['content-type'] === 'text/event-stream') {
    readRestOfConnection(outgoing.req, closing)
    outgoing.writeHead(status, all).flushHeaders()
    // A reader that leaves ends the stream.
    await pipeline(Readable.fromWeb(body as WebStream), outgoing).catch(() => undefined)
    return
  }
  const bytes = Buffer.from(await response.arrayBuffer())
  const hasLength = body !== null || status === 200
  outgoing.writeHead(status, { ...all, ...(hasLength && { 'content-length': bytes.length }) })
  endAnswer(outgoing, bytes, 'utf8', closing)
}

/** Returns the bytes of the response to data that is not HTTP, or whose headers are too long. */
const unreadable = (body: string) =>
  'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n' +
  `Content-Length: ${body.length}\r\n\r\n${body}`
