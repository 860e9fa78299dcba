/** Which final statuses are taken for those of failed runs. */
import { expect, test } from 'vitest'
import { judge } from './index.ts'
import { historyOf, said } from './testing/history.ts'

const ranTo = (status: string, run: string) => [
  said('runTask', { runId: run }, { resource: 't1' }),
  said('getTask', { task: { id: 't1', status }, finished: true }, { resource: 't1' }),
  said('whoami', { credits: 5 }),
]

test('a state that makes the next run fail says nothing about the run after it', () => {
  const given = [{ arranged: 'next_run_fails' }, ...ranTo('failed', 'r1'), ...ranTo('completed', 'r2')]
  // Nothing is late, so that a run is forgotten as soon as the balance shows its end.
  const { state } = judge(historyOf(given), { lag: 0, patience: 0 })
  expect([...state.endings.failed]).toEqual(['main failed'])
  expect([...state.endings.ordinary]).toEqual(['main completed'])
})
