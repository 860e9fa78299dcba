import { expect, test } from 'vitest'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import type { RuleContext } from '../rule.ts'
import { createRuleTestClient, journalEntriesOf, ruleOutcomeOnMock } from '../testing/rule-result.ts'
import { submitsOnceRule } from './creations.ts'

test.each([
  ['reads it by its id', 'passed', { isLate: true }, 'getTask'],
  ['creates it again', 'warned', { isLate: true }, 'createTask'],
  ['creates it again after 11 s', 'not_exercised', { isLate: true, wait: 11_000 }, 'createTask'],
  ['creates another', 'not_exercised', { isLate: true, text: 'Another' }, 'createTask'],
  ['creates it again although the list shows it', 'not_exercised', { isLate: false }, 'createTask'],
] as const)('after a list that may lack its task, a client %s: trusts-creations is %s', async (...row) => {
  const [, outcome, { isLate, ...more }, operation] = row
  const { wait, text } = { wait: 100, text: 'The same', ...more }
  const { mock, call, newTask } = createRuleTestClient(isLate ? { strictClient: 'lists-late' } : {})
  const id = await newTask('The same')
  await call('listTasks')
  mock.clock.advance(wait)
  await call(operation, operation === 'getTask' ? { id } : { body: { text } })
  expect(ruleOutcomeOnMock(mock, 'trusts-creations')).toBe(outcome)
})

test('the same task that is created twice at once is warned of, and one after the other is not', async () => {
  const twice = createRuleTestClient()
  await Promise.all([twice.newTask('The same'), twice.newTask('The same'), twice.newTask('Another')])
  expect(ruleOutcomeOnMock(twice.mock, 'submits-once')).toBe('warned')
  const inTurn = createRuleTestClient()
  await inTurn.newTask('The same')
  await inTurn.newTask('The same')
  expect(ruleOutcomeOnMock(inTurn.mock, 'submits-once')).toBe('passed')
})

test('a client that has used the id of a task had received it, however soon and wherever it creates the same', async () => {
  const { mock, call, newTask } = createRuleTestClient({ runProgress: 'immediate' })
  const id = await newTask('The same')
  await call('runTask', { id })
  await newTask('The same')
  const violationOf = (entries: readonly JournalEntry[]) =>
    submitsOnceRule.judge(entries, { knew: () => false } as Partial<RuleContext> as RuleContext)[0]?.violation
  const [first, run, second] = journalEntriesOf(mock) as [JournalEntry, JournalEntry, JournalEntry]
  expect(violationOf([first, second])).toBe('created the same task twice at once')
  expect(violationOf([first, run, second])).toBeUndefined()
})
