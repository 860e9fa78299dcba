/** The client report over HTTP, in the requested format; and reports and histories from files as HTML. */

import { expect, test } from 'vitest'
import { settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import { historyToNdjson } from '#contract-tests/model/ndjson.ts'
import { renderConformance } from '#contract-tests/report/presentation.ts'
import { createConformanceReport } from '#contract-tests/report/report.ts'
import { sampleRun } from '#contract-tests/report/testing/sample.ts'
import { explore } from '#contract-tests/search/explore.ts'
import { stateDescriptionsByEvent } from '#contract-tests/search/report/state-descriptions.ts'
import { createEmbeddedMock } from '#contract-tests/targets/in-process.ts'
import { createMock } from '#mocks/index.ts'
import { checkedClientOf, testOrigin } from '../../testing/client.ts'
import { createFrozenMock, createFrozenMockWithClient } from '../../testing/mock.ts'

const get = (mock: ReturnType<typeof createFrozenMock>, query = '', headers: Record<string, string> = {}) =>
  mock.fetch(new Request(`${testOrigin}/__admin/report${query}`, { headers }))

test.each([
  ['', undefined, 'application/json'],
  ['', '*/*', 'application/json'],
  ['', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
  ['', 'text/plain', 'text/plain; charset=utf-8'],
  ['', 'text/markdown;q=0.9', 'text/markdown; charset=utf-8'],
  ['?format=junit', 'text/html', 'application/xml'],
  ['?format=text', undefined, 'text/plain; charset=utf-8'],
])('%j with Accept %j is %s', async (query, accept, type) => {
  const response = await get(createFrozenMock(), query, accept === undefined ? {} : { accept })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
})

test('the report over HTTP equals the one in process', async () => {
  const { mock, call, newTask } = createFrozenMockWithClient({ credits: 0 })
  const id = await newTask()
  for (let i = 0; i < 2; i++) await call('runTask', { id })
  expect(await (await get(mock)).json()).toEqual(structuredClone(mock.report()))
})

test('a key or org_id selects the report of one organization', async () => {
  const mock = createFrozenMock()
  for (const name of ['ada', 'bob']) await checkedClientOf(mock, name).call('whoami')
  const { id } = mock.organization('ada')
  const headers = { authorization: `Bearer ${mock.credentials('ada').apiKey}` }
  for (const answer of [await get(mock, '', headers), await get(mock, `?org_id=${id}`)])
    expect((await answer.json()).parts).toEqual([{ id, org_id: id, requests: 1, end: null }])
  expect((await (await get(mock)).json()).parts).toHaveLength(2)
})

test('strict=true fails on violated advice', async () => {
  const { mock, call } = createFrozenMockWithClient()
  for (let i = 0; i < 2; i++) await call('getTask', { id: 'nope' })
  expect((await (await get(mock, '?strict=true')).json()).outcome).toBe('failed')
  expect((await (await get(mock)).json()).outcome).toBe('passed')
})

test.each(['?format=pdf', '?strict=yes'])('%s is rejected', async (query) => {
  expect((await get(createFrozenMock(), query)).status).toBe(400)
})

async function render(file: string) {
  const init = { method: 'POST', body: JSON.stringify({ text: file }) }
  const response = await createMock().fetch('http://mock.test/__admin/render', init)
  return { status: response.status, text: await response.text() }
}

const boxes = (text: string) => [...text.matchAll(/<li class="box (\w+)"[^>]*><code>(.*?)<\/code>/g)]

test('a report of verify is what --report html writes', async () => {
  const judgement = { outcome: 'failed', strict: false, problems: [] } as const
  const report = createConformanceReport(sampleRun(), judgement, { name: 'suite', version: '1' }, [])
  expect((await render(JSON.stringify(report))).text).toBe(renderConformance(report, 'html').toWellFormed())
})

test('a report on a client names its requests, with their times', async () => {
  const mock = createMock({ credits: 0 })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const body = JSON.stringify({ prompt: 'sea' })
  for (let i = 0; i < 2; i++)
    await mock.fetch('http://mock.test/api/cli/creative/generate', { method: 'POST', headers, body })
  const { text } = await render(JSON.stringify(mock.report()))
  for (const { id, at } of mock.journal.entries())
    expect(text).toContain(`data-request="${id}" data-at="${at}"`)
})

test('a finding of the search: each step, and whose it is', async () => {
  const call = (tenant: string, operation: string) => ({ kind: 'call', at: 1, tenant, as: 'key', operation })
  const steps = [
    call('main', 'createTask'),
    { kind: 'burst', at: 2, calls: [call('main', 'runTask'), call('other', 'whoami')] },
    { kind: 'wait', at: 5, ms: 50 },
    { kind: 'state', at: 6, tenant: 'other', state: 'credits' },
  ]
  const { text } = await render(
    JSON.stringify({ requirement: 'ONE', steps, expected: 'one', actual: '<two>', before: ['It was 3.'] }),
  )
  expect(boxes(text).map(([, kind, what]) => `${kind} ${what?.replaceAll('&quot;', '"')}`)).toEqual([
    'ok createTask {"as":"key"}',
    'ok runTask {"as":"key"}',
    'ok whoami {"as":"key"}',
    'arranged wait {"ms":50}',
    'possible Possible before: It was 3.',
    'wrong state {"state":"credits"}',
  ])
  expect(text).toContain('&lt;two&gt;')
})

test('a history of verify: each event, whose it is, and what was possible before', async () => {
  const { target, access } = createEmbeddedMock()
  const settings = settingsWithDefaults({ ...access, extended: 'on', runId: 'verify-test' })
  const { history } = await explore(settings, target, { until: { steps: 40 }, seed: 1, clients: 4 })
  const words = stateDescriptionsByEvent(history, settings)
  const { text } = await render(historyToNdjson(history, (one) => one, words))
  expect(text).toContain(`${history.length} events`)
  const kinds = boxes(text).map(([, kind]) => kind)
  expect(kinds.filter((kind) => kind !== 'possible')).toHaveLength(history.length)
  expect(kinds.filter((kind) => kind === 'possible')).toHaveLength(
    history.filter(({ id }) => words.get(id)?.length).length,
  )
  const [first = ''] = words.get(history[0]?.id ?? 0) ?? []
  expect(first).not.toBe('')
  expect(text).toContain(first)
})

test('what is no report is refused with a reason', async () => {
  for (const json of [null, 1, [], {}, { log: {} }, { rules: [{}] }, { requirements: [1] }]) {
    const { status, text } = await render(JSON.stringify(json))
    expect([json, status, text]).toEqual([json, 400, expect.stringContaining('--report json=FILE')])
  }
})
