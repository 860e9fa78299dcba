/** Measured values become medians and ratios; what is made of them is on the page, which must be current. */
import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import {
  type MeasuredValues,
  measureInTurns,
  renderMeasurementTable,
  resultsText,
  summarizeMeasurements,
} from './results.ts'
import { taskIdInAnswer } from './server.ts'
import type { BenchmarkSide } from './sides.ts'

const side = (name: string, kind: BenchmarkSide['kind']): BenchmarkSide => ({
  name,
  kind,
  setUp: `how ${name} is set up`,
})
const readingsOf = (get: readonly number[]) => get.map((rate) => ({ get: rate }))
const noResults = { date: '', machine: '', generator: '', rounds: 3, missing: [] }

test('medians stand beside their ends, ratios are of the same rounds, and a missing value is a dash', () => {
  const sides = [side('own', 'own'), side('near', 'peer')]
  const readings = new Map([
    ['own', readingsOf([10, 20, 40]).map((one) => ({ ...one, ready: 160 }))],
    ['near', readingsOf([5, 8, 20])],
  ])
  const rows = summarizeMeasurements(sides, readings)
  expect(rows).toEqual({
    get: {
      own: { value: [20, 10, 40], times: [1, 1, 1] },
      near: { value: [8, 5, 20], times: [2, 2, 2.5] },
    },
    ready: { own: { value: [160, 160, 160], times: [1, 1, 1] } },
  })
  expect(renderMeasurementTable('served', { ...noResults, sides, rows })).toContain(
    '| near | 8 (5–20) | 2.00 (2.00–2.50) | - |',
  )
})

test('the id of a task is found in the answer of each kind of side', () => {
  expect(taskIdInAnswer('{"task":{"id":"task_1x","text":"t"},"credits":25}')).toBe('task_1x')
  expect(taskIdInAnswer('{\n  "text": "t",\n  "id": 17\n}')).toBe('17')
  expect(taskIdInAnswer('{"text":"t","id":"a1b2-c3"}')).toBe('a1b2-c3')
  expect(() => taskIdInAnswer('{}')).toThrow('no id')
})

test('the data are published as they are written', () => {
  const data = readFileSync('docs/benchmarks.json', 'utf8')
  expect(resultsText(JSON.parse(data))).toBe(data)
})

test('sides take turns in going first, and each keeps its readings', async () => {
  const readings: MeasuredValues = new Map()
  vi.spyOn(console, 'error').mockReturnValue()
  let time = 0
  await measureInTurns(readings, 3, [{ name: 'own' }, { name: 'peer' }], async () => ({ at: ++time }))
  expect(readings.get('own')).toEqual([{ at: 1 }, { at: 4 }, { at: 5 }])
  expect(readings.get('peer')).toEqual([{ at: 2 }, { at: 3 }, { at: 6 }])
})
