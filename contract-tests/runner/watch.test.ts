/** The first of the contradictions that rest on one exchange is the cause, a MUST before a SHOULD. */

import { expect, test } from 'vitest'
import { catalogue } from '../catalogue/index.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import type { Requirement } from '../harness/requirement.ts'
import { judgeHistory, type ModelViolation, modelRules } from '../model/index.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import { answeredRequest, buildHistory, type GivenRequest } from '../model/testing/history.ts'
import { sampleExchange } from '../report/testing/sample.ts'
import { conclusiveViolations, replacementResultsFromModel } from './watch.ts'

const violated = (requirement: RequirementId, ...evidence: number[]): ModelViolation => ({
  kind: 'violation',
  rule: requirement.toLowerCase(),
  requirement,
  anchor: 'ids',
  expected: 'one',
  actual: 'another',
  evidence,
  attributableToOthers: false,
  oneSightSuffices: false,
  neverConsequence: false,
})

const exchanges = [1, 2, 3, 4].map((number) => ({ ...sampleExchange, number }))

const foundOf = (selected: typeof catalogue, ...violations: ModelViolation[]) =>
  replacementResultsFromModel({
    history: [],
    violations,
    exchanges,
    results: [],
    selected,
    watched: catalogue,
  }).map(({ requirement }) => requirement.id)
const found = (...violations: ModelViolation[]) => foundOf(catalogue, ...violations)

test('what was not selected is no cause', () => {
  const selected = catalogue.filter(({ id }) => id === 'DOC-LISTED-SAME')
  const both = [violated('DOC-UNIQUE', 1, 2), violated('DOC-LISTED-SAME', 2, 3)]
  expect(foundOf(selected, ...both)).toEqual(['DOC-LISTED-SAME'])
})

test('what should not be is no cause of what must not be', () => {
  const should = violated('KEY-DELETED-UNLISTED', 1, 2)
  expect(found(should, violated('KEY-STAYS-DEAD', 1, 3))).toEqual(['KEY-STAYS-DEAD'])
})

test('what was seen and may follow from a broken requirement is not met, either', () => {
  const resultOf = (id: RequirementId, outcome: 'passed' | 'failed'): RequirementResult => {
    const requirement = catalogue.find((one) => one.id === id) as Requirement
    return {
      requirement,
      outcome,
      how: 'induced',
      evidence: outcome === 'failed' ? exchanges.slice(0, 1) : [],
    }
  }
  const results = [resultOf('AUTH-ORGANIZATION-SENT', 'failed'), resultOf('ISOLATION-LIST-TASKS', 'passed')]
  const violations = [violated('ISOLATION-LIST-TASKS', 1, 2)]
  const seen = replacementResultsFromModel({
    history: [],
    violations,
    exchanges,
    results,
    selected: catalogue,
    watched: [],
  })
  expect(seen).toMatchObject([
    {
      requirement: { id: 'ISOLATION-LIST-TASKS' },
      outcome: 'not_exercised',
      reason: 'another follows, because of AUTH-ORGANIZATION-SENT',
    },
  ])
})

const whoami = (credits: number) => answeredRequest('whoami', { credits })
const create = (credits: number, id: string) =>
  answeredRequest('createTask', { task: { id, text: 'a', status: 'new' }, credits }, { body: { text: 'a' } })
/** A creation that says another balance than is read after it. */
const wrong = (id: string) => [create(2, id), whoami(3)]

test.each<[string, GivenRequest[], string[]]>([
  [
    'said wrong several times counts where all others are explained',
    [whoami(3), ...wrong('t1'), ...wrong('t2'), ...wrong('t3'), ...wrong('t4')],
    Array(4).fill('CREDITS-IN-CREATE'),
  ],
  ['said wrong fewer times does not', [whoami(3), ...wrong('t1'), ...wrong('t2'), ...wrong('t3')], []],
  [
    'that moves without our own work does not',
    [whoami(3), create(2, 't1'), whoami(2), create(1, 't2'), whoami(1)],
    [],
  ],
])('a balance %s', (_, given, expected) => {
  const history = buildHistory(given)
  const { violations } = judgeHistory(history, {
    consistency: 0,
    rules: modelRules.filter(({ neverConsequence }) => !neverConsequence),
  })
  const counted = conclusiveViolations(violations, history, [])
  expect(counted.map(({ requirement }) => requirement)).toEqual(expected)
})
