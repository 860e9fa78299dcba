/** A server of bare sockets that loses, cuts and refuses answers, and notes when each request arrived. */
import { createServer, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

/**
 * What the server does with a request, named by the second segment of its path, such as losing the answer; the first
 * segment names the run.
 */
export type RequestTreatment =
  | 'ok'
  | 'lost'
  | 'lost-reused'
  | '408'
  | '429'
  | '503'
  | 'cut-length'
  | 'cut-chunk'
  | 'silent'

/** Number of errors before a success, and the seconds in their `Retry-After`. */
const errorsBeforeSuccess = 2
/** The time that the server's errors give in `Retry-After`, s. */
export const retryAfterSeconds = 2

const body = '{"ok":true}'
const json = 'Content-Type: application/json'

const answerOf = (status: string, headers: readonly string[] = [], text = body) =>
  [`HTTP/1.1 ${status}`, json, `Content-Length: ${text.length}`, ...headers, '', text].join('\r\n')

const success = answerOf('200 OK')
const refusal = (status: string) => answerOf(status, [`Retry-After: ${retryAfterSeconds}`])

/** The part of a connection's bytes that its first whole request takes; undefined: it has not arrived. */
function requestIn(bytes: string): { head: string; rest: string } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [head, after] = [bytes.slice(0, end), bytes.slice(end + 4)]
  if (/^transfer-encoding:.*chunked/im.test(head)) {
    const last = after.indexOf('0\r\n\r\n')
    return last < 0 ? undefined : { head, rest: after.slice(last + 5) }
  }
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  return after.length < length ? undefined : { head, rest: after.slice(length) }
}

/** A server of bare sockets that loses, cuts and refuses answers, and records when each request arrived. */
export class RawServer {
  /** The times at which the requests of each `/run/treatment` arrived, ms. */
  readonly #arrivals = new Map<string, number[]>()
  readonly #server = createServer({ noDelay: true }, (socket) => this.#serve(socket))

  /** Listens on a free loopback port; returns the address. */
  listen(): Promise<string> {
    return new Promise((resolve) =>
      this.#server.listen(0, '127.0.0.1', () => {
        const address = this.#server.address()
        resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
      }),
    )
  }

  close(): void {
    this.#server.close()
  }

  arrivals(run: string, treatment: string): readonly number[] {
    return this.#arrivals.get(`${run}/${treatment}`) ?? []
  }

  #serve(socket: Socket): void {
    let [bytes, served] = ['', 0]
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      bytes += chunk.toString('latin1')
      const request = requestIn(bytes)
      if (!request) return
      bytes = request.rest
      this.#answer(socket, request.head, served++)
    })
  }

  #answer(socket: Socket, head: string, servedBefore: number): void {
    const [, path = ''] = /^\S+ (?:http:\/\/[^/]+)?\/(\S*)/.exec(head) ?? []
    const [run, name] = path.split('/')
    const key = `${run}/${name}`
    const arrivals = this.#arrivals.getOrInsert(key, [])
    arrivals.push(performance.now())
    const treatment = name?.replace(/^get-/, '') as RequestTreatment
    const isRefused = arrivals.length <= errorsBeforeSuccess
    const treatments: Readonly<Record<RequestTreatment, () => void>> = {
      ok: () => socket.write(success),
      lost: () => socket.end(),
      'lost-reused': () => (servedBefore > 0 ? socket.end() : socket.write(success)),
      '408': () => socket.write(isRefused ? answerOf('408 Request Timeout') : success),
      '429': () => socket.write(isRefused ? refusal('429 Too Many Requests') : success),
      '503': () => socket.write(isRefused ? refusal('503 Service Unavailable') : success),
      'cut-length': () => socket.end(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 100\r\n\r\n${body}`),
      'cut-chunk': () =>
        socket.end(`HTTP/1.1 200 OK\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n${body}\r\n`),
      silent: () => {},
    }
    const treat = treatments[treatment] ?? treatments.ok
    treat()
    const isLast = /^connection: *close/im.test(head) || /HTTP\/1\.0$/m.test(head.split('\r\n', 1)[0] ?? '')
    if (isLast && treatment !== 'silent') socket.end()
  }
}
