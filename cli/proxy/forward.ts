/**
 * Forwards connections byte for byte, each to a connection of its own, so that each side sees whatever the other does.
 * Only the name of the service is replaced, since services listen to their own. Tells of each exchange once it is over.
 */
import { once } from 'node:events'
import { STATUS_CODES } from 'node:http'
import { connect, createServer, isIP, type Socket } from 'node:net'
import { connect as connectSafely } from 'node:tls'
import { isLoopback } from '#mocks/edges/guard.ts'
import { createHttpMessageParser, type MessageHead } from '#traffic/http1.ts'

/** A request that the proxy forwarded and its answer, byte for byte as they were sent. */
export interface ForwardedExchange {
  /** When the first byte of the request arrived, ms since the epoch, with fractions. */
  readonly at: number
  readonly duration_ms: number
  readonly method: string
  /** The path with the query. */
  readonly target: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** The body of the request; undefined: it was not kept. */
  readonly body: Uint8Array | undefined
  /** 0: there was no answer. */
  readonly status: number
  readonly answerHeaders: readonly string[]
  /** The body of the answer; undefined: it was not kept, or did not arrive whole. */
  readonly answer: Uint8Array | undefined
}

interface ForwardingListener {
  passed(exchange: ForwardedExchange): void
  unreachable(error: NodeJS.ErrnoException): void
  /** Answer to `GET /__admin/report`, as JSON. */
  report(): Promise<string>
}

/**
 * Longest body that is kept, bytes, and most bytes that are kept of open exchanges; beyond these, bodies are only
 * forwarded.
 */
const [longestBody, mostKept] = [1_000_000, 64_000_000]

/** An exchange that is not over. */
interface Open extends Pick<ForwardedExchange, 'at' | 'method' | 'target' | 'headers'> {
  readonly body: Body
  status: number
  answerHeaders: readonly string[]
  readonly answer: Body
}

/** A body as far as it has passed. */
interface Body {
  readonly parts: Buffer[]
  bytes: number
  isCut: boolean
}

const newBody = (): Body => ({ parts: [], bytes: 0, isCut: false })

