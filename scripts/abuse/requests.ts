/**
 * Hostile requests over raw sockets. Wrong are a 500, an answer that no contract declares, a connection that stays open
 * after its client has ended, a descriptor that is not given back, and memory that grows.
 */
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { failures } from '#contract/errors.ts'
import { operationIds, routeOf } from '#contract/operation.ts'
import { parsed } from '#traffic/json-bounds.ts'
import { drawConnection } from './hostile-requests.ts'
import { startMeasured } from './measured-mock.ts'

/** Heap after everything may be so much above its level after the first requests, MB. */
const growth = 15

/** Runs it; returns its figures and everything that was wrong. */
export async function abuseWithRequests(seed: string, requests: number, end?: number) {
  await using mock = await startMeasured(['--rate-limit', 'off', '--journal', '1000'])
  const share = Math.min(20_000, Math.ceil(requests / 4))
  const total = { connections: 0, requests: 0, answers: 0, slowest: 0, findings: [] as string[] }
  const before = mock.descriptors()
  let [level, heap] = [0, 0]
  while (total.requests < requests && (end === undefined || performance.now() < end)) {
    const { findings, slowest, ...counts } = await flood(mock.url, seed, {
      requests: share,
      from: total.connections,
      ...(end && { end }),
    })
    total.connections += counts.connections
    total.requests += counts.requests
    total.answers += counts.answers
    total.slowest = Math.max(total.slowest, slowest)
    total.findings.push(...findings)
    if (mock.child.exitCode !== null || mock.child.signalCode !== null) {
      total.findings.push(`the mock has ended: ${mock.errors().slice(-2_000)}`)
      break
    }
    const { bugs } = await mock.control('GET', '/health')
    if (bugs !== 0) total.findings.push(`${bugs} internal errors: ${mock.errors().slice(-2_000)}`)
    await mock.control('POST', '/reset')
    heap = await mock.heap()
    if (level === 0) level = heap
    if (process.stderr.isTTY)
      process.stderr.write(`\r${total.requests} requests, heap ${heap.toFixed(1)} MB `)
    if (total.findings.length > 0) break
  }
  for (let i = 0; i < 50 && mock.descriptors() > before + 2; i++) await setTimeout(200)
  const kept = mock.descriptors() - before
  // The control calls of this process keep a connection or two.
  if (kept > 2) total.findings.push(`${kept} descriptors were not given back`)
  if (heap > level + growth) total.findings.push(`the heap grew from ${level} to ${heap} MB`)
  return { ...total, level, heap, kept }
}

/** Time that a connection may stay open after its client has ended, ms. */
const patience = 15_000

/** Connections at once. */
const crowd = 400

/** Sends connections from a number on until there were so many requests, or `end` (as of performance.now) has come. */
export async function flood(
  url: string,
  seed: string,
  { requests, from = 0, end = Number.POSITIVE_INFINITY }: { requests: number; from?: number; end?: number },
) {
  const result = {
    ...{ connections: 0, requests: 0, answers: 0 },
    /** Longest time from the end of a client to the end of its connection, ms. */
    slowest: 0,
    /** What no client should see, each with the number of the connection. */
    findings: [] as string[],
  }
  let next = from
  const client = async () => {
    while (result.requests < requests && performance.now() < end && result.findings.length < 20) {
      const number = next++
      const drawn = drawConnection(seed, number)
      result.requests += drawn.requests
      result.connections++
      const { received, took } = await attack(Number(new URL(url).port), drawn)
      result.slowest = Math.max(result.slowest, took)
      if (took >= patience)
        result.findings.push(`${number}: open ${patience / 1_000} s after the end of its client`)
      const answers = answersIn(received)
      result.answers += answers.length
      for (const answer of answers) {
        const problem = problemOf(answer)
        if (problem) result.findings.push(`${number}: ${problem}`)
      }
    }
  }
  await Promise.all(Array.from({ length: crowd }, client))
  return result
}

/** Plays the part of a client; returns what it received, and how long its connection stayed open after its end, ms. */
async function attack(port: number, { pieces, ending, isDeaf }: ReturnType<typeof drawConnection>) {
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
  const timeout = new AbortController()
  await Promise.race([
    closed,
    setTimeout(patience, undefined, { signal: timeout.signal }).catch(() => undefined),
  ])
  timeout.abort()
  socket.destroy()
  return { received: Buffer.concat(received), took: performance.now() - ended }
}

interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** The whole answers in what a connection sent, up to one whose end cannot be told. */
export function answersIn(received: Buffer): Answer[] {
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

/** What operations answer; of insights nothing is published but that they are an object. */
const shapes = operationIds
  .filter((id) => id !== 'getInsights')
  .flatMap((id) => Object.values(routeOf(id).answer))

/** Whether it is what some operation answers, or the description of them at `/openapi.json`. */
const isDeclared = (json: object) =>
  'impressions' in json || 'openapi' in json || shapes.some((shape) => shape.safeParse(json).success)

/** Why nobody should get an answer; undefined: it is as the contract says, or as a fault does. */
export function problemOf({ status, headers, body }: Answer): string | undefined {
  if (status === 0) return `no HTTP: ${JSON.stringify(body.slice(0, 80))}`
  if (headers.has('x-mock-reason') || status < 200) return undefined
  const told = `${status} ${body.slice(0, 200)}`
  const type = headers.get('content-type')
  if (!type?.includes('json')) return status >= 500 ? told : undefined
  const json = parsed(body) as { error?: unknown; message?: unknown; status?: unknown; title?: unknown }
  if (json === undefined) return `no JSON: ${told}`
  // What control routes answer has this header.
  if (status < 400)
    return headers.has('content-security-policy') || isDeclared(json) ? undefined : `of no operation: ${told}`
  if (type.startsWith('application/problem+json'))
    return status >= 500 || json.status !== status || typeof json.title !== 'string' ? told : undefined
  return declared.has(`${status} ${json.error}`) && typeof json.message === 'string' ? undefined : told
}
