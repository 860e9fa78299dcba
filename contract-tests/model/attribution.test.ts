/** A balance that nothing explains is told by what was asked for since the one before. */
import { expect, test } from 'vitest'
import {
  attributeBalanceViolation,
  balanceRuleIds,
  isBalanceRequirement,
  judgeHistory,
  withKnownCause,
} from './index.ts'
import {
  answeredRequest,
  buildHistory,
  type GivenProviderState,
  type GivenRequest,
} from './testing/history.ts'

const whoami = (credits: number) => answeredRequest('whoami', { credits })
const run = answeredRequest('runTask', { ok: true }, { resource: 'task_1' })
const over = (id: string, status: string) =>
  answeredRequest('getTask', { task: { id, status }, finished: true }, { resource: id })
const ended = over('task_1', 'failed')
const usual = [{ ...run, resource: 'task_2' }, over('task_2', 'completed'), whoami(4)]
const creative = answeredRequest('generateCreative', { artifactId: 'a' })
const refused = (given: GivenRequest, status: number): GivenRequest => ({
  ...given,
  status,
  json: { error: 'invalid_request' },
})
const fails: GivenProviderState = { arranged: 'next_run_fails' }
const creativeFails: GivenProviderState = { arranged: 'next_creative_fails' }
const [tasks, task, documents] = [
  answeredRequest('listTasks', { items: [] }),
  answeredRequest('createTask', {}),
  answeredRequest('listDocuments', { items: [] }),
]

const judged = (given: readonly (GivenRequest | GivenProviderState)[]) =>
  judgeHistory(buildHistory(given), { consistency: 0, runTimeout: 0 })

test.each([
  ['a run', [run, ended], 3, 'CREDITS-RUN-COSTS-ONE'],
  ['a run and a creative', [run, creative, ended], 1, 'CREDITS-RUN-COSTS-ONE'],
  ['creatives', [creative, creative], 4, 'CREATIVE-COSTS-ONE'],
  ['a failed creative', [creativeFails, refused(creative, 503)], 4, 'CREATIVE-REFUND'],
  ['a double refund', [fails, run, ended], 6, 'CREDITS-REFUND-ONCE'],
  ['no refund', [...usual, fails, run, ended], 3, 'CREDITS-REFUND'],
  ['a refused run', [refused(run, 404)], 4, 'CREDITS-REFUSED-RUN'],
  ['a refused creative', [refused(creative, 400)], 4, 'CREATIVE-REFUSED-FREE'],
  ['another organization', [{ ...run, tenant: 'other' }], 4, 'ISOLATION-CREDITS'],
  ['a free route', [tasks, task], 3, 'FREE-createTask'],
  [
    'a free route beside one that is known to be free',
    [task, whoami(5), task, documents, task],
    4,
    'FREE-listDocuments',
  ],
  ['a refused run beside a free route', [task, refused(run, 404)], 4, 'CREDITS-RUN-COSTS-ONE'],
  ['readings', [], 4, 'FREE-whoami'],
  ['nothing', [], 6, 'CREDITS-RUN-COSTS-ONE'],
] as const)('%s', (what, given: readonly (GivenRequest | GivenProviderState)[], credits, requirement) => {
  const all = [whoami(5), ...given, whoami(credits)]
  const violations = judged(all).violations.filter(({ rule }) => balanceRuleIds.has(rule))
  expect(violations.map((one) => withKnownCause(one).requirement)).toEqual([requirement])
  // Of the free operations that the evidence holds, the last one is blamed.
  const [violation] = violations
  if (violation && !what.includes('beside'))
    expect(attributeBalanceViolation(violation, buildHistory(all)).requirement).toBe(requirement)
})

test('what could be explained by nothing else is met', () => {
  const { exercised } = judged([
    whoami(5),
    tasks,
    whoami(5),
    creative,
    whoami(4),
    refused(run, 404),
    whoami(4),
  ])
  expect([...exercised].filter(isBalanceRequirement)).toEqual([
    'FREE-whoami',
    'FREE-listTasks',
    'CREATIVE-COSTS-ONE',
    'CREDITS-REFUSED-RUN',
  ])
})

test('a free route beside paid work is not said to be free', () => {
  const { exercised } = judged([whoami(5), tasks, run, ended, whoami(4)])
  expect([...exercised].filter((id) => id.startsWith('FREE-'))).toEqual([])
})