/** Creates a server that forwards each request to the service `upstream`, and passes each exchange to the listener. */
export function createForwarder(upstream: URL, listener: ForwardingListener) {
  const open = new Set<Open>()
  const sockets = new Set<Socket>()
  /** Connections whose last request the proxy itself answers. */
  const own = new WeakSet<Socket>()
  let kept = 0

  function accept(client: Socket): void {
    const service = connectTo(upstream)
    let isReached = false
    service.once(isSafe(upstream) ? 'secureConnect' : 'connect', () => (isReached = true))
    const queue: Open[] = []
    const requests = createHttpMessageParser(requestsOf(client, queue), 'requests')
    const change = () => void service.write(requests.unfollow())
    const answers = createHttpMessageParser(answersOf(queue, change), 'answers')
    client.on('data', (chunk: Buffer) => {
      for (const part of requests.feed(chunk)) pass(part, client, service)
    })
    service.on('data', (chunk: Buffer) => {
      pass(chunk, service, client)
      answers.feed(chunk)
    })
    client.on('end', () => service.end())
    service.on('end', () => {
      answers.end()
      client.end()
    })
    client.on('error', () => service.resetAndDestroy())
    /** True if no byte of the client's first request has come yet. */
    const isEarly = () => !isReached && client.bytesRead === 0
    const reset = () => own.has(client) || client.resetAndDestroy()
    service.on('error', (error: NodeJS.ErrnoException) => {
      if (!isReached) listener.unreachable(error)
      if (isEarly()) client.once('data', reset).once('end', reset)
      // After what is still to be sent.
      else if (client.writableLength > 0) client.write('', reset)
      else reset()
    })
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(socket)
      socket.on('close', () => {
        sockets.delete(socket)
        if (socket === client || !(isEarly() || own.has(client))) other.destroySoon()
        for (const one of queue.splice(0)) end(one, false)
      })
    }
  }

  function requestsOf(client: Socket, queue: Open[]) {
    let current: Open | undefined
    return {
      head: ({ start, headers }: MessageHead, bytes: Buffer) => {
        const [method = '', asked = ''] = start.split(' ')
        const target = asked.replace(serviceInTarget, '').replace(/^(?:\?|$)/, '/$&')
        const [path, query] = target.split(/\?(.*)/)
        if (method === 'GET' && path === '/__admin/report') {
          void tell(client, query)
          return { behind: 'tunnel', bytes: Buffer.alloc(0) } as const
        }
        const none = { status: 0, answerHeaders: [], answer: newBody() }
        current = { at: now(), method, target, headers, body: newBody(), ...none }
        queue.push(current)
        open.add(current)
        return { behind: method === 'CONNECT' ? 'tunnel' : 'body', bytes: addressed(bytes) } as const
      },
      body: (part: Buffer) => keep(current?.body, part),
      end: () => undefined,
    }
  }

  /** Listener for the answers on a connection. `change`: called when the connection switches to another protocol. */
  function answersOf(queue: Open[], change: () => void) {
    return {
      head: ({ start, headers }: MessageHead, bytes: Buffer) => {
        const [one] = queue
        const status = Number(start.split(' ')[1])
        if (status === 101) change()
        if (!one || status === 101) return { behind: 'tunnel', bytes } as const
        if (status < 200) return { behind: 'head', bytes } as const
        Object.assign(one, { status, answerHeaders: headers })
        const isBare = one.method === 'HEAD' || status === 204 || status === 304
        return { behind: isBare ? 'nothing' : 'body', bytes } as const
      },
      body: (part: Buffer) => keep(queue[0]?.answer, part),
      end: () => {
        const one = queue.shift()
        if (one) end(one, true)
      },
    }
  }

  /** The head of a request with the name of the service in place of that of the proxy. */
  function addressed(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1').replace(serviceInTarget, `$1${upstream.origin}`)
    return Buffer.from(text.replace(/^(host:[ \t]*)[^\r\n]*/im, `$1${upstream.host}`), 'latin1')
  }

  function keep(body: Body | undefined, part: Buffer): void {
    if (!body || body.isCut) return
    if (body.bytes + part.length > longestBody || kept + part.length > mostKept) {
      release(body)
      body.isCut = true
      return
    }
    body.parts.push(Buffer.from(part))
    body.bytes += part.length
    kept += part.length
  }

  function release(body: Body): void {
    kept -= body.bytes
    body.parts.length = body.bytes = 0
  }

  function end(one: Open, isWhole: boolean): void {
    const { body, answer, ...told } = one
    const bytesOf = ({ isCut, parts }: Body) => (isCut ? undefined : Buffer.concat(parts))
    const duration_ms = now() - one.at
    open.delete(one)
    const whole = isWhole ? bytesOf(answer) : undefined
    listener.passed({ ...told, duration_ms, body: bytesOf(body), answer: whole })
    for (const part of [body, answer]) release(part)
  }

  /** Answers a request for the report, for programs of this machine only, and ends the connection. */
  async function tell(client: Socket, query = ''): Promise<void> {
    own.add(client)
    const refusal = refusalOf(client, query)
    const text = refusal ? JSON.stringify(refusal) : await listener.report()
    const status = refusal?.status ?? 200
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json`
    const length = `Content-Length: ${Buffer.byteLength(text)}`
    client.end(`${head}\r\n${length}\r\nConnection: close\r\n\r\n${text}`)
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept)
  return {
    server,
    /** The time, ms since the epoch, before which every request is over, but for those older than `most` ms. */
    settledUntil(most: number): number {
      let first = now()
      const earliest = first - most
      for (const { at } of open) if (at > earliest && at < first) first = at
      return first
    },
    /** Stops listening and closes every connection. */
    async close(): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Matches the service in an absolute request target (RFC 9112 §3.2.2), with the method before it, if any. */
const serviceInTarget = /^((?:\s*\S+ )?)https?:\/\/[^/?#\s]*/i

/** The reason why a client does not get the report; undefined if it does. */
function refusalOf({ remoteAddress = '' }: Socket, query: string) {
  if (!isLoopback(remoteAddress)) return { title: 'The report is for this machine.', status: 403 }
  if (query === '' || query === 'format=json') return undefined
  return { title: 'The report of a proxy is JSON, and knows no query but format=json.', status: 400 }
}

const isSafe = ({ protocol }: URL) => protocol === 'https:'

function connectTo(upstream: URL): Socket {
  const { hostname, port } = upstream
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const usual = isSafe(upstream) ? 443 : 80
  const address = { host, port: Number(port || usual), allowHalfOpen: true, noDelay: true }
  return isSafe(upstream)
    ? connectSafely({ ...address, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] })
    : connect(address)
}

/** The time in ms since the epoch, to the microsecond, which is as exact as recordings are. */
const now = () => Math.floor((performance.timeOrigin + performance.now()) * 1_000) / 1_000

/** Writes bytes to the other side, and pauses reading while that side is slow. */
function pass(bytes: Buffer, from: Socket, to: Socket): void {
  if (!to.writable || to.write(bytes) || from.isPaused()) return
  from.pause()
  to.once('drain', () => from.resume())
}
