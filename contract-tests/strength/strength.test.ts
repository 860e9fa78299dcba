/** The number of violations in a recorded history that its verdict would have noticed. */
import { expect, test } from 'vitest'
import type { OperationId } from '#contract/operation.ts'
import { settingsWithDefaults } from '../harness/terms.ts'
import type { ModelEvent } from '../model/index.ts'
import { presentConformance } from '../report/presentation.ts'
import { conformanceReportSchema } from '../report/report.ts'
import { judgeRecordedHistory } from '../runner/history.ts'
import { concludeSuiteRun } from '../runner/outcome-of-run.ts'
import { lenientConditions, reportLeniently } from '../testing/run.ts'
import { measureStrength, reportWithStrength } from './strength.ts'
import { answerAlterations } from './violations.ts'

const settings = settingsWithDefaults({ apiKey: '' })

const event = (id: number, operation: OperationId, json: unknown, more: object = {}): ModelEvent => ({
  kind: 'request',
  id,
  operation,
  tenant: 'main',
  sent: { seq: 2 * id, ms: id * 1_000 },
  answer: { status: 200, json, received: { seq: 2 * id + 1, ms: id * 1_000 + 5 } },
  ...more,
})

const task = { id: 't1', text: 'Say hello', description: null, status: 'new' }

const created = event(1, 'createTask', { task, credits: 3 }, { body: { text: 'Say hello' } })
const read = event(2, 'getTask', { task, finished: false }, { resource: 't1' })

const strengthIn = (history: readonly ModelEvent[]) =>
  measureStrength(judgeRecordedHistory(history, 'a.ndjson', settings), settings)

const unnoticed = (history: readonly ModelEvent[]) => strengthIn(history).unnoticed.map(({ id }) => id)

test('each violation has an id of its own', () => {
  expect(new Set(answerAlterations.map(({ id }) => id)).size).toBe(answerAlterations.length)
})

test('only what the answers could have shown counts, and more of it is noticed the more they show', () => {
  const alone = strengthIn([created])
  const both = strengthIn([created, read])
  expect(both.of).toBeGreaterThan(alone.of)
  expect(both.noticed).toBeGreaterThan(alone.noticed)
  expect(Object.keys(both.requirements)).toContain('TASK-ANSWER-TEXT')
  expect(unnoticed([created, read])).not.toContain('getTask task.text constant')
})

test('a missing refund is noticed by whoever reads the balance after it, in a history that shows one', () => {
  const balance = (id: number, credits: number) =>
    event(id, 'whoami', { org: { id: 'o' }, plan: 'p', credits })
  const history = [balance(1, 3), balance(2, 5)]
  expect(unnoticed(history)).toContain('refund forgotten')
  expect(unnoticed([balance(1, 3)])).not.toContain('refund forgotten')
})

test('of a long history, the first thousand events are altered, and the report says so', () => {
  const history = Array.from({ length: 1_200 }, (_, i) =>
    event(i + 1, 'getBilling', { plan: 'p', credits: 3, tiers: [], packs: [] }),
  )
  expect(strengthIn(history)).toMatchObject({ events: 1_000, events_of: 1_200 })
})

const reportOn = (history: readonly ModelEvent[]) => {
  const judged = judgeRecordedHistory(history, 'a.ndjson', settings)
  return reportWithStrength(
    reportLeniently(judged),
    concludeSuiteRun(judged, lenientConditions).run,
    settings,
  )
}

test('a green report says it for people and programs, and one that is not green says nothing', () => {
  const report = reportOn([created, read])
  expect(conformanceReportSchema.parse(report).strength).toEqual(report.strength)
  const { noticed, of } = report.strength ?? {}
  const shown = presentConformance(report)
  expect(shown.notes[0]).toBe(`This run would have noticed ${noticed} of ${of} violations in what it saw.`)
  expect(shown.notes.join(' ')).toContain('--explore 60s')
  expect(shown.properties.strength).toBe(`${noticed} of ${of}`)
  const other = event(2, 'getTask', { task: { ...task, text: 'Other' }, finished: false }, { resource: 't1' })
  expect(reportOn([created, other]).strength).toBeUndefined()
})
