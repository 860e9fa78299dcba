/** Reports: both kinds in one shape, failures first; any other file is refused with a reason. */
import { expect, test } from 'vitest'
import { settingsWith } from '#contract-tests/harness/settings.ts'
import { writeHistory } from '#contract-tests/model/ndjson.ts'
import { createReport } from '#contract-tests/report/report.ts'
import { sampleRun } from '#contract-tests/report/testing/sample.ts'
import { explore } from '#contract-tests/search/exploration.ts'
import { wordsBeforeEach } from '#contract-tests/search/words.ts'
import { embeddedMock } from '#contract-tests/targets/in-process.ts'
import { createMock } from '#mocks/index.ts'
import { layOut } from './lanes.ts'
import { readReport } from './report-file.ts'

const conformance = () => {
  const judgement = { outcome: 'failed', strict: false, problems: [] } as const
  return createReport(sampleRun(), judgement, { name: 'suite', version: '1' }, [])
}

test('a report of verify: failures first, each with its evidence', () => {
  const { title, results } = readReport(JSON.stringify(conformance()))
  expect(title).toBe('Conformance of http://service.test/v1')
  expect(results[0]).toMatchObject({ id: 'SAMPLE-FAILED', outcome: 'failed' })
  expect(results.at(-1)?.outcome).toBe('passed')
  expect(results[0]?.findings[0]?.evidence[0]?.line).toMatch(/^POST .* → 500$/)
})

test('the report on a client: every rule, what it needs and how to fix a violation', async () => {
  const mock = createMock({ credits: 0 })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const body = JSON.stringify({ prompt: 'sea' })
  for (let i = 0; i < 2; i++)
    await mock.fetch('http://mock.test/api/cli/creative/generate', { method: 'POST', headers, body })
  const { results } = readReport(JSON.stringify(mock.report()))
  const [first] = results
  expect(first).toMatchObject({ id: 'stops-at-402', outcome: 'failed' })
  expect(first?.texts.map(([what]) => what)).toEqual(['to fix it'])
  expect(first?.findings[0]?.evidence[0]).toMatchObject({
    line: 'POST /api/cli/creative/generate → 402 no_credits',
  })
})

test('a report of check --every-fault keeps its matrix', () => {
  const matrix = { faults: [], requests: [], cells: [], others: [] }
  const report = JSON.stringify({ ...createMock().report(), matrix })
  expect(readReport(report).matrix).toEqual(matrix)
})

test('a history of the search: each step, and whose it is', () => {
  const call = (tenant: string, operation: string, more: object = {}) => ({
    kind: 'call',
    at: 1,
    tenant,
    as: 'key',
    operation,
    ...more,
  })
  const steps = [
    call('main', 'createTask', { body: { text: 'x' } }),
    {
      kind: 'burst',
      at: 2,
      calls: [call('main', 'runTask', { of: { made: 1 } }), call('other', 'whoami', { as: 'none' })],
    },
    { kind: 'wait', at: 5, ms: 50 },
    { kind: 'state', at: 6, tenant: 'other', state: 'credits', params: { credits: 0 } },
  ]
  const found = { requirement: 'CREDITS-ONE', steps, expected: 'one', actual: 'two', before: ['It was 3.'] }
  const { results, moments = [] } = readReport(JSON.stringify(found))
  expect(results[0]).toMatchObject({
    id: 'CREDITS-ONE',
    texts: [
      ['expected', 'one'],
      ['received', 'two'],
    ],
  })
  expect(moments.map(({ lane, text, kind, from }) => [lane, text, kind, from])).toEqual([
    ['main', 'createTask {"as":"key","body":{"text":"x"}}', 'ok', 0],
    ['main', 'runTask {"as":"key","of":{"made":1}}', 'ok', 1],
    ['other', 'whoami {"as":"none"}', 'ok', 1],
    ['main', 'wait {"ms":50}', 'arranged', 2],
    ['other', 'state {"state":"credits","params":{"credits":0}}', 'wrong', 3],
  ])
  expect(moments.at(-1)?.before).toEqual(['It was 3.'])
})

test('a history of verify: each event, whose it is, and what came of it', async () => {
  const { target, access } = embeddedMock()
  const settings = settingsWith({ ...access, extended: 'on', runId: 'verify-test' })
  const { history } = await explore(settings, target, { until: { steps: 40 }, seed: 1, clients: 4 })
  const { facts, moments = [] } = readReport(writeHistory(history, (text) => text))
  expect(facts).toEqual([`${history.length} events`])
  expect(moments).toHaveLength(history.length)
  expect(new Set(moments.map(({ kind }) => kind))).toContain('ok')
  const { columns, boxes } = layOut(moments)
  expect(boxes).toHaveLength(history.length)
  expect(columns).toBeGreaterThan(1)
  const words = wordsBeforeEach(history, settings)
  const told = readReport(writeHistory(history, (text) => text, words)).moments ?? []
  expect(told.map(({ before }) => before)).toEqual(history.map(({ id }) => words.get(id)))
  expect(told[0]?.before).toEqual(['Nothing was known.'])
  expect(told.flatMap(({ before = [] }) => before).join(' ')).toMatch(/The balance was \d+ in exchange \d+/)
})

test.each([null, 1, [], {}, { log: {} }])('%j is refused with a reason', (json) => {
  expect(() => readReport(JSON.stringify(json))).toThrow('--report json=FILE')
})
