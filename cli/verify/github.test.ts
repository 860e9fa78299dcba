/** Annotations and summary of a GitHub job. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Verdict } from '#contract-tests/harness/outcome.ts'
import { renderMarkdown } from '#contract-tests/report/markdown.ts'
import { sampleReport, sampleRun } from '#contract-tests/report/testing/sample.ts'
import { UsageError } from '../flags.ts'
import { annotations, appendSummary } from './github.ts'

const folder = mkdtempSync(join(tmpdir(), 'github-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [, failed] = sampleRun().verdicts as [Verdict, Verdict]
const many = (n: number) =>
  sampleReport(
    {},
    {
      verdicts: Array.from({ length: n }, (_, i) => ({
        ...failed,
        requirement: { ...failed.requirement, id: `FAILED-${i}` },
      })),
    },
  )

test('each finding is a command on one line, which no response can break', () => {
  const lines = annotations(sampleReport()).trimEnd().split('\n')
  expect(lines.map((line) => /^::(\w+) title=([^:]+)::/.exec(line)?.slice(1))).toEqual([
    ['error', 'SAMPLE-FAILED'],
    ['error', 'SAMPLE-HARNESS-ERROR'],
    ['warning', 'SAMPLE-WARNED'],
    ['notice', 'Conformance failed'],
  ])
  expect(lines[0]).toContain('line%0Aend')
})

test('it prints as many findings as GitHub shows, and counts the rest', () => {
  const lines = annotations(many(30)).trimEnd().split('\n')
  expect(lines).toHaveLength(11)
  expect(lines[9]).toBe('::error title=and 21 more::see the job summary')
})

test('the summary is appended to the file', () => {
  const file = join(folder, 'summary.md')
  writeFileSync(file, 'before\n')
  appendSummary(file, sampleReport())
  expect(readFileSync(file, 'utf8')).toBe(`before\n${renderMarkdown(sampleReport())}`.toWellFormed())
})

test('a summary that GitHub would reject is truncated, by bytes', () => {
  const file = join(folder, 'long.md')
  const long = many(900)
  expect(Buffer.byteLength(renderMarkdown(long))).toBeGreaterThan(1_048_576)
  appendSummary(file, long)
  const written = readFileSync(file)
  expect(written.byteLength).toBeLessThan(1_048_576)
  expect(written.toString()).toMatch(/\n\(truncated: .*\)\n$/)
})

test('a summary that cannot be written is one line', () => {
  expect(() => appendSummary('/no/such/folder/summary.md', sampleReport())).toThrow(UsageError)
})
