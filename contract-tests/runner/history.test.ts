/** Verdicts on a history, while it grows and at its end. */
import { expect, test } from 'vitest'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import { TestContext } from '../harness/context.ts'
import { SuiteRunState } from '../harness/run-state.ts'
import { settingsWithDefaults } from '../harness/terms.ts'
import { judgeHistory } from '../model/index.ts'
import { answeredRequest, buildHistory, type GivenRequest } from '../model/testing/history.ts'
import { createFakeTarget, jsonAnswer } from '../testing/fake-target.ts'
import { judgeRecordedHistory, LiveJudge, variantOfAnswers } from './history.ts'

const first = answeredRequest('runTask', { taskId: 't1', status: 'done', finished: true }, { resource: 't1' })
const second = answeredRequest('runTask', { ok: true, status: 'done', runId: 'r1' }, { resource: 't1' })
const both = (runId: string) =>
  answeredRequest('runTask', { ...Object(first.json), ...Object(second.json), runId }, { resource: 't1' })

const seen: readonly { variant: string; isTried: boolean; answers: readonly GivenRequest[] }[] = [
  { variant: 'unknown', isTried: false, answers: [] },
  { variant: 'first', isTried: false, answers: [first] },
  { variant: 'first', isTried: true, answers: [both('r1'), both('r2')] },
  { variant: 'second', isTried: true, answers: [both('r2'), second] },
  { variant: 'mixed', isTried: true, answers: [first, second] },
]

test.each(seen)('the variant is $variant, and whether it is always that is judged: $isTried', (one) => {
  const { state, exercised } = judgeHistory(buildHistory(one.answers), { consistency: 0, runTimeout: 0 })
  expect([variantOfAnswers(state), exercised.has('VARIANT-CONSISTENT')]).toEqual([one.variant, one.isTried])
})

test('a history tells a wrong balance by what was asked for, and what is free by one that stays', () => {
  const whoami = (credits: number) => answeredRequest('whoami', { org: { id: 'o1' }, credits })
  const [tasks, leads] = [
    answeredRequest('listTasks', { items: [] }),
    answeredRequest('listLeads', { prospects: [] }),
  ]
  const history = buildHistory([whoami(5), tasks, whoami(5), leads, whoami(4)])
  const { results } = judgeRecordedHistory(
    history,
    '',
    settingsWithDefaults({ apiKey: 'key', consistency: 0, runTimeout: 0 }),
  )
  const told = results.flatMap(({ requirement: { id }, outcome, reason = '' }) =>
    /^(FREE|CREDITS-RUN)-/.test(id) ? `${id} ${outcome}: ${reason}` : [],
  )
  const inconclusive = 'FREE-listLeads suspected: another client may have caused it'
  expect(told).toContainEqual(expect.stringContaining(inconclusive))
  expect(told).toContain('FREE-listTasks passed: ')
  expect(told).toContain('FREE-getWallet not_exercised: nothing in the history bears on it')
})

test('a history tells what a rule names more exactly than by its own requirement', () => {
  const item = { id: 'd1', title: 'Plan', kind: null, content_md: null, summary: null, folder_id: 'f1' }
  const made = answeredRequest('createDocument', { item }, { body: { title: 'Plan', folder_id: 'f1' } })
  const history = buildHistory([
    made,
    answeredRequest('listDocuments', { items: [] }, { query: { all: '1' } }),
  ])
  const settings = settingsWithDefaults({ apiKey: 'key', consistency: 0, runTimeout: 0 })
  const { results } = judgeRecordedHistory(history, '', settings)
  const outcomes = results.filter(({ requirement: { id } }) => id.startsWith('DOC-ALL'))
  expect(outcomes.map(({ requirement: { id }, outcome }) => [id, outcome])).toEqual([
    ['DOC-ALL', 'not_exercised'],
    ['DOC-ALL-FILED', 'suspected'],
  ])
})

test.runIf(isExhaustiveTestRun)('a history may have more events than a call has arguments', () => {
  const history = buildHistory(Array(130_000).fill(answeredRequest('getWallet', {})))
  expect(judgeRecordedHistory(history, '', settingsWithDefaults({ apiKey: 'key' })).requests).toBe(130_000)
})

/** A run that has sent a list without credentials, which is answered, while an earlier request has no answer yet. */
async function beginRun() {
  const { promise: later, resolve } = Promise.withResolvers<Response>()
  const settings = settingsWithDefaults({ apiKey: 'key' })
  const target = createFakeTarget(({ path }) =>
    path.endsWith('/tasks') ? jsonAnswer(200, { items: [] }) : later,
  )
  const t = new TestContext({ settings, target, run: new SuiteRunState(settings) })
  const earlier = t.main.call('whoami')
  const exchange = await t.nobody.call('listTasks')
  const end = async () => {
    resolve(jsonAnswer(200))
    await earlier
  }
  return { t, recorder: t.recorder, live: new LiveJudge(t), exchange, end }
}

const objected = (violations: readonly { requirement: string }[]) => violations.map((one) => one.requirement)

test('what a run was answered is objected to once all that was sent before has ended', async () => {
  const { live, end } = await beginRun()
  const begun: string[] = []
  const objections = live.objections().then((violations) => begun.push('judged') && objected(violations))
  await new Promise(setImmediate)
  begun.push('ended')
  await end()
  expect(await objections).toContain('AUTH-MISSING-listTasks')
  expect(begun).toEqual(['ended', 'judged'])
  const { history, violations } = live.conclude()
  expect(objected(violations)).toContain('AUTH-MISSING-listTasks')
  expect(history).toMatchObject([{ operation: 'whoami' }, { operation: 'listTasks', credential: 'missing' }])
})

test('an answer after a request that is still under way is judged only when that has ended', async () => {
  const { t, live, recorder, end } = await beginRun()
  const missing = async (violations: ReturnType<LiveJudge['objections']>) =>
    objected(await violations).filter((id) => id === 'AUTH-MISSING-listTasks')
  const soon = missing(live.objections())
  const underWay = recorder.begin(0)
  await t.nobody.call('listTasks')
  await end()
  expect(await soon).toHaveLength(1)
  recorder.ended(underWay)
  expect(await missing(live.objections())).toHaveLength(2)
})

test('an answer that proves to be to another request is judged no longer', async () => {
  const { live, recorder, exchange, end } = await beginRun()
  await end()
  expect(objected(await live.objections())).toContain('AUTH-MISSING-listTasks')
  recorder.outOfStep.push({ before: undefined, exchange, fresh: exchange })
  const { history, violations } = live.conclude()
  expect(objected(violations)).not.toContain('AUTH-MISSING-listTasks')
  expect(history).toMatchObject([{ operation: 'whoami' }, { operation: 'listTasks', answer: null }])
})
