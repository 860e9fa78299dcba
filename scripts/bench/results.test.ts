import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import {
  compareWithGoals,
  pageOf,
  type Readings,
  type Results,
  resultsText,
  summarize,
  tableOf,
  takeTurns,
} from './results.ts'
import { idIn } from './server.ts'
import type { Side } from './sides.ts'

const side = (name: string, kind: Side['kind'], cannotKeep?: string): Side => ({
  ...{ name, kind, setUp: `how ${name} is set up` },
  ...(cannotKeep && { cannotKeep }),
})

const sides = [
  side('own', 'own'),
  side('bare', 'baseline'),
  side('near', 'peer'),
  side('far', 'peer', 'it forgets'),
]
const readingsOf = (get: number[], ready: number) =>
  get.map((rate) => ({ get: rate, get_cpu: 1e6 / rate, ready }))
const readings = new Map([
  ['own', readingsOf([10, 20, 40], 160).map((one) => ({ ...one, pairs: 5 }))],
  ['bare', readingsOf([20, 25, 40], 60)],
  ['near', readingsOf([5, 8, 20], 80)],
  ['far', readingsOf([1, 1, 1], 200)],
])
const results: Results = {
  ...{ date: '2026-01-01', machine: 'here', generator: 'a test', rounds: 3, sides },
  rows: summarize(sides, readings),
  missing: ['other: spawn java ENOENT'],
}
const outcome = (start: string) => compareWithGoals(results).find(([goal]) => goal?.startsWith(start))

test('medians stand beside their ends, ratios are of the same rounds, and a missing value is a dash', () => {
  expect(tableOf('served', results)).toContain('| own | 20 (10–40) | 1.00 |')
  expect(tableOf('served', results)).toContain('| far | 1 | 20.00 (10.00–40.00) |')
  expect(tableOf('pairs', results).split('\n')).toHaveLength(3)
})

test('a goal names the nearest peer, by the median of the ratios in the same rounds', () => {
  expect(outcome('requests/s: ahead')).toEqual([
    'requests/s: ahead of every peer',
    '2.00 (20.0 against 8.0 of near; by CPU time 2.00)',
    'yes',
    '',
  ])
  expect(outcome('requests/s: >= 5')?.[3]).toContain('bare `node:http` answers 3.1 times as many')
})

test('the id of a task is found in the answer of each kind of side', () => {
  expect(idIn('{"task":{"id":"task_1x","text":"t"},"credits":25}')).toBe('task_1x')
  expect(idIn('{\n  "text": "t",\n  "id": 17\n}')).toBe('17')
  expect(idIn('{"text":"t","id":"a1b2-c3"}')).toBe('a1b2-c3')
  expect(() => idIn('{}')).toThrow('no id')
})

test('the data are published as they are written', () => {
  const data = readFileSync('docs/benchmarks.json', 'utf8')
  expect(resultsText(JSON.parse(data))).toBe(data)
})

test('each bar is the share of the requests per second of the mock, the longest first', () => {
  const chart = pageOf(results)
  expect(chart).toContain('x-axis ["bare", "own", "near", "far"]')
  expect(chart).toContain('"times the mock" 0 --> 2')
  expect(chart).toContain('bar [1.25, 1.00, 0.50, 0.05]')
})

test('sides take turns in going first, and each keeps its readings', async () => {
  const readings: Readings = new Map()
  vi.spyOn(console, 'error').mockReturnValue()
  let time = 0
  await takeTurns(readings, 3, [{ name: 'own' }, { name: 'peer' }], async () => ({ at: ++time }))
  expect(readings.get('own')).toEqual([{ at: 1 }, { at: 4 }, { at: 5 }])
  expect(readings.get('peer')).toEqual([{ at: 2 }, { at: 3 }, { at: 6 }])
})
