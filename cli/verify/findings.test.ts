/** `verify --explore-findings`: what is found is kept, tried first, marked once it is gone, and unmarked if it comes back. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { listen } from '#mocks/edges/http.ts'
import { createMutated } from '#proof/mutations/mutation.ts'
import { rewriteField } from '#proof/mutations/reply.ts'
import { runInProcess } from '../testing/in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'findings-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A service that shows another text of a task that has ended, or one that does not. */
async function verify(isBroken: boolean, ...args: string[]) {
  const isOver = ({ status }: { status?: unknown }) => status === 'completed'
  const another = rewriteField('task.text', (text, task) => (isOver(task) ? 'another' : text), 'getTask')
  const mock = createMutated(isBroken ? [another] : [], { runDuration: 20, rateLimit: 'off' })
  const listener = await listen(mock, { host: '127.0.0.1', port: 0 })
  const times = [
    '--consistency',
    '100ms',
    '--run-timeout',
    '2s',
    '--explore-only',
    '--explore-findings',
    folder,
    '--max-credits',
    '15',
  ]
  const access = ['--api-key', mock.credentials().apiKey]
  try {
    return await runInProcess(['verify', listener.url, ...access, ...times, ...args], {})
  } finally {
    await listener.close()
  }
}

const files = () => readdirSync(folder).toSorted()
const kept = () =>
  JSON.parse(readFileSync(join(folder, files().find((one) => one.endsWith('.json')) ?? ''), 'utf8'))

test('a finding is kept in four files, tried alone, marked as fixed, and unmarked when it is back', async () => {
  const first = await verify(true, '--explore', '150', '--explore-seed', '3')
  expect(first.code).toBe(1)
  const [json = ''] = files()
  const stem = json.replace(/\.json$/, '')
  expect(stem).toMatch(/^RUN-KEEPS-TASK-[0-9a-f]{8}$/)
  expect(files()).toEqual([`${stem}.json`, `${stem}.sh`, `${stem}.test.ts`, `${stem}_test.py`])
  expect(first.err).toContain(`kept in ${folder}: ${stem}`)

  const again = await verify(true)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining(`1 kept finding still there: ${stem}`)])
  expect(again.out).toContain('RUN-KEEPS-TASK')
  expect(files()).toHaveLength(4)

  const gone = await verify(false)
  expect([gone.code, gone.err]).toEqual([0, expect.stringContaining(`marked as fixed: ${stem}`)])
  expect(kept().fixed).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect((await verify(false)).err).not.toContain('fixed')

  const back = await verify(true)
  expect([back.code, back.err]).toEqual([1, expect.stringContaining(`no longer marked as fixed: ${stem}`)])
  expect(kept()).not.toHaveProperty('fixed')
}, 120_000)

test('another file in the folder is a usage error', async () => {
  const other = join(folder, 'other.json')
  writeFileSync(other, '{}')
  const { code, err } = await verify(false)
  rmSync(other)
  expect([code, err]).toEqual([2, expect.stringContaining(`${other} is no saved history: `)])
})
