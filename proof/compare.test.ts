import { expect, test } from 'vitest'
import type { SuiteRun } from '#contract-tests/harness/outcome.ts'
import { must } from '#contract-tests/harness/requirement.ts'
import { objections } from './matrix.ts'

const catalogue = ['KEY-WORKS', 'KEY-NAME', 'RUN-OK'].map((id) =>
  must(id, '§1', null)
    .states('It is kept.')
    .observe(() => undefined),
)

const trial = (red: string[], faults: string[] = []) => ({ run: {} as SuiteRun, red, faults })

test('a trial that breaks what was named has no objections', () => {
  expect(objections(trial(['KEY-WORKS']), ['KEY-WORKS'], catalogue)).toEqual([])
})

test('a defect that is not detected is an objection', () => {
  expect(objections(trial([]), ['KEY-WORKS'], catalogue)).toEqual(['does not break KEY-WORKS'])
})

test('a broken requirement that was not named is an objection', () => {
  expect(objections(trial(['KEY-WORKS', 'KEY-NAME']), ['KEY-WORKS'], catalogue)).toEqual([
    'breaks KEY-NAME, which it does not name',
  ])
})

test('a pattern matches several ids', () => {
  expect(objections(trial(['RUN-OK']), ['RUN-O*'], catalogue)).toEqual([])
  expect(objections(trial(['KEY-NAME']), ['KEY-N*', 'KEY-W*'], catalogue)).toEqual([
    'does not break KEY-WORKS',
  ])
})

test('an id that is not in the catalogue is an objection', () => {
  expect(objections(trial([]), ['NO-SUCH-ID'], catalogue)).toEqual([
    'names NO-SUCH-ID, which is not in the catalogue',
  ])
})

test('an error in the suite or the mock makes a trial void', () => {
  expect(objections(trial(['KEY-WORKS'], ['a bug']), ['KEY-WORKS'], catalogue)).toEqual(['a bug'])
})
