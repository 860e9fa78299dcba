/** The connections of a listener: the order of their answers, and what faults do to them. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ConnectionFault, dribbledBody } from '../faults/connection.ts'
import type { Answer } from '../handlers/respond.ts'
import { type ArrivalDelays, noArrivalDelays } from '../journal/entry.ts'

/** Most requests of a connection that wait for their turn before it is closed. */
const mostWaiting = 1_000

/** State of each connection: its newest answer, the requests that wait, and whether that answer never ends. */
const turns = new WeakMap<
  Socket,
  { newest: ServerResponse; isOver: boolean; readonly waiting: Set<IncomingMessage> }
>()

/** The time at which each connection was opened, ms on the clock of `performance`. */
const openings = new WeakMap<Socket, number>()

/** Records when a connection was opened, before its first request. */
export const recordConnectionOpening = (socket: Socket): void => void openings.set(socket, performance.now())

/** Calls a handler in its turn. */
type Turn = (handle: (arrival: ArrivalDelays) => void) => void

/**
 * Creates a function that calls a handler once the previous response on the connection has ended, so that pipelined
 * requests take effect in order (RFC 9112 §9.3.2). Responses written early would also fill the buffer of the
 * connection, and hide that the client has closed it.
 */
export function createPipelinedRequestScheduler(incoming: IncomingMessage, outgoing: ServerResponse): Turn {
  const { socket } = incoming
  const turn = turns.get(socket)
  if (!turn) {
    turns.set(socket, { newest: outgoing, isOver: false, waiting: new Set() })
    const now = performance.now()
    const opened = now - (openings.get(socket) ?? now)
    return (handle) => handle({ opened })
  }
  const last = turn.newest
  turn.newest = outgoing
  // An answer leaves its socket once it has been written: until then no client has read it.
  if (last.writableEnded) return last.socket === null ? takeAtOnce : takeBehind
  if (turn.waiting.add(incoming).size > mostWaiting) socket.destroy()
  if (turn.isOver) incoming.resume()
  const before = closeOf(last)
  const came = performance.now()
  return (handle) =>
    void before.then(() => {
      turn.waiting.delete(incoming)
      if (!socket.destroyed) handle({ waited: performance.now() - came })
    })
}

// Not closures in the function, which would keep the answer before, and all before that, in memory.
const takeAtOnce: Turn = (handle) => handle(noArrivalDelays)
const behind: ArrivalDelays = { waited: 0 }
const takeBehind: Turn = (handle) => handle(behind)
const closeOf = (answer: ServerResponse) => new Promise((resolve) => answer.once('close', resolve))

/**
 * Keeps reading a connection on which an answer never ends, to notice when the client closes it. `closing`: how long
 * the connection may stay open after that, ms.
 */
export function readRestOfConnection(endless: IncomingMessage, closing: number): void {
  const { socket } = endless
  endless.resume()
  const turn = turns.get(socket)
  if (!turn) return
  turn.isOver = true
  for (const incoming of turn.waiting) incoming.resume()
  if (socket.readableEnded) destroyConnectionAfterDelay(socket, closing)
}

/**
 * Destroys a connection on which the client has stopped sending: `ms` after the last answer, or `ms` from now if that
 * never ends.
 */
export function destroyAfterAnswers(socket: Socket, ms: number): void {
  const turn = turns.get(socket)
  if (turn && !turn.isOver && !turn.newest.closed)
    turn.newest.once('close', () => destroyConnectionAfterDelay(socket, ms))
  else destroyConnectionAfterDelay(socket, ms)
}

/** The beginning of every answer, in two parts. */
const beginning = ['HTTP/1', '.1 '] as const

/** Connections on which that beginning has been sent. */
const begun = new WeakSet<Socket>()

/**
 * Holds an answer back until the end of a wait; returns whether the client has closed the connection meanwhile. If the
 * client stops sending, that may be a close or a half-close (RFC 9112 §9.6). Only writing tells: the first bytes of the
 * answer are sent at once, and a second write fails if the client has gone.
 */
export async function holdAnswerAndDetectClose(socket: Socket, wait: Promise<unknown>): Promise<boolean> {
  const begin = () => {
    if (begun.has(socket) || !socket.writable) return
    begun.add(socket)
    socket.write(beginning[0])
  }
  const isNew = !begun.has(socket)
  if (socket.readableEnded) begin()
  else socket.once('end', begin)
  await wait
  socket.off('end', begin)
  if (isNew && begun.has(socket) && socket.writable) {
    socket.write(beginning[1])
    await new Promise(setImmediate)
    leaveOutBeginning(socket)
  }
  return socket.destroyed
}

