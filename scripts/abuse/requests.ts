/**
 * Hostile requests over raw sockets. Wrong are a 500, an answer that no contract declares, a connection that stays open
 * after its client has ended, a descriptor that is not given back, and memory that grows.
 */
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { failures } from '#contract/errors.ts'
import { operationIds, routeOf } from '#contract/operation.ts'
import { routes } from '#contract/routes.ts'
import { createRandom } from '#mocks/core/random.ts'
import { controlRoutes } from '#mocks/edges/admin/index.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { showProgressLine } from '../proof/pool.ts'
import { startMeasuredMock } from './measured-mock.ts'

/** Most by which the heap may grow after the first requests, MB. */
const growth = 15

/** Sends hostile requests over raw sockets to a mock; returns figures and every problem found. */
export async function sendHostileRequests(seed: string, requests: number) {
  await using mock = await startMeasuredMock(['--rate-limit', 'off', '--journal', '1000'])
  const share = Math.min(20_000, Math.ceil(requests / 4))
  const total = nothingYet()
  const before = mock.descriptors()
  let [level, heap] = [0, 0]
  while (total.requests < requests && total.findings.length === 0) {
    await flood(mock.url, seed, total, total.requests + share)
    if (mock.child.exitCode !== null || mock.child.signalCode !== null) {
      total.findings.push(`the mock has ended: ${mock.errors().slice(-2_000)}`)
      break
    }
    const { bugs } = await mock.control('GET', '/health')
    if (bugs !== 0) total.findings.push(`${bugs} internal errors: ${mock.errors().slice(-2_000)}`)
    await mock.control('POST', '/reset')
    heap = await mock.heap()
    if (level === 0) level = heap
    showProgressLine(`${total.requests} requests, heap ${heap.toFixed(1)} MB`)
  }
  for (let i = 0; i < 50 && mock.descriptors() > before + 2; i++) await setTimeout(200)
  const kept = mock.descriptors() - before
  // The control calls of this process keep a connection or two.
  if (kept > 2) total.findings.push(`${kept} descriptors were not given back`)
  if (heap > level + growth) total.findings.push(`the heap grew from ${level} to ${heap} MB`)
  return { ...total, level, heap, kept }
}

const nothingYet = () => ({
  ...{ connections: 0, requests: 0, answers: 0 },
  /** Longest time from the end of a client to the end of its connection, ms. */
  slowest: 0,
  /** Findings that no client should see, each with the number of the connection. */
  findings: [] as string[],
})

/** Time that a connection may stay open after its client has ended, ms. */
const patience = 15_000

const crowd = 400

/** Opens connections until so many requests were sent. */
async function flood(
  url: string,
  seed: string,
  total: ReturnType<typeof nothingYet>,
  most: number,
): Promise<void> {
  const client = async () => {
    while (total.requests < most && total.findings.length < 20) {
      const number = total.connections++
      const drawn = drawHostileClientBehaviour(seed, number)
      total.requests += drawn.requests
      const { received, took } = await attack(Number(new URL(url).port), drawn)
      total.slowest = Math.max(total.slowest, took)
      if (took >= patience)
        total.findings.push(`${number}: open ${patience / 1_000} s after the end of its client`)
      const answers = answersIn(received)
      total.answers += answers.length
      for (const answer of answers) {
        const problem = problemOf(answer)
        if (problem) total.findings.push(`${number}: ${problem}`)
      }
    }
  }
  await Promise.all(Array.from({ length: crowd }, client))
}

/** Plays the part of a client; returns what it received, and how long its connection stayed open after its end, ms. */
async function attack(
  port: number,
  { pieces, ending, isDeaf }: ReturnType<typeof drawHostileClientBehaviour>,
) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const received: Buffer[] = []
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => received.push(chunk))
  if (isDeaf) socket.pause()
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) await setTimeout(1 + (i % 3) * 4)
    if (ending === 'reset' && i === pieces.length >> 1 && i > 0) break
    socket.write(piece)
  }
  if (ending === 'later') await Promise.race([closed, setTimeout(40)])
  if (ending === 'reset') await setTimeout(5)
  const ended = performance.now()
  if (ending === 'reset') socket.resetAndDestroy()
  else socket.end()
  if (isDeaf) {
    await setTimeout(500)
    socket.resume()
  }
  await Promise.race([closed, setTimeout(patience, undefined, { ref: false })])
  socket.destroy()
  return { received: Buffer.concat(received), took: performance.now() - ended }
}

interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** The complete answers in the bytes of a connection, up to one whose end cannot be told. */
function answersIn(received: Buffer): Answer[] {
  const answers: Answer[] = []
  for (let at = 0; at < received.length; ) {
    const end = received.indexOf('\r\n\r\n', at)
    if (end < 0) break
    const [first = '', ...lines] = received.toString('latin1', at, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? 0)
    const headers = new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    )
    const body = end + 4
    const length = Number(headers.get('content-length') ?? (status < 200 || status === 204 ? 0 : Number.NaN))
    if (status === 0) return [...answers, { status, headers, body: first }]
    if (!(body + length <= received.length)) break
    answers.push({ status, headers, body: received.toString('utf8', body, body + length) })
    at = body + length
  }
  return answers
}

