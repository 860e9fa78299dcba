import { expect, test } from 'vitest'
import { must } from '#contract-tests/harness/requirement.ts'
import { objections } from './matrix.ts'

const catalogue = ['KEY-WORKS', 'KEY-NAME', 'RUN-OK'].map((id) =>
  must(id, '§1', null)
    .states('It is kept.')
    .observe(() => undefined),
)

test.each<[string, red: string[], named: string[], objections: string[], faults?: string[]]>([
  ['breaks what was named', ['KEY-WORKS'], ['KEY-WORKS'], []],
  ['breaks nothing', [], ['KEY-WORKS'], ['does not break KEY-WORKS']],
  ['breaks more', ['KEY-WORKS', 'KEY-NAME'], ['KEY-WORKS'], ['breaks KEY-NAME, which it does not name']],
  ['fits a pattern', ['RUN-OK'], ['RUN-O*'], []],
  ['fits one of two patterns', ['KEY-NAME'], ['KEY-N*', 'KEY-W*'], ['does not break KEY-WORKS']],
  ['names no id', [], ['NO-SUCH-ID'], ['names NO-SUCH-ID, which is not in the catalogue']],
  [
    'meets an error in the suite or the mock, and is void',
    ['KEY-WORKS'],
    ['KEY-WORKS'],
    ['a bug'],
    ['a bug'],
  ],
])('a trial that %s: of %j and %j the objections are %j', (_, red, named, expected, faults = []) => {
  expect(objections({ red, faults }, named, catalogue)).toEqual(expected)
})
