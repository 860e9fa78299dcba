/** The table of HTTP clients holds every set-up of the list, and a fix that helps for each that pays twice. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { paysTwice, renderHttpClientsPage } from './page.ts'
import { httpClientSetUps } from './set-ups.ts'

const page = readFileSync('docs/http-clients.md', 'utf8')
const rows = page.split('\n').filter((line) => /^\| (?!Language|---)/.test(line))
const cellsOf = (row: string) => row.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, ''))

test('the page has a row for at least 80 set-ups, each of which is in the list', () => {
  expect(rows.length).toBeGreaterThanOrEqual(80)
  for (const row of rows) {
    const [language, name = ''] = cellsOf(row)
    expect(
      httpClientSetUps.some((setUp) => setUp.language === language && name.startsWith(`${setUp.library} (`)),
      row,
    ).toBe(true)
  }
})

test('beside each set-up that pays twice stands what ends it, with one POST measured, or that no switch is known', () => {
  const repeating = rows.filter(
    (row) => /^\*\*/.test(cellsOf(row)[2] ?? '') || /^\*\*/.test(cellsOf(row)[3] ?? ''),
  )
  expect(repeating.length).toBeGreaterThan(20)
  for (const row of repeating) expect(row).toMatch(/: 1, (1|no reuse) \|$|\| no switch is known \|$/)
})

test('a set-up that sends a lost POST again on a reused connection alone pays twice', () => {
  const one = { requests: 1, isEndless: false }
  const measured = {
    ...{ fresh: one, reused: { requests: 2, isEndless: false } },
    ...{ after408: one, after429: one, after503: one, waits: undefined },
    cut: ['error', 'taken for whole'] as const,
  }
  expect(paysTwice(measured)).toBe(true)
  expect(paysTwice({ ...measured, reused: 'no reuse' })).toBe(false)
  const setUp = { language: 'C', library: 'example', source: { debian: 'example' }, command: ['example'] }
  expect(
    renderHttpClientsPage([{ setUp, version: '1', measured, timeLimit: undefined }], 'Debian 12'),
  ).toContain(
    '| C | example (1) | 1 | **2** | 1 | 1 | 1 |  | error, taken for whole | none | no switch is known |',
  )
})
