import { expect, test } from 'vitest'
import type { SuiteRun } from '#contract-tests/harness/outcome.ts'
import { must } from '#contract-tests/harness/requirement.ts'
import { objections } from './compare.ts'

const catalogue = ['KEY-WORKS', 'KEY-NAME', 'RUN-OK'].map((id) =>
  must(id, '§1', null)
    .states('It is kept.')
    .observe(() => undefined),
)

const trial = (red: string[], faults: string[] = []) => ({ run: {} as SuiteRun, red, faults })

test('a trial that turns red what was named has nothing against it', () => {
  expect(objections(trial(['KEY-WORKS']), ['KEY-WORKS'], catalogue)).toEqual([])
})

test('a defect that survives is objected to', () => {
  expect(objections(trial([]), ['KEY-WORKS'], catalogue)).toEqual(['does not turn KEY-WORKS red'])
})

test('a requirement that was not named is objected to', () => {
  expect(objections(trial(['KEY-WORKS', 'KEY-NAME']), ['KEY-WORKS'], catalogue)).toEqual([
    'turns KEY-NAME red, which it does not name',
  ])
})

test('a pattern stands for every id that it fits', () => {
  expect(objections(trial(['RUN-OK']), ['RUN-O*'], catalogue)).toEqual([])
  expect(objections(trial(['KEY-NAME']), ['KEY-N*', 'KEY-W*'], catalogue)).toEqual([
    'does not turn KEY-WORKS red',
  ])
})

test('an id that the catalogue does not have is objected to', () => {
  expect(objections(trial([]), ['NO-SUCH-ID'], catalogue)).toEqual([
    'names NO-SUCH-ID, which the catalogue does not have',
  ])
})

test('a fault of the suite or the mock makes a trial void', () => {
  expect(objections(trial(['KEY-WORKS'], ['a bug']), ['KEY-WORKS'], catalogue)).toEqual(['a bug'])
})
