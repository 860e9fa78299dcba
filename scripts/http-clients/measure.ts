/** Measures a set-up: the requests that its program sends to the raw server, and the answers that it understands. */
import { spawn } from 'node:child_process'
import { type RawServer, retryAfterSeconds } from './raw-server.ts'
import type { HttpClientSetUp } from './set-ups.ts'

/**
 * The number of requests that arrived at the server. `isEndless`: true if the program was stopped before it had sent
 * its last one.
 */
export interface RequestCount {
  readonly requests: number
  readonly isEndless: boolean
}

/** What was measured of a set-up: how many requests arrived in each case, and how it took answers. */
export interface HttpClientMeasurements {
  readonly fresh: RequestCount
  readonly reused: RequestCount | 'no reuse'
  readonly after408: RequestCount
  readonly after429: RequestCount
  readonly after503: RequestCount
  /** True if a repeat waited as long as `Retry-After` says; undefined: nothing was repeated. */
  readonly waits: boolean | undefined
  /** What the program made of answers that end early: of one with a length, and of one in chunks. */
  readonly cut: readonly [CutAnswerOutcome, CutAnswerOutcome]
}

/** What a program takes an answer for that ends early. */
export type CutAnswerOutcome = 'error' | 'taken for whole'

/** The longest time that the requests of one program may take, ms. */
const programLimitMs = 120_000
/** The longest time that a program may go on after a lost answer, ms. */
const lostLimitMs = 25_000

interface Ran {
  readonly lines: readonly string[]
  readonly isKilled: boolean
  readonly ms: number
}

/** Runs the program of a set-up (an HTTP client with its settings); it is killed after the time limit. */
export function runHttpClientSetUp(
  { command }: HttpClientSetUp,
  requests: readonly string[],
  limitMs: number,
  cwd: string,
): Promise<Ran> {
  const [program = '', ...args] = command
  return new Promise((resolve) => {
    const start = performance.now()
    const env = { ...process.env, AWS_EC2_METADATA_DISABLED: 'true', NO_PROXY: '*' }
    const child = spawn(program, [...args, ...requests], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    let [out, isKilled] = ['', false]
    child.stdout.on('data', (text) => {
      out += text
    })
    const timer = setTimeout(() => {
      isKilled = true
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    }, limitMs)
    child.on('error', () => {})
    child.on('close', () => {
      clearTimeout(timer)
      resolve({ lines: out.split('\n').filter(Boolean), isKilled, ms: performance.now() - start })
    })
  })
}

const isAnswered = (line: string | undefined) => /^\d{3} /.test(line ?? '')
let runs = 0

/**
 * Measures a set-up (an HTTP client with its settings): everything in the table but its time limit. Returns undefined
 * if the program does not work.
 */
export async function measureHttpClientSetUp(
  setUp: HttpClientSetUp,
  server: RawServer,
  base: string,
  cwd: string,
): Promise<HttpClientMeasurements | undefined> {
  const name = `run${runs++}`
  const at = (request: string) => request.replace('=', `=${base}/${name}/`)
  const sent = (treatment: string, isKilled: boolean): RequestCount => ({
    requests: server.arrivals(name, treatment).length,
    isEndless: isKilled,
  })
  const fresh = await runHttpClientSetUp(setUp, ['POST=lost'].map(at), lostLimitMs, cwd)
  const reused = await runHttpClientSetUp(setUp, ['GET=ok', 'POST=lost-reused'].map(at), lostLimitMs, cwd)
  const words = 'POST=408 POST=429 POST=503 GET=get-503 GET=cut-length GET=cut-chunk'.split(' ')
  const errors = await runHttpClientSetUp(setUp, words.map(at), programLimitMs, cwd)
  if (server.arrivals(name, 'lost').length === 0 || errors.lines.length < 4) return undefined
  const pauses = ['429', '503', 'get-503'].flatMap((treatment) => {
    const [first, second] = server.arrivals(name, treatment)
    return first !== undefined && second !== undefined ? [second - first] : []
  })
  const [firstCut, secondCut] = errors.lines.slice(4)
  return {
    fresh: sent('lost', fresh.isKilled),
    reused:
      isAnswered(reused.lines[1]) && server.arrivals(name, 'lost-reused').length === 1
        ? 'no reuse'
        : sent('lost-reused', reused.isKilled),
    after408: sent('408', false),
    after429: sent('429', false),
    after503: sent('503', false),
    waits: pauses.length > 0 ? pauses.every((ms) => ms > retryAfterSeconds * 980) : undefined,
    cut: [
      isAnswered(firstCut) ? 'taken for whole' : 'error',
      isAnswered(secondCut) ? 'taken for whole' : 'error',
    ],
  }
}

/**
 * Measures after how many seconds a set-up gives up waiting for an answer that never comes; undefined: not within the
 * limit.
 */
export async function measureTimeLimitSeconds(
  setUp: HttpClientSetUp,
  server: RawServer,
  base: string,
  limitMs: number,
  cwd: string,
): Promise<number | undefined> {
  const name = `silent${runs++}`
  const { isKilled } = await runHttpClientSetUp(setUp, [`POST=${base}/${name}/silent`], limitMs, cwd)
  const [first] = server.arrivals(name, 'silent')
  return isKilled || first === undefined ? undefined : Math.round((performance.now() - first) / 1_000)
}
