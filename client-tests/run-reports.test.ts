/** Several runs of one client in the same circumstances make one report. */
import { expect, test } from 'vitest'
import { clientOf } from '#mocks/testing/client.ts'
import { frozenMock } from '#mocks/testing/mock.ts'
import { mergeRuns } from './run-reports.ts'

test('what a later run does as an earlier one is counted, and not told again', async () => {
  const mock = frozenMock({ credits: 0 })
  const { call, newTask } = clientOf(mock)
  const run = async () => {
    const since = mock.journal.entries().at(-1)?.number
    const id = await newTask()
    await call('runTask', { id })
    await call('runTask', { id })
    return mock.report({ since, label: 'a run', end: { ok: true } })
  }
  const merged = mergeRuns([await run(), await run(), await run()], mock.report(), '3 runs')
  const rule = merged.rules.find(({ id }) => id === 'stops-at-402')
  expect([rule?.outcome, rule?.findings.length, rule?.more_findings]).toEqual(['failed', 1, 2])
})
