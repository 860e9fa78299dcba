/** Every command of every page has the result that the page states. */
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exemptCommands } from './testing/exempt.ts'
import { pages } from './testing/pages.ts'
import { type CommandResult, isShell, runPageCommands, shellCommandsOf } from './testing/reader.ts'

const curl = spawnSync('curl', ['--version']).status === 0
const withCommands = pages.filter(({ blocks }) => blocks.some(isShell))

const sessions = new Map<string, Promise<ReadonlyMap<number, CommandResult>>>()

/** All pages at once: they mostly wait. */
beforeAll(() => {
  for (const page of curl ? withCommands : []) sessions.set(page.path, runPageCommands(page))
  for (const session of sessions.values()) session.catch(() => 'reported by its tests')
})
afterAll(() => Promise.allSettled(sessions.values()), 90_000)

describe.skipIf(!curl).each(withCommands)(
  '$path',
  (page) => {
    const steps = shellCommandsOf(page)
    const outcomeOf = async (line: number) => (await sessions.get(page.path))?.get(line) as CommandResult

    test.each(steps)('$line: $text', async ({ line, exit, status, contains, text }) => {
      const { exit: exited, out, err, statuses } = await outcomeOf(line)
      expect(exited, err + out).toBe(exit)
      const last = statuses.at(-1)
      if (status !== undefined) expect(last, out).toBe(status)
      else if (last !== undefined) expect(String(last), out).toMatch(/^2/)
      if (contains !== undefined) expect(out).toContain(contains)
      if (/^curl /.test(text) && !(text in exemptCommands)) expect(statuses).toHaveLength(1)
    })

    test.each(
      page.blocks.filter(({ language, follows }) => language === 'json' && follows),
    )('$line: the answer is as shown', async ({ line, text }) => {
      const command = steps.findLast((step) => step.line < line)
      const { out } = await outcomeOf(command?.line ?? 0)
      expect(JSON.parse(out)).toEqual(shown(JSON.parse(text)))
    })
  },
  90_000,
)

/** A matcher for an answer as a page shows it: `…` stands for any string. */
function shown(value: unknown): unknown {
  if (value === '…') return expect.any(String)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(shown)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)]))
}

test('npm runs the script and passes flags on', () => {
  const command = ['start', '--silent', '--', '--help']
  const { stdout, status } = spawnSync('npm', command, { encoding: 'utf8' })
  expect([status, stdout.includes('--list-scenarios')]).toEqual([0, true])
})

test('every exempt command is on a page', () => {
  const written = withCommands.flatMap(shellCommandsOf).map(({ text }) => text)
  for (const command of Object.keys(exemptCommands)) expect(written).toContain(command)
})