const declared = new Set(
  Object.values(failures).flatMap(({ code, status }) => [
    `${status.first} ${code}`,
    `${status.second} ${code}`,
  ]),
)

/** Schemas of answers; that of insights is any object, since the contract declares no more. */
const shapes = operationIds
  .filter((id) => id !== 'getInsights')
  .flatMap((id) => Object.values(routeOf(id).answer))

/** True if a body is the answer of some operation, or the OpenAPI document. */
const isDeclared = (json: object) =>
  'impressions' in json || 'openapi' in json || shapes.some((shape) => shape.safeParse(json).success)

/** The problem with an answer; undefined if it is as the contract or a fault has it. */
function problemOf({ status, headers, body }: Answer): string | undefined {
  if (status === 0) return `no HTTP: ${JSON.stringify(body.slice(0, 80))}`
  if (headers.has('x-mock-reason') || status < 200) return undefined
  const told = `${status} ${body.slice(0, 200)}`
  const type = headers.get('content-type')
  if (!type?.includes('json')) return status >= 500 ? told : undefined
  const json = parseJson(body) as { error?: unknown; message?: unknown; status?: unknown; title?: unknown }
  if (json === undefined) return `no JSON: ${told}`
  // Answers of control routes have this header.
  if (status < 400)
    return headers.has('content-security-policy') || isDeclared(json) ? undefined : `of no operation: ${told}`
  if (type.startsWith('application/problem+json'))
    return status >= 500 || json.status !== status || typeof json.title !== 'string' ? told : undefined
  return declared.has(`${status} ${json.error}`) && typeof json.message === 'string' ? undefined : told
}

const ids = ['1', 'task_000000', '%00', '%ff%fe', '..%2f..%2f', '%E2%80%AE', '__proto__', 'é', '%', 'a b']
const odd = '?limit=-1 ?org_id=1 ?% ?a=1&a=2 ?token=x'.split(' ')
const queries = ['', '', '', ...odd, `?q=${'x'.repeat(5_000)}`]
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'BREW', 'get', '']
const targets = ['/__admin/../api/cli/tasks', ...'* / // /api/cli /api/cli/%74asks tasks \\ /#x'.split(' ')]
const hosts = ['127.0.0.1', '127.0.0.1', 'localhost:1', '', ' ', 'a b', '[::1]', '[', 'évil', 'x'.repeat(300)]
const names = 'ada bob x.credits=0 y.busy=5'.split(' ')
const keys = ['', 'é', ...names.map((name) => `wak_test_${name}`), 'wak_live_z']
const headers = [
  'Prefer: code=503',
  'Prefer: fault=malformed',
  'Accept-Encoding: gzip, deflate, br;q=2',
  'Content-Encoding: gzip',
  'Content-Type: application/json; charset=utf-16',
  'Content-Type: multipart/form-data',
  'Cookie: sid=; sid=1; =; ;;',
  'Expect: 100-continue',
  'Expect: more',
  'HTTP2-Settings: AAMAAABkAAQAAP__',
  'If-None-Match: *',
  'Range: bytes=0-0,-1',
  'Idempotency-Key: \u00ff',
  'Last-Event-ID: 99999999999999999999',
  'Origin: null',
  'Sec-Fetch-Site: cross-site',
  `X-Long: ${'x'.repeat(20_000)}`,
]
/** Headers that mostly end a connection. */
const lastHeaders = [
  'Prefer: fault=reset',
  'Prefer: fault=truncate',
  'Prefer: fault=hang',
  'Prefer: fault=stale, fault=',
  'Accept: */*;q=\u0000',
  'Connection: close',
  'Connection: keep-alive, upgrade',
  'Upgrade: h2c',
  'Upgrade: websocket',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked',
  'Content-Length: 18446744073709551616',
  'Content-Length: -1',
  'Content-Length: 0x10',
  'Host: other.test',
  'Authorization: Basic OjpAOjo=',
  ' folded: yes',
  'no colon',
  ': no name',
]
const bodies = [
  '{}',
  '{"text":"Say hello"}',
  '{"text":"[[mock:fail]] [[mock:"}',
  '{"text":1e999,"__proto__":{"x":1}}',
  '{"title":"\\ud800","content_md":"\\u0000"}',
  '{"rule":"whoami=hang"}',
  '{"amount":1e308,"set":-1,"advance":"9e9s","now":"+275760-09-13"}',
  '{"name":"ada","state":{"organizations":[]}}',
  '[]',
  '"',
  '\ufeff{"text":"BOM"}',
  '['.repeat(20_000),
  `{"text":"${'x'.repeat(70_000)}"}`,
  `{${Array.from({ length: 500 }, (_, i) => `"k${i}":${i}`).join()}}`,
]
const known: readonly { readonly method: string; readonly path: string }[] = [
  ...Object.values(routes),
  ...controlRoutes.map(({ method, path }) => ({ method, path: `/__admin${path}` })),
]
const junk = '\r\n|\n|\u0000|\r| |:|\u00ff|HTTP/1.1|0\r\n\r\n|ffffffffffffffff\r\n'.split('|')

