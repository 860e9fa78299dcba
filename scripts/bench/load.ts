/**
 * The load generator: keep-alive connections over raw sockets, each with one request under way. It spends far
 * less on a request than the server does, so that the server is what is measured (docs/decisions/0003).
 */
import { connect, type Socket } from 'node:net'
import { readAnswer } from './answer.ts'

/** What is sent, and for how long. */
export interface Load {
  readonly port: number
  /** Requests as they go over the wire; taken in turn, over and over. */
  readonly requests: readonly Buffer[]
  readonly connections?: number
  /** Real time to send for, ms. */
  readonly forMs?: number
  /** Requests to send in all. */
  readonly count?: number
  /** Told the body of every answer. */
  readonly onBody?: (body: string) => void
  /** The second request of a pair, made from the answer to the first, on the same connection; pairs are counted. */
  readonly second?: (body: string) => Buffer
}

/** The bytes of a request with a demo key; a body makes it a POST. */
export function requestOf(path: string, body?: object): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Authorization: Bearer wak_test_demo',
  ]
  if (body !== undefined)
    head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`)
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`)
}

/**
 * Sends requests until the time or the count is up; answers how many (or how many pairs) were answered.
 * @throws Error where a connection fails or an answer is no success.
 */
export async function send({
  port,
  requests,
  connections = 20,
  forMs = Infinity,
  count = Infinity,
  onBody,
  second,
}: Load) {
  const end = performance.now() + forMs
  let sent = 0
  let answered = 0
  const next = () =>
    sent < count && performance.now() < end ? requests[sent++ % requests.length] : undefined
  const driver = () => {
    let isSecond = false
    return (body: string | undefined) => {
      if (second && body !== undefined && !isSecond) {
        isSecond = true
        return second(body)
      }
      isSecond = false
      if (body !== undefined) {
        answered++
        onBody?.(body)
      }
      return next()
    }
  }
  await Promise.all(Array.from({ length: connections }, () => drive(connect(port, '127.0.0.1'), driver())))
  return answered
}

/** Sends what `next` makes of the answer before it (undefined: there was none), until it makes nothing. */
function drive(socket: Socket, next: (body: string | undefined) => Buffer | undefined) {
  let held: Buffer = Buffer.alloc(0)
  return new Promise<void>((resolve, reject) => {
    const sendNext = (body?: string) => {
      const request = next(body)
      if (request) socket.write(request)
      else socket.destroy()
    }
    const receive = (chunk: Buffer) => {
      held = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      const answer = readAnswer(held)
      if (!answer) return
      if (answer.status < 200 || answer.status > 299)
        throw new Error(`Answered ${answer.status}: ${answer.body.slice(0, 200)}`)
      held = held.subarray(answer.length)
      sendNext(answer.body)
    }
    socket.setNoDelay()
    socket.on('connect', () => sendNext())
    socket.on('data', (chunk: Buffer) => {
      try {
        receive(chunk)
      } catch (error) {
        socket.destroy(error as Error)
      }
    })
    socket.on('error', reject)
    socket.on('end', () => reject(new Error('The server closed a connection.')))
    socket.on('close', () => resolve())
  })
}
