/**
 * Hostile requests over raw sockets. Wrong are a 500, an answer that no contract declares, a connection that stays open
 * after its client has ended, a descriptor that is not given back, and memory that grows.
 */
import { setTimeout } from 'node:timers/promises'
import { flood } from './flood.ts'
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
