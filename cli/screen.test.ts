/** Output of `check` and `verify` while they run, in a terminal and in a log. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sampleRun } from '#contract-tests/report/testing/sample.ts'
import { createCommandDisplay, createProgressDisplay } from './screen.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A screen, and all that it wrote. */
function screenOn(isTTY: boolean, quiet = false) {
  const written: string[] = []
  const screen = createCommandDisplay({ isTTY, columns: 80, write: (text) => written.push(text) }, quiet)
  return { screen, written }
}

test('a terminal shows the progress at once and below what the client prints', () => {
  const { screen, written } = screenOn(true)
  const countOne = screen.count(22)
  vi.advanceTimersByTime(2_000)
  countOne()
  screen.show('hello')
  screen.end()
  screen.logError('done')
  expect(written).toEqual([
    '\r\x1b[Kcheck: 0 of 22 runs, 0 s',
    '\r\x1b[Kcheck: 0 of 22 runs, 1 s',
    '\r\x1b[Kcheck: 0 of 22 runs, 2 s',
    '\r\x1b[Kcheck: 1 of 22 runs, 2 s',
    '\r\x1b[Khello\ncheck: 1 of 22 runs, 2 s',
    '\r\x1b[K',
    'check: done\n',
  ])
})

test('a log shows a line for every 50 runs', () => {
  const { screen, written } = screenOn(false)
  const countOne = screen.count(100)
  for (let i = 0; i < 100; i++) countOne()
  screen.end()
  expect(written).toEqual(['check: 50 of 100 runs, about 0 s left\n'])
})

test('once a tenth of the runs is done, it is said how long the others will take', () => {
  const { screen, written } = screenOn(true)
  const countOne = screen.count(20)
  vi.advanceTimersByTime(3_000)
  countOne()
  countOne()
  screen.end()
  expect(written.slice(-3)).toEqual([
    '\r\x1b[Kcheck: 1 of 20 runs, 3 s',
    '\r\x1b[Kcheck: 2 of 20 runs, 3 s, about 27 s left',
    '\r\x1b[K',
  ])
})

test('a quiet screen shows only warnings', () => {
  const { screen, written } = screenOn(true, true)
  screen.count(2)()
  screen.logError('not shown')
  screen.show('not shown')
  screen.warn('shown')
  screen.end()
  expect(written).toEqual(['check: shown\n'])
})

const { results } = sampleRun()

function shown(isTTY: boolean, columns?: number) {
  const written: string[] = []
  const write = (text: string) => written.push(text)
  let now = 0
  const { progress, onWait, onAwait, end } = createProgressDisplay(
    { isTTY, write, columns },
    () => (now += 1_000),
  )
  results.forEach((verdict, i) => void progress(verdict, i + 1, results.length))
  onWait(500, true)
  onWait(61_500, true)
  onAwait('a run to end', 60_000)
  end()
  return written
}

test('a terminal shows one line that is overwritten, and cleared at the end', () => {
  const written = shown(true)
  expect(written).toHaveLength(results.length + 3)
  expect(written.every((text) => text.startsWith('\r\x1b[K') && !text.includes('\n'))).toBe(true)
  expect(written[1]).toBe('\r\x1b[K2/8  1 failed  6 left, about 6 s  SAMPLE-FAILED')
  expect(written.at(-3)).toContain('waiting 62 s, as the service asks')
  expect(written.at(-2)).toMatch(/1 failed {2}0 left {2}waiting for a run to end, at most 60 s$/)
  expect(written.at(-1)).toBe('\r\x1b[K')
})

test('a wait says whether the service asked for it', () => {
  const written: string[] = []
  const { onWait } = createProgressDisplay({ isTTY: false, write: (text) => written.push(text) })
  onWait(2_000, false)
  expect(written).toEqual(['waiting 2 s, since it refuses and does not say for how long\n'])
})

test('the line is never longer than the terminal is wide', () => {
  for (const text of shown(true, 20)) expect(text.replace('\r\x1b[K', '').length).toBeLessThan(20)
  expect(shown(true, 0)).toEqual(shown(true, 80))
})

test('a log has plain lines: failures, progress and waits', () => {
  expect(shown(false)).toEqual([
    'failed: SAMPLE-FAILED\n',
    'suspected: SAMPLE-SUSPECTED\n',
    'harness error: SAMPLE-HARNESS-ERROR\n',
    '8 of 8 judged\n',
    'waiting 62 s, as the service asks\n',
    'waiting for a run to end, at most 60 s; 0 left\n',
  ])
})
