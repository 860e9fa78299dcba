/** A run of selected requirements says what it did besides. */
import { expect, test } from 'vitest'
import { reportOf, runOnMock } from '../testing/run.ts'
import { tookAlong } from './arranged.ts'
import { presentConformance } from './presentation.ts'

test('the cost of a run takes a failing run along, and says what both cost', async () => {
  const { run } = await runOnMock({ only: ['CREDITS-RUN-COSTS-ONE'], maxCredits: 20 })
  const report = reportOf(run)
  expect(report.took_along).toEqual(['a run', 'a failing run'])
  expect(report.credits.spent).toBe(2)
  expect(presentConformance(report).notes).toContain(
    'Taken along: a run, a failing run; 2 Work Credits in all.',
  )
})

test('what is shared only to compare is not mentioned', () => {
  expect(tookAlong(['other org', 'positive control whoami', 'positive control getTask'])).toEqual([
    'valid requests of whoami, getTask',
  ])
})
