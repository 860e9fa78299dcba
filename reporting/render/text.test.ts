/** The report for a terminal. */
import { expect, test } from 'vitest'
import type { RequirementResult } from '#contract-tests/harness/outcome.ts'
import { nasty, presentedSample, sampleExchange, sampleRun } from '#contract-tests/report/testing/sample.ts'
import { headline, type Result } from '../report.ts'
import { renderText, resultText } from './text.ts'

const report = presentedSample()
const [failed] = report.results.filter(({ outcome }) => outcome === 'failed') as [Result]
const plainly = { expected: 'a success', actual: '500 internal_error', statement: 'It works.' }

test('a failure shows the requirement, expected and actual, the exchange and a curl line', () => {
  const text = resultText({ ...failed, ...plainly })
  expect(text.split('\n').map((line) => line.slice(0, 60))).toEqual([
    'MUST SAMPLE-FAILED (§4 Tasks, §7)',
    '  Requirement  It works.',
    '  Expected     a success',
    '  Actual       500 internal_error',
    expect.stringMatching(/^ {2}Exchange {5}POST http:\/\/service\.test\/api\/cli\/tasks\//),
    expect.stringMatching(/^ {2}Reproduce {4}curl -i -X POST 'http:\/\/service\.test/),
  ])
})

test('no control character and no line break of a service reaches the terminal', () => {
  const text = renderText(report, { verbose: true })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  expect(text).toContain('\\u001b[31m')
  expect(text).not.toMatch(/^(?:end )?::error/m)
  expect(nasty).toMatch(/\nend ::error/)
})

test('the last line is the outcome with its denominator', () => {
  expect(renderText(report, { verbose: false }).trimEnd().split('\n').at(-1)).toBe(
    `FAILED: ${headline(report)}`,
  )
  expect(headline(presentedSample({}, { results: [] }))).toBe('0 passed, 0 failed, of 0')
})

test('what failed comes before what is advice', () => {
  const worstFirst = report.results.toSorted((a, b) => (a.outcome < b.outcome ? 1 : -1))
  expect(worstFirst[0]?.outcome).toBe('warned')
  const text = renderText({ ...report, results: worstFirst })
  expect(text.search(/^failed {2}/m)).toBeLessThan(text.search(/^warned {2}/m))
})

test('what is not exercised is listed by reason, in part unless verbose', () => {
  const [idle] = sampleRun().results.filter(({ outcome }) => outcome === 'not_exercised')
  const results = Array.from({ length: 9 }, (_, i): RequirementResult => {
    const one = idle as RequirementResult
    return { ...one, requirement: { ...one.requirement, id: `IDLE-${i}` } }
  })
  const many = presentedSample({}, { results })
  expect(renderText(many, { verbose: false })).toContain('IDLE-4, and 4 more')
  expect(renderText(many, { verbose: true })).toContain('IDLE-7, IDLE-8')
})

test('a curl line too long for a terminal is in the other reports', () => {
  const long = { ...sampleExchange, requestBody: JSON.stringify({ text: 'x'.repeat(20_000) }) }
  const results = sampleRun().results.map((one) => ({
    ...one,
    evidence: one.evidence.length > 0 ? [long] : [],
  }))
  const [one] = presentedSample({}, { results }).results.filter(({ evidence }) => evidence.length > 0)
  expect(one?.evidence[0]?.exchange?.curl).toContain('x'.repeat(20_000))
  expect(resultText(one as Result).length).toBeLessThan(3_000)
})

test('keys that could not be deleted are named', () => {
  expect(renderText(report, { verbose: false })).toContain('Keys that could not be deleted: key_1\n')
})
