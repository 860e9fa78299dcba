/** Annotations of a GitHub job. */
import { expect, test } from 'vitest'
import type { RequirementResult } from '#contract-tests/harness/outcome.ts'
import { presentedSample, sampleRun } from '#contract-tests/report/testing/sample.ts'
import { renderAnnotations } from './github.ts'

const [, failed] = sampleRun().results as [RequirementResult, RequirementResult]

test('each result is a command in one line, which no answer of a service can end', () => {
  const lines = renderAnnotations(presentedSample()).trimEnd().split('\n')
  expect(lines.map((line) => /^::(\w+) title=([^:]+)::/.exec(line)?.slice(1))).toEqual([
    ['error', 'SAMPLE-FAILED'],
    ['error', 'SAMPLE-HARNESS-ERROR'],
    ['warning', 'SAMPLE-WARNED'],
    ['notice', 'Conformance failed'],
  ])
  expect(lines[0]).toContain('line%0Aend')
})

test('of many failures as many are shown as GitHub shows, and the rest are counted', () => {
  const results = Array.from({ length: 30 }, () => failed)
  const lines = renderAnnotations(presentedSample({}, { results })).trimEnd().split('\n')
  expect(lines).toHaveLength(11)
  expect(lines[9]).toBe('::error title=and 21 more::see the job summary')
})
