/** Which effects follow from violated rules, and which runs are compared. */
import { expect, test } from 'vitest'
import { createClientReport, type RuleResult } from '../client-report.ts'
import { judgeTrial } from './judge-trial.ts'
import { usualCase } from './plan.ts'
import type { Trial } from './trial.ts'
import type { Work } from './work.ts'

const nothing: Work = {
  created: { tasks: 0, documents: 0, landing_pages: 0, keys: 0 },
  deleted: 0,
  read: 0,
  paid: [],
  accepted: [],
  open: [],
}
const oneRun: Work = { ...nothing, paid: ['req_1'], accepted: ['req_1'] }

/** A violated rule that may explain an effect. */
const violated = (level: RuleResult['level']): RuleResult => ({
  id: 'finishes-work',
  level,
  section: '',
  statement: '',
  outcome: level === 'MUST' ? 'failed' : 'warned',
  situations: 1,
  findings: [],
  more_findings: 0,
  evidence: [],
  mend: '',
  needs: '',
})

const trial = (work: Work, ...rules: RuleResult[]): Trial => ({
  requests: [],
  isMet: true,
  report: createClientReport([], rules, false),
  end: { ok: true },
  note: '',
  work,
  settled: work,
})

const claims = (tried: Trial) =>
  judgeTrial(tried, trial(oneRun), usualCase).rules.find(({ id }) => id === 'claims-done-work-only')?.outcome

test('a violated duty explains an effect that is a duty, and advice does not', () => {
  expect(claims(trial(nothing))).toBe('failed')
  expect(claims(trial(nothing, violated('MUST')))).toBe('not_exercised')
  expect(claims(trial(nothing, violated('SHOULD')))).toBe('failed')
})

test('work is not done while a notification is unread that the client marks as read', () => {
  const outcomeOf = (work: Work) =>
    judgeTrial({ ...trial(work), end: { ok: false } }, trial({ ...oneRun, read: 1 }), {
      ...usualCase,
      outlook: 'doubt',
    }).rules.find(({ id }) => id === 'reports-done-work')?.outcome
  expect([outcomeOf({ ...oneRun, read: 1 }), outcomeOf(oneRun)]).toEqual(['warned', 'not_exercised'])
})

test('a run that was accepted and refunded is no undone work', () => {
  expect(claims(trial({ ...nothing, accepted: ['req_1'] }))).toBe('passed')
})
