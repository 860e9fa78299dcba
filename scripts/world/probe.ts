/** Behaviour of a gateway with requests whose answer is lost, and with those above its limit. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { RawServer } from '../http-clients/raw-server.ts'

/** An answer, in words: `502 text/html`; `none`: the connection was closed. */
export type AnswerText = string

/** What a gateway did with requests whose answer is lost, and with those above its limit. */
export interface GatewayProbeResult {
  /** How often a POST without a body arrived whose answer was lost, on a connection that had carried another answer. */
  readonly bare: number
  readonly withBody: number
  readonly get: number
  /** The answer that the client got to the lost POST without a body. */
  readonly answer: AnswerText
  /** The answer to a POST without `Content-Length`. */
  readonly withoutLength: AnswerText
  /** The answer to requests above the limit, with `Retry-After`; undefined if none was refused. */
  readonly limited: AnswerText | undefined
}

const agent = { connection: 'keep-alive' }

function inWords(answer: Response): AnswerText {
  const wait = answer.headers.get('retry-after')
  const type = answer.headers.get('content-type')?.replace(/;.*/, '') ?? 'without a type'
  return `${answer.status} ${type}${wait === null ? '' : `, \`Retry-After: ${wait}\``}`
}

async function send(url: string, init: RequestInit = {}): Promise<AnswerText> {
  try {
    const answer = await fetch(url, { ...init, headers: agent, signal: AbortSignal.timeout(60_000) })
    await answer.arrayBuffer()
    return inWords(answer)
  } catch {
    return 'none'
  }
}

/** The status of the answer to a POST without `Content-Length`. */
async function sendWithoutLength(url: string, path: string): Promise<AnswerText> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const [chunk] = await once(socket, 'data', { signal: AbortSignal.timeout(30_000) }).catch(() => [''])
  socket.destroy()
  return /^HTTP\/\S+ (\d+)/.exec(String(chunk))?.[1] ?? 'none'
}

/** Requests at once above every limit of the table. */
const flood = 60

let runs = 0

/** Sends requests through a gateway to the raw server, which loses their answers; returns what the gateway did. */
export async function probeGateway(url: string, server: RawServer): Promise<GatewayProbeResult> {
  const name = `gateway${runs++}`
  const lose = async (run: string, init: RequestInit): Promise<AnswerText> => {
    // The gateway then has a connection that it may use again.
    await send(`${url}/${run}/ok`)
    return send(`${url}/${run}/lost`, init)
  }
  const answer = await lose(name, { method: 'POST' })
  await lose(`${name}body`, { method: 'POST', body: '{}' })
  await lose(`${name}get`, { method: 'GET' })
  const withoutLength = await sendWithoutLength(url, `/${name}/ok`)
  const answers = await Promise.all(Array.from({ length: flood }, () => send(`${url}/${name}/ok`)))
  const count = (run: string) => server.arrivals(run, 'lost').length
  return {
    bare: count(name),
    withBody: count(`${name}body`),
    get: count(`${name}get`),
    answer,
    withoutLength,
    limited: answers.find((one) => !one.startsWith('200')),
  }
}
