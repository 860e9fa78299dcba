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
 * Sends requests until the time or the count is up; answers how many were answered.
 * @throws Error where a connection fails or an answer is not 200.
 */
export async function send({
  port,
  requests,
  connections = 20,
  forMs = Infinity,
  count = Infinity,
  onBody,
}: Load) {
  const end = performance.now() + forMs
  let sent = 0
  let answered = 0
  const next = () =>
    sent < count && performance.now() < end ? requests[sent++ % requests.length] : undefined
  const onAnswer = (body: string) => {
    answered++
    onBody?.(body)
  }
  await Promise.all(
    Array.from({ length: connections }, () => drive(connect(port, '127.0.0.1'), next, onAnswer)),
  )
  return answered
}

function drive(socket: Socket, next: () => Buffer | undefined, onAnswer: (body: string) => void) {
  let held: Buffer = Buffer.alloc(0)
  return new Promise<void>((resolve, reject) => {
    const sendNext = () => {
      const request = next()
      if (request) socket.write(request)
      else socket.destroy()
    }
    const receive = (chunk: Buffer) => {
      held = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      const answer = readAnswer(held)
      if (!answer) return
      if (answer.status !== 200) throw new Error(`Answered ${answer.status}: ${answer.body}`)
      held = held.subarray(answer.length)
      onAnswer(answer.body)
      sendNext()
    }
    socket.setNoDelay()
    socket.on('connect', sendNext)
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
