/** A run of selected requirements says what it did besides. */
import { expect, test } from 'vitest'
import { settingsWith } from '../harness/terms.ts'
import { conclude, nothingExpected } from '../runner/outcome-of-run.ts'
import { runSuite } from '../runner/run.ts'
import { embeddedMock } from '../targets/in-process.ts'
import { tookAlong } from './arranged.ts'
import { presentConformance } from './presentation.ts'
import { createReport } from './report.ts'

const conditions = { strict: false, requireComplete: false, expected: nothingExpected, skip: [] }

async function reportOf(only: readonly string[]) {
  const { target, access } = embeddedMock()
  const run = await runSuite({ target, settings: settingsWith({ ...access, only, maxCredits: 20 }) })
  const { run: concluded, judgement } = conclude(run, conditions)
  return createReport(concluded, judgement, { name: 'suite', version: '1' }, [])
}

test('the cost of a run takes a failing run along, and says what both cost', async () => {
  const report = await reportOf(['CREDITS-RUN-COSTS-ONE'])
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

test('a run of everything says nothing of it', async () => {
  expect((await reportOf([])).took_along).toEqual([])
})
