import { expect, test } from 'vitest'
import { goalsOf } from './goals.ts'
import { pageOf } from './page.ts'
import type { Results } from './results.ts'
import type { Side } from './side.ts'

const load = (rate: number) => ({ rate, cpu_us: 1e6 / rate })

const side = (name: string, kind: Side['kind'], cannotKeep?: string): Side => ({
  name,
  kind,
  cannotKeep,
  version: '1.0.0',
  setUp: `how ${name} is set up`,
  start: () => Promise.reject(new Error('not here')),
  startWith: () => Promise.reject(new Error('not here')),
})

const reading = (rate: number, start_mb: number, keeps = true) => ({
  ready_ms: 100,
  start_mb,
  get: load(rate),
  latency_us: 1e6 / rate,
  pairs: keeps ? load(rate / 2) : undefined,
})

const results: Results = {
  where: 'Node v0, here.',
  rounds: 2,
  sides: [
    { side: side('own', 'own'), readings: [reading(60_000, 69), reading(40_000, 69)] },
    { side: side('bare', 'yardstick'), readings: [reading(80_000, 60), reading(60_000, 60)] },
    {
      side: side('peer', 'peer', 'it forgets'),
      readings: [reading(10_000, 80, false), reading(10_000, 80, false)],
    },
  ],
  growth: [
    { side: side('own', 'own'), tasks: 10, readings: [{ mb: 70, get: load(50_000) }] },
    { side: side('own', 'own'), tasks: 1_000, readings: [{ mb: 72, get: load(25_000) }] },
  ],
  inProcess: [],
  missing: ['other: could not be started: spawn java ENOENT'],
}

test('a page tells medians with their ends, ratios, and who cannot or could not', () => {
  const page = pageOf(results, goalsOf(results))
  expect(page).toContain('| own | 60000 (40000–60000) | 1.00 |')
  expect(page).toContain('| peer | 10000 | 6.00 (4.00–6.00) |')
  expect(page).toContain('| peer | cannot: it forgets |')
  expect(page).toContain('| own | 50000 | 25000 | 0.50 | 72 |')
  expect(page).toContain('Not measured: other: could not be started: spawn java ENOENT.')
})

test('goals are told as reached or not, the yardstick being no peer', () => {
  const goals = goalsOf(results)
  const reached = (start: string) => goals.find(({ what }) => what.startsWith(start))?.reached
  expect(reached('>= 0.6')).toBe(true)
  expect(reached('>= 5 times')).toBe(true)
  expect(reached('memory at start < 70')).toBe(true)
  expect(reached('ahead of every peer: memory at start')).toBe(true)
  expect(reached('ahead of every peer: ready')).toBe(false)
})