/** Leaves the beginning out of the next write, since it has been sent. */
function leaveOutBeginning(socket: Socket): void {
  const { write } = socket
  socket.write = (bytes: Uint8Array | string, ...rest: never[]) => {
    socket.write = write
    return write.call(socket, bytes.slice(beginning.join('').length), ...rest)
  }
}

/** Destroys a connection after `ms`, if it has not closed by then. */
export function destroyConnectionAfterDelay(socket: Socket, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Connections that a fault closed: they seem open, but the next request on one is reset, unless it is a control call. */
const closed = new WeakMap<Socket, string>()

/** The reason of the fault (as in `X-Mock-Reason`) that closed a connection; undefined if none did. */
export const closingFaultReasonOf = (socket: Socket): string | undefined => closed.get(socket)

/** Sends an answer over HTTP. `closing`: see `endAnswer`. */
export function sendAnswer(
  { status, headers, text }: Answer,
  outgoing: ServerResponse,
  closing: number,
): void {
  if (status === 204) {
    endAnswer(outgoing.writeHead(status, headers), '', 'latin1', closing)
    return
  }
  const length = Buffer.byteLength(text)
  outgoing.writeHead(status, { ...headers, 'content-length': length })
  // Each character of ASCII is one byte, which is written without being encoded.
  endAnswer(outgoing, text, length === text.length ? 'latin1' : 'utf8', closing)
}

/**
 * Ends an answer with its body. If the connection closes afterwards and the request has not arrived whole, the rest of
 * it is read first, for `closing` ms at most: a client that still sends would get a reset and lose the answer (RFC 9112
 * §9.6).
 */
export function endAnswer(
  outgoing: ServerResponse,
  body: Buffer | string,
  encoding: BufferEncoding,
  closing: number,
): void {
  const { req } = outgoing
  if (outgoing.shouldKeepAlive || req.complete || !announcesBody(req)) {
    outgoing.end(body, encoding)
    return
  }
  outgoing.flushHeaders()
  if (body.length > 0) outgoing.write(body, encoding)
  const end = () => void outgoing.end()
  const timer = setTimeout(end, closing).unref()
  req
    .once('end', end)
    .once('close', () => clearTimeout(timer))
    .resume()
}

const announcesBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0

type Carried = Answer & { readonly fault: NonNullable<Answer['fault']> }

/** Effect of a fault on the connection of an answer. `closing`: how long its other direction may stay open, ms. */
type Delivery = (answer: Carried, outgoing: ServerResponse, socket: Socket, closing: number) => void

const deliveries: Readonly<Record<ConnectionFault['wire'], Delivery>> = {
  reset: (_, __, socket) => socket.resetAndDestroy(),
  empty: (_, __, socket) => socket.destroy(),
  hang: (_, outgoing, __, closing) => readRestOfConnection(outgoing.req, closing),
  cut_header({ status }, _, socket) {
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Ty`, () => socket.destroy())
  },
  truncate({ status, headers, text, fault }, outgoing, socket) {
    const body = Buffer.from(text)
    outgoing.writeHead(status, { ...headers, ...(!fault.chunked && { 'content-length': body.length }) })
    outgoing.write(body.subarray(0, body.length >> 1), () => socket.destroy())
  },
  dribble({ status, headers, text, fault }, outgoing) {
    const body = Buffer.from(text)
    outgoing.writeHead(status, { ...headers, 'content-length': body.length })
    void dribble(body, fault.ms, outgoing)
  },
  stale(answer, outgoing, socket, closing) {
    closed.set(socket, answer.fault.reason)
    sendAnswer(answer, outgoing, closing)
  },
  idle(answer, outgoing, socket, closing) {
    closed.set(socket, answer.fault.reason)
    outgoing.once('finish', () => {
      socket.end()
      destroyConnectionAfterDelay(socket, closing)
    })
    sendAnswer(answer, outgoing, closing)
  },
}

/** Sends an answer over HTTP, and applies its connection fault, such as a reset. `closing`: see `endAnswer`. */
export function sendFaultyAnswer(answer: Carried, outgoing: ServerResponse, closing: number): void {
  const { socket } = outgoing
  if (socket) deliveries[answer.fault.wire](answer, outgoing, socket, closing)
}

async function dribble(body: Buffer, ms: number, outgoing: ServerResponse): Promise<void> {
  for await (const piece of dribbledBody(body, ms)) {
    if (outgoing.destroyed) break
    outgoing.write(piece)
  }
  outgoing.end()
}
