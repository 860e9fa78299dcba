/** Every command of every page does what the page says of it. */
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exemptCommands } from './testing/exempt.ts'
import { pages } from './testing/pages.ts'
import { isShell, readerOf, stepsOf } from './testing/reader.ts'
import type { Outcome } from './testing/shell.ts'

const curl = spawnSync('curl', ['--version']).status === 0
const typed = pages.filter(({ blocks }) => blocks.some(isShell))

const sessions = new Map<string, Promise<ReadonlyMap<number, Outcome>>>()

/** All at once: much of their time is waiting. */
beforeAll(() => {
  for (const page of curl ? typed : []) sessions.set(page.path, readerOf(page))
  for (const session of sessions.values()) session.catch(() => 'told by its tests')
})
afterAll(() => Promise.allSettled(sessions.values()), 90_000)

describe.skipIf(!curl).each(typed)(
  '$path',
  (page) => {
    const steps = stepsOf(page)
    const outcomeOf = async (line: number) => (await sessions.get(page.path))?.get(line) as Outcome

    test.each(steps)('$line: $text', async ({ line, exit, status, holds, text }) => {
      const { exit: ended, out, err, statuses } = await outcomeOf(line)
      expect(ended, err + out).toBe(exit)
      const last = statuses.at(-1)
      if (status !== undefined) expect(last, out).toBe(status)
      else if (last !== undefined) expect(String(last), out).toMatch(/^2/)
      if (holds !== undefined) expect(out).toContain(holds)
      if (/^curl /.test(text)) expect(statuses).toHaveLength(1)
    })

    test.each(
      page.blocks.filter(({ language, follows }) => language === 'json' && follows),
    )('$line: the answer is the one that is shown', async ({ line, text }) => {
      const command = steps.findLast((step) => step.line < line)
      const { out } = await outcomeOf(command?.line ?? 0)
      expect(JSON.parse(out)).toEqual(shown(JSON.parse(text)))
    })
  },
  90_000,
)

/** An answer as a page shows it: `…` stands for any text. */
function shown(value: unknown): unknown {
  if (value === '…') return expect.any(String)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(shown)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)]))
}

test('npm runs what the package says, and hands flags over', () => {
  const command = ['start', '--silent', '--', '--list-scenarios']
  const { stdout, status } = spawnSync('npm', command, { encoding: 'utf8' })
  expect([status, stdout.includes('out-of-credits')]).toEqual([0, true])
}, 30_000)

test('every exempt command still stands on a page', () => {
  const written = typed.flatMap(stepsOf).map(({ text }) => text)
  for (const command of Object.keys(exemptCommands)) expect(written).toContain(command)
})
