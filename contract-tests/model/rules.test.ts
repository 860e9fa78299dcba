/** For each rule a defect that no other rule finds: without the rule it passes. */
import { expect, test } from 'vitest'
import { withKnownCause } from './attribution.ts'
import { judgeHistory, type ModelRule, modelRules } from './index.ts'
import { answeredRequest, buildHistory } from './testing/history.ts'
import { ruleDefectHistories } from './testing/rule-defects.ts'

/** The longest delay of lists, ms: 10 for rules on promptness, as 1 ms passes between moments; otherwise 0. */
const consistency = (rule: string) => (rule.endsWith('promptly') ? 10 : 0)

const rows = Object.entries(ruleDefectHistories).map(([name, given]) => {
  const [rule = '', defect = ''] = name.split(': ')
  return { rule, defect, given }
})

test('every rule has its defect', () => {
  expect(rows.map(({ rule }) => rule).sort()).toEqual(modelRules.map(({ id }) => id).sort())
})

test.each(rows)('without the rule $rule it passes that $defect', ({ rule, given }) => {
  const history = buildHistory(given)
  // The answers in a history are abridged, so that other rules on an answer by itself are left out.
  const isMeant = ({ id, neverConsequence }: ModelRule) => id === rule || !neverConsequence
  const found = (from: readonly ModelRule[]) =>
    judgeHistory(history, { consistency: consistency(rule), runTimeout: 0, rules: from }).violations.map(
      (one) => one.rule,
    )
  expect(found(modelRules.filter(isMeant))).toContain(rule)
  expect(found(modelRules.filter((one) => one.id !== rule && isMeant(one)))).toEqual([])
})

test.each([
  400, 401, 402, 404, 422,
])('a valid list must not be answered %i, whatever else may be missing', (status) => {
  const refused = answeredRequest('listTasks', { error: 'not_found', message: 'No.' }, { status })
  expect(judgeHistory(buildHistory([refused])).violations.map(({ requirement }) => requirement)).toContain(
    'ACCEPTS-listTasks',
  )
})

test('a key that is deleted twice, and a query that a front server refuses, are judged as allowed', () => {
  const key = { id: 'k1', name: 'Key', prefix: 'wak_1' }
  const made = answeredRequest('createKey', { key, secret: 's' }, { id: 100, body: { name: 'Key' } })
  const deleted = answeredRequest('deleteKey', { ok: true }, { resource: 'k1' })
  const query = {
    ...answeredRequest('listDocuments', undefined, { status: 400 }),
    oddity: 'undecodable-query',
  } as const
  const { violations, exercised } = judgeHistory(buildHistory([made, deleted, deleted, query]))
  expect(violations).toEqual([])
  expect([...exercised]).toEqual(
    expect.arrayContaining(['KEY-DELETE-AGAIN', 'QUERY-MALFORMED-listDocuments']),
  )
})

test('a request without a key must be refused for an id that needs encoding, if ids of the service look like that', () => {
  const [issued, alike, longer, odd] = ['t+1/a=', 't+2/b=', 't+2147483645/b=', "a b'c"]
  const created = answeredRequest(
    'createTask',
    { task: { id: issued, text: 'A plan' } },
    { body: { text: 'A plan' } },
  )
  const answerTo = (resource: string) =>
    answeredRequest(
      'getTask',
      { error: 'not_found' },
      { resource, status: 404, tenant: null, credential: 'missing' },
    )
  const isViolated = (id: string) =>
    judgeHistory(buildHistory([created, answerTo(id)])).violations.some(
      ({ requirement }) => requirement === 'AUTH-MISSING-getTask',
    )
  expect([issued, alike, longer, odd].map(isViolated)).toEqual([true, true, true, false])
})

test('an error for a number that no integer of 64 bits holds is about unusual ids, unless a task has it', () => {
  const [huge, usual] = ['99999999999999999999', '14']
  const fails = (resource: string) =>
    answeredRequest('getTask', { error: 'internal_error' }, { resource, status: 500 })
  const violated = (...given: Parameters<typeof buildHistory>[0]) =>
    judgeHistory(buildHistory(given), {
      rules: modelRules.filter(({ id }) => id === 'admitted-getTask'),
    }).violations.map((one) => withKnownCause(one).requirement)
  const made = answeredRequest(
    'createTask',
    { task: { id: huge, text: 'A plan' } },
    { body: { text: 'A plan' } },
  )
  expect(violated(fails(huge))).toEqual(['TASK-ODD-ID'])
  expect(violated(fails(usual))).toEqual(['ACCEPTS-getTask'])
  expect(violated(made, fails(huge))).toEqual(['ACCEPTS-getTask'])
})

test('a notification that was read with another one is shown with the request that marked the other', () => {
  const inbox = (id: number, read: boolean) => {
    const items = [
      { id: 'n1', read },
      { id: 'n2', read },
    ]
    return answeredRequest('listNotifications', { items, unread: read ? 0 : 2 }, { id })
  }
  const marked = answeredRequest('readNotification', { ok: true }, { id: 102, resource: 'n1' })
  const found = judgeHistory(buildHistory([inbox(101, false), marked, inbox(103, true)])).violations
  expect(found).toContainEqual(
    expect.objectContaining({ requirement: 'NOTIFICATION-READ-ONE', evidence: [101, 102, 103] }),
  )
})

test('the deletion of an id that begins with that of a key is the evidence for what happened to the key', () => {
  const whoami = (status = 200) => answeredRequest('whoami', {}, { key: 1, status })
  const deleted = (resource: string) => answeredRequest('deleteKey', { ok: true }, { resource })
  const made = (id: string) =>
    answeredRequest('createKey', { key: { id }, secret: id }, { body: { name: `Key ${id}` } })
  const { violations } = judgeHistory(
    buildHistory([made('12'), whoami(), made('3'), deleted('3'), deleted('12abc'), whoami(401)]),
    { consistency: 0 },
  )
  expect(violations).toContainEqual(
    expect.objectContaining({ requirement: 'KEY-DELETE-ONE', evidence: [2, 5, 6] }),
  )
})
