/**
 * Full load while a page reads the stream, with faults, chaos and jumps of the clock. Each organization is reset
 * whenever it has had enough runs, after a check of its ledger.
 */
import { setTimeout } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { showProgressLine } from '../proof/pool.ts'
import { fetchWithRetry, startMeasuredMock } from './measured-mock.ts'

/** Number of requests to an organization between two checks of its ledger. */
const span = 600
/** Most by which the heap may grow after a fifth of the time, MB. */
const growth = 15

interface Ledger {
  readonly balance: number
  readonly reserved: number
  readonly spent: number
  readonly added: number
  readonly entries: readonly { kind: string; amount: number; balance: number; subject: string | null }[]
}

/**
 * Checks a ledger; returns the reasons why it is not exact, such as a wrong sum or balance, or more than one refund for
 * a reservation.
 */
export function ledgerProblemsOf({ balance, reserved, spent, added, entries }: Ledger): string[] {
  let sum = 0
  const open = new Map<string | null, number>()
  const problems: string[] = []
  for (const { kind, amount, balance: after, subject } of entries) {
    sum += amount
    if (after !== sum || after < 0)
      problems.push(`the balance after ${kind} of ${subject} is ${after}, not ${sum}`)
    if (kind === 'top_up') continue
    const left = (open.get(subject) ?? 0) - amount
    if (left < 0 || left > 1) problems.push(`${kind} of ${subject} a second time`)
    open.set(subject, left)
  }
  if (balance !== sum || added !== balance + reserved + spent)
    problems.push(`the sums are not exact: ${balance}`)
  return problems
}

/** A shorter run says nothing of the heap, minutes. */
const warmUp = 2

/**
 * Runs the soak test (full load with faults and jumps of the clock) for this number of minutes; returns figures and
 * every problem found.
 */
export async function runSoakTest(minutes: number, seed: string) {
  const flags =
    '--rate-limit off --journal 2000 --chaos 0.02 --run-outcome 0.3 --credits 100 --run-duration 200ms'
  await using mock = await startMeasuredMock([...flags.split(' '), '--seed', seed])
  const agent = new Agent({ connections: 32 })
  const findings: string[] = []
  const times: number[] = []
  let [requests, ledgers, streamed] = [0, 0, 0]
  const end = performance.now() + minutes * 60_000

  async function send(
    key: string,
    path: string,
    body?: object,
  ): Promise<{ task?: { id?: string } } | undefined> {
    const started = performance.now()
    requests++
    try {
      const response = await request(`${mock.url}/api/cli/${path}`, {
        dispatcher: agent,
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        headersTimeout: 2_000,
        bodyTimeout: 2_000,
      })
      const text = await response.body.text()
      // Answers that a fault delayed or made say nothing about the service.
      if (response.headers['x-mock-reason'] !== undefined) return undefined
      if (times.length < 5e6) times.push(performance.now() - started)
      if (response.statusCode === 200) return JSON.parse(text)
      if (response.statusCode !== 402 && response.statusCode !== 409)
        findings.push(`${path}: ${response.statusCode} ${text}`)
    } catch (error) {
      // A fault of chaos may end the connection or hang.
      if (mock.child.exitCode !== null) findings.push(`the mock has ended: ${error}`)
    }
    return undefined
  }

  async function look(key: string, reset: boolean): Promise<void> {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetchWithRetry(`${mock.url}/__admin/ledger`, { headers })
    const {
      ledgers: [ledger],
    } = (await response.json()) as { ledgers: Ledger[] }
    findings.push(...(ledger ? ledgerProblemsOf(ledger) : ['no ledger']).map((one) => `${key}: ${one}`))
    ledgers++
    if (reset) await fetchWithRetry(`${mock.url}/__admin/reset/state`, { method: 'POST', headers })
  }

  const keys = Array.from({ length: 24 }, (_, i) => `wak_test_soak${i}`)
  const clients = keys.map(async (key) => {
    for (let n = 1; performance.now() < end && findings.length < 20; n++) {
      const id = (await send(key, 'tasks', { text: `task ${n}` }))?.task?.id
      if (id !== undefined) await send(key, `tasks/${id}/run`, {})
      for (const path of ['whoami', 'tasks', 'notifications', `tasks/${id ?? 'none'}`])
        if (id !== undefined || !path.endsWith('none')) await send(key, path)
      if (n % (span / 6) === 0) await look(key, true)
    }
    await look(key, false)
  })
  const stopped = new AbortController()
  const page = fetch(`${mock.url}/__admin/stream`, { signal: stopped.signal }).then(async ({ body }) => {
    for await (const chunk of body ?? []) streamed += chunk.length
  })
  page.catch(() => undefined)
  let [level, heap] = [0, 0]
  for (let step = 1; performance.now() < end && mock.child.exitCode === null; step++) {
    await setTimeout(Math.min(minutes * 3_000, end - performance.now() + 1))
    await mock.control('PUT', '/clock', { action: 'advance', by: step % 5 === 0 ? '720h' : '2h' })
    await mock.control('POST', '/faults', { rule: 'whoami=rate_limited,ok;times=20' })
    heap = await mock.heap()
    if (step === 4) level = heap
    showProgressLine(`${requests} requests, heap ${heap.toFixed(1)} MB`)
  }
  await Promise.all(clients)
  stopped.abort()
  await agent.destroy()
  if (streamed === 0) findings.push('the stream of the page was silent')
  // Until the journal is full, the heap grows.
  if (minutes >= warmUp && heap > level + growth) findings.push(`the heap grew from ${level} to ${heap} MB`)
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10
  return { findings, requests, ledgers, streamed, p50: at(0.5), p99: at(0.99), p999: at(0.999), level, heap }
}
