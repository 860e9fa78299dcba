/** What `check` writes while it runs. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createScreen } from '../screen.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A screen, and all that it wrote. */
function screenOn(isTTY: boolean, quiet = false) {
  const written: string[] = []
  const screen = createScreen({ isTTY, columns: 80, write: (text) => written.push(text) }, quiet)
  return { screen, written }
}

test('a terminal shows the progress at once and below what the client prints', () => {
  const { screen, written } = screenOn(true)
  const countOne = screen.count(22)
  vi.advanceTimersByTime(2_000)
  countOne()
  screen.show('hello')
  screen.end()
  screen.tell('done')
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
  expect(written).toEqual(['check: 50 of 100 runs\n'])
})

test('a quiet screen shows only warnings', () => {
  const { screen, written } = screenOn(true, true)
  screen.count(2)()
  screen.tell('not shown')
  screen.show('not shown')
  screen.warn('shown')
  screen.end()
  expect(written).toEqual(['check: shown\n'])
})
