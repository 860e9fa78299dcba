/** A history that a run wrote is judged again without traffic, with the same exit codes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verify } from './testing/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'judge-'))
const file = (name: string) => join(folder, name)
const history = file('history.ndjson')
afterAll(() => rmSync(folder, { recursive: true }))
beforeAll(async () => {
  expect((await verify(['--only', 'TASK-*', '--only', 'KEY-*', '--history', history, '--quiet'])).code).toBe(
    0,
  )
})

test('it passes what passed, and shows no secret', async () => {
  const { code, out } = await verify(['--judge', history, '--verbose'])
  expect(out).toContain('PASSED')
  expect(out).toContain('TASK-ANSWER-TEXT')
  expect(code).toBe(0)
  expect(readFileSync(history, 'utf8')).not.toMatch(/wak_(?:live|test)_|work_agent_session/)
})

test('it fails what contradicts itself, with the events that show it', async () => {
  const [line = ''] = readFileSync(history, 'utf8')
    .split('\n')
    .filter((one) => one.includes('"createTask"') && one.includes('"status":200'))
  const text: string = JSON.parse(line).body.text
  const damaged = line.replace(JSON.stringify({ text }), JSON.stringify({ text: `${text}!` }))
  writeFileSync(file('damaged.ndjson'), `${damaged}\n`)
  const { code, out } = await verify(['--judge', file('damaged.ndjson')])
  expect(out).toContain('TASK-ANSWER-TEXT')
  expect(out).toContain('createTask')
  expect(code).toBe(1)
})

test.each([
  ['is no event', '{"kind":"request"}\n', 'line 1 is no event of a history'],
  ['is no JSON', 'hello\n', 'line 1 is no event of a history'],
  ['is nested too deep', `{"kind":${'['.repeat(4_000)}\n`, 'line 1 is nested deeper than 500 levels'],
  ['is empty', '\n', 'it holds no event'],
])('a file that %s is a usage error in one line', async (_, text, message) => {
  writeFileSync(file('bad.ndjson'), text)
  const { code, err } = await verify(['--judge', file('bad.ndjson')])
  expect(err).toContain(message)
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(code).toBe(2)
})

test('a base URL beside it, and a file that is missing, are usage errors', async () => {
  expect((await verify(['http://127.0.0.1:1', '--judge', history])).code).toBe(2)
  expect((await verify(['--judge', file('none.ndjson')])).code).toBe(2)
})