/** Draws the behaviour of the hostile client on connection `number`; equal seeds give equal behaviour. */
export function drawHostileClientBehaviour(seed: string, number: number) {
  const random = createRandom('abuse', seed, String(number))
  const { below, withProbability: chance } = random
  const one = <T>(list: readonly T[]) => list[below(list.length)] as T

  function request(): Buffer {
    const { method, path } = one(known)
    const id = path.replace(/:\w+/g, () => one(ids))
    const target = chance(0.03) ? one(targets) : id + one(queries)
    const url = chance(0.03)
      ? `${one(['http://127.0.0.1', 'http://', 'file://', 'http://[/'])}${target}`
      : target
    const lines = [
      `${chance(0.02) ? one(methods) : method} ${url} ${chance(0.01) ? one(['HTTP/1.0', 'HTTP/2', '']) : 'HTTP/1.1'}`,
    ]
    if (!chance(0.01)) lines.push(`Host: ${chance(0.04) ? one(hosts) : '127.0.0.1'}`)
    if (chance(0.7)) lines.push(`Authorization: Bearer ${chance(0.9) ? one(keys) : `wak_test_${below(500)}`}`)
    for (let n = chance(0.4) ? below(4) : 0; n > 0; n--) lines.push(one(headers))
    if (chance(0.03)) lines.push(one(lastHeaders))
    if (chance(0.001)) lines.push(...Array.from({ length: 3_000 }, (_, i) => `X-${i}: y`))
    const body = Buffer.from(
      method === 'GET' && chance(0.9) ? '' : chance(0.002) ? 'x'.repeat(1_200_000) : one(bodies),
    )
    const isChunked = body.length > 0 && chance(0.25)
    if (isChunked) lines.push('Transfer-Encoding: chunked')
    if (body.length > 0 && (!isChunked || chance(0.01)))
      lines.push(`Content-Length: ${body.length + (chance(0.01) ? below(20) - 10 : 0)}`)
    const head = Buffer.from([...lines, '', ''].join('\r\n'), chance(0.5) ? 'utf8' : 'latin1')
    return Buffer.concat([head, ...(isChunked ? chunks(body) : [body])])
  }

  function chunks(body: Buffer): Buffer[] {
    const size = chance(0.1) ? 1 + below(20) : 1 + below(body.length)
    const parts: Buffer[] = []
    for (let at = 0; at < body.length && parts.length < 300; at += size) {
      const part = body.subarray(at, at + size)
      parts.push(
        Buffer.from(`${part.length.toString(16)}${chance(0.01) ? ';x="' : ''}\r\n`),
        part,
        Buffer.from('\r\n'),
      )
    }
    return [...parts, Buffer.from(chance(0.05) ? '0\r\nTrailer: x\r\n\r\n' : '0\r\n\r\n')]
  }

  function broken(bytes: Buffer): Buffer {
    const at = below(bytes.length)
    const to = at + below(30)
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(to)]
    const kind = below(4)
    if (kind === 0) return Buffer.concat([before, Buffer.from([below(256)]), bytes.subarray(at + 1)])
    if (kind === 1) return Buffer.concat([before, after])
    if (kind === 2) return Buffer.concat([before, Buffer.from(one(junk), 'latin1'), bytes.subarray(at)])
    return chance(0.3) ? before : Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)])
  }

  const requests = chance(0.3) ? 1 : 1 + below(chance(0.05) ? 300 : 24)
  let bytes = Buffer.concat(Array.from({ length: requests }, request)) as Buffer
  for (let n = chance(0.4) ? 1 + below(3) : 0; n > 0 && bytes.length > 0; n--) bytes = broken(bytes)
  const cuts = chance(0.7)
    ? []
    : Array.from({ length: 1 + below(6) }, () => below(bytes.length)).sort((a, b) => a - b)
  const pieces = [...cuts, bytes.length].map((cut, i) => bytes.subarray(cuts[i - 1] ?? 0, cut))
  return {
    /** Sent one after another, with a moment between. */
    pieces,
    /** Requests that were drawn; broken ones may be read as more or fewer. */
    requests,
    /**
     * The way in which the client ends the connection: with a FIN at once, with one after some time for answers, or
     * with a reset midway.
     */
    ending: one(['at once', 'at once', 'later', 'reset']),
    /** True if nothing is read before the end. */
    isDeaf: chance(0.04),
  }
}
