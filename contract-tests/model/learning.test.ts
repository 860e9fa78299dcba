/** Which final statuses are taken for those of failed runs, and what paid work that failed leaves open. */
import { expect, test } from 'vitest'
import { judgeHistory } from './index.ts'
import { answeredRequest, buildHistory } from './testing/history.ts'

const ranTo = (status: string, run: string) => [
  answeredRequest('runTask', { runId: run }, { resource: 't1' }),
  answeredRequest('getTask', { task: { id: 't1', status }, finished: true }, { resource: 't1' }),
  answeredRequest('whoami', { credits: 5 }),
]

test('a state that makes the next run fail says nothing about the run after it', () => {
  const given = [{ arranged: 'next_run_fails' }, ...ranTo('failed', 'r1'), ...ranTo('completed', 'r2')]
  // Nothing is late, so that a run is forgotten as soon as the balance shows its end.
  const { state } = judgeHistory(buildHistory(given), { consistency: 0, runTimeout: 0 })
  expect([...state.finalStatuses.failed]).toEqual(['main failed'])
  expect([...state.finalStatuses.ordinary]).toEqual(['main completed'])
})

test('a state that is torn down while a run waits says nothing about its end', () => {
  const [asked, ...over] = ranTo('completed', 'r1')
  const given = [{ arranged: 'next_run_fails' }, ...[asked].flatMap((one) => one ?? [])]
  const { state } = judgeHistory(
    buildHistory([...given, { arranged: 'next_run_fails', action: 'teardown' }, ...over]),
  )
  expect(state.finalStatuses.failed).toEqual(new Set())
})

test.each([
  ['made to fail', [{ arranged: 'next_creative_fails' }], 1],
  ['not made to fail', [], 0],
] as const)('a creative that was %s and answers 500 leaves its credit open for a while only', (_, failing, refunds) => {
  const balance = (credits: number) => answeredRequest('whoami', { org: { id: 'o1' }, credits })
  const refused = { error: 'internal_error', message: 'It failed.' }
  const creative = answeredRequest('generateCreative', refused, { status: 500, body: { prompt: 'A cat.' } })
  const violated = (...given: Parameters<typeof buildHistory>[0]) =>
    judgeHistory(buildHistory([balance(5), ...failing, creative, ...given]), {
      consistency: 0,
      runTimeout: 0,
    }).violations.filter(({ rule }) => rule === 'credits-explained-whoami' || rule === 'refund-comes').length
  expect(violated(balance(4))).toBe(refunds)
  expect(violated(balance(5), balance(4))).toBe(1)
})
