/** The summary page of a GitHub job. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { UsageError } from '../files.ts'
import { appendSummary } from '../reports.ts'

const folder = mkdtempSync(join(tmpdir(), 'github-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the summary is appended to what is there', () => {
  const file = join(folder, 'summary.md')
  writeFileSync(file, 'before\n')
  appendSummary(file, '# ❌ Conformance\n')
  expect(readFileSync(file, 'utf8')).toBe('before\n# ❌ Conformance\n')
})

test('a summary that GitHub would reject is cut, by bytes', () => {
  const file = join(folder, 'long.md')
  const long = '❌ failed\n'.repeat(100_000)
  expect(Buffer.byteLength(long)).toBeGreaterThan(1_048_576)
  appendSummary(file, long)
  const written = readFileSync(file)
  expect(written.byteLength).toBeLessThan(1_048_576)
  expect(written.toString()).toMatch(/failed\n\n\(truncated: .*\)\n$/)
})

test('a summary that cannot be written is one line', () => {
  expect(() => appendSummary('/no/such/folder/summary.md', '')).toThrow(UsageError)
})
