/** How the history of the search joins that of the catalogue, and what a finding says of itself. */
import { expect, test } from 'vitest'
import type { Requirement } from '../harness/requirement.ts'
import { judge } from '../model/index.ts'
import { historyOf, said } from '../model/testing/history.ts'
import type { Exploration } from './explore.ts'
import type { Finding } from './findings.ts'
import { triedResults, withExploration } from './results.ts'

const created = (id: string, secret: number) =>
  said('createKey', { key: { id, name: 'Key' }, secret: 'hidden' }, { body: { name: 'Key' }, secret })

test('the secrets of a joined history are told apart by its own numbers', () => {
  const run = { credits: {}, results: [], created: [], secrets: [], left: [] }
  const history = historyOf([created('key_1', 1), created('key_2', 2)])
  const found = { findings: [], requests: 0, created: [], secrets: [], left: [] }
  const explored = { ...found, history: historyOf([created('key_3', 1), created('key_4', 2)]) }
  const joined = withExploration(
    { ...run, history } as never,
    explored as unknown as Exploration,
    () => undefined,
  )
  expect(joined.history.map((event) => event.kind === 'request' && event.secret)).toEqual([1, 2, 3, 4])
  expect(judge(joined.history).violations).toEqual([])
})

test.each([
  ['once', false, 'failed', 'nobody else can have caused it'],
  ['once', true, 'not_exercised', 'somebody else who uses the organization could have caused it'],
  ['untried', false, 'failed', 'before it could be tried again'],
  ['suspected', false, 'not_exercised', 'search for longer'],
] as const)('what was seen %s, and others cause: %s, is %s', (how, others, outcome, reason) => {
  const requirement = { id: 'ISOLATION-LIST-TASKS', level: 'MUST' } as unknown as Requirement
  const violation = { requirement: requirement.id, expected: 'nothing of another', actual: 'Task', others }
  const common = { violation, how, confirmed: false, evidence: [], before: [] }
  const finding = { ...common, requests: 12 } as unknown as Finding
  const results = [{ requirement, outcome: 'passed', how: 'observed', evidence: [] }]
  const run = { credits: {}, results, created: [], secrets: [], left: [], history: [] }
  const found = { findings: [finding], requests: 0, created: [], secrets: [], left: [], history: [] }
  const joined = withExploration(run as never, found as unknown as Exploration, () => undefined)
  expect(joined.results[0]).toMatchObject({ outcome, reason: expect.stringContaining(reason) })
  expect(joined.results[0]?.reason).toContain(' (12 requests to try it again)')
})

test('of a search alone, what it has tried has passed, and the rest is left out or not exercised', () => {
  const requirements = ['TASK-LISTED', 'DOC-ALL', 'RUN-ENDS'].map((id) => ({ id }) as unknown as Requirement)
  const leftOut = ({ id }: Requirement) => (id === 'DOC-ALL' ? 'left out by --skip' : undefined)
  const results = triedResults(requirements, new Set(['TASK-LISTED', 'DOC-ALL']), leftOut)
  expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['passed', undefined],
    ['not_exercised', 'left out by --skip'],
    ['not_exercised', 'only the search was run (--explore-only)'],
  ])
})
