/** The options of the search, and `verify --explore` on the embedded mock. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { verifyCommand } from '../command-lines.ts'
import { readCommandLine, UsageError } from '../flags.ts'
import { runInProcess } from '../testing/in-process.ts'
import { readSearchOptions } from './explore.ts'

const folder = mkdtempSync(join(tmpdir(), 'explore-'))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (...argv: string[]) => readSearchOptions(readCommandLine(verifyCommand, argv, {}))
const verify = (...args: string[]) => runInProcess(['verify', ...args], {})

test('a number is a number of steps, anything else a time', () => {
  expect(read()).toBeUndefined()
  expect(read('--explore', '500')).toMatchObject({ until: { steps: 500 }, seed: 1, clients: 8, only: false })
  expect(read('--explore', '60s')).toMatchObject({ until: { ms: 60_000 } })
  expect(
    read('--explore', '1', '--explore-seed', '7', '--explore-clients', '2', '--explore-only'),
  ).toMatchObject({
    seed: 7,
    clients: 2,
    only: true,
  })
})

test.each([
  [['--explore-only'], '--explore-only needs --explore'],
  [['--explore', '60s', '--read-only'], 'leave --read-only out'],
  [['--explore', 'soon'], '--explore'],
  [['--explore-replay', 'package.json'], 'package.json is no saved history: '],
])('%j is a usage error', (argv, message) => {
  expect(() => read(...argv)).toThrow(UsageError)
  expect(() => read(...argv)).toThrow(message)
})

test('the search alone reports what it tried, writes its history, and finds nothing in the mock', async () => {
  const history = join(folder, 'history.ndjson')
  const { code, out, err } = await verify('--explore', '60', '--explore-only', '--history', history)
  expect(out).toContain('PASSED')
  expect(err).toMatch(/explored \d+ steps, \d+ situations, \d+ requirements: 0 found/)
  expect(code).toBe(0)
  expect(readFileSync(history, 'utf8')).toContain('"operation":"create')
  expect((await verify('--judge', history)).code).toBe(0)
}, 60_000)

test('a saved history is tried again; the mock does not show it', async () => {
  const file = join(folder, 'found.json')
  const steps = [
    { kind: 'call', at: 1, tenant: 'main', as: 'key', operation: 'createTask', body: { text: 'One {tag}' } },
    { kind: 'call', at: 2, tenant: 'main', as: 'key', operation: 'getTask', of: { made: 1 } },
  ]
  writeFileSync(file, JSON.stringify({ requirement: 'RUN-KEEPS-TASK', steps }))
  const { code, out } = await verify('--explore-replay', file)
  expect(out).toContain('0 failed')
  expect(code).toBe(0)
}, 60_000)
