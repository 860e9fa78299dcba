import { readFileSync } from 'node:fs'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { chartOf } from './chart.ts'
import type { Results } from './results.ts'

const results: Results = JSON.parse(readFileSync('docs/benchmarks.json', 'utf8'))
const chart = readFileSync('docs/benchmarks.svg', 'utf8')
const { svg } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(chart)

test('the published chart is well-formed, has a title and a description, and is that of the published data', () => {
  expect(XMLValidator.validate(chart)).toBe(true)
  expect(svg.title['#text']).toContain('Requests per second')
  expect(svg.desc['#text']).toContain('WireMock')
  expect(chart).toBe(chartOf(results))
})

test('each bar is as long as its share of the requests per second of the mock', () => {
  const bars: { text: { '#text': unknown }[]; rect: { width: string } }[] = svg.g
  const widths = new Map(bars.map(({ text, rect }) => [text[0]?.['#text'], Number(rect.width)]))
  const rates = Object.entries(results.rows.get ?? {})
  expect(widths.size).toBe(rates.length)
  for (const [name, { times }] of rates)
    expect(widths.get(name)).toBeCloseTo((widths.get('work-agent-contract') ?? 0) / times[0], 0)
})
