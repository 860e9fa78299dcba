/** Progress in a terminal and in a log. */
import { expect, test } from 'vitest'
import { sampleRun } from '#contract-tests/report/testing/sample.ts'
import { showProgress } from '../screen.ts'

const { results } = sampleRun()

function shown(isTTY: boolean, columns?: number) {
  const written: string[] = []
  const write = (text: string) => written.push(text)
  let now = 0
  const { progress, onWait, onAwait, end } = showProgress({ isTTY, write, columns }, () => (now += 1_000))
  results.forEach((verdict, i) => void progress(verdict, i + 1, results.length))
  onWait(500)
  onWait(61_500)
  onAwait('a run to end', 60_000)
  end()
  return written
}

test('a terminal shows one line that is overwritten, and cleared at the end', () => {
  const written = shown(true)
  expect(written).toHaveLength(results.length + 3)
  expect(written.every((text) => text.startsWith('\r\x1b[K') && !text.includes('\n'))).toBe(true)
  expect(written[1]).toBe('\r\x1b[K2/7  1 failed  5 left, about 5 s  SAMPLE-FAILED')
  expect(written.at(-3)).toContain('waiting 62 s, as the service asks')
  expect(written.at(-2)).toMatch(/1 failed {2}0 left {2}waiting for a run to end, at most 60 s$/)
  expect(written.at(-1)).toBe('\r\x1b[K')
})

test('the line is never longer than the terminal is wide', () => {
  for (const text of shown(true, 20)) expect(text.replace('\r\x1b[K', '').length).toBeLessThan(20)
  expect(shown(true, 0)).toEqual(shown(true, 80))
})

test('a log has plain lines: failures, progress and waits', () => {
  expect(shown(false)).toEqual([
    'failed: SAMPLE-FAILED\n',
    'harness error: SAMPLE-HARNESS-ERROR\n',
    '7 of 7 judged\n',
    'waiting 62 s, as the service asks\n',
    'waiting for a run to end, at most 60 s; 0 left\n',
  ])
})
