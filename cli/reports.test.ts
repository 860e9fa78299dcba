/** The summary page of a GitHub job. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { UsageError } from './files.ts'
import { appendSummary } from './reports.ts'
import { testFolder } from './testing/folder.ts'

test('the summary is appended to what is there', () => {
  const { read, write } = testFolder()
  appendSummary(write('summary.md', 'before\n'), '# ❌ Conformance\n')
  expect(read('summary.md')).toBe('before\n# ❌ Conformance\n')
})

test('a summary that GitHub would reject is cut, by bytes', () => {
  const { file } = testFolder()
  const long = '❌ failed\n'.repeat(100_000)
  expect(Buffer.byteLength(long)).toBeGreaterThan(1_048_576)
  appendSummary(file('long.md'), long)
  const written = readFileSync(file('long.md'))
  expect(written.byteLength).toBeLessThan(1_048_576)
  expect(written.toString()).toMatch(/failed\n\n\(truncated: .*\)\n$/)
})

test('a summary that cannot be written is one line', () => {
  expect(() => appendSummary('/no/such/folder/summary.md', '')).toThrow(UsageError)
})
