/** The requirements that settings select, and those of a shard. */
import { expect, test } from 'vitest'
import { catalogue } from '../catalogue/index.ts'
import { isCheck, should } from '../harness/requirement.ts'
import { settingsWith } from '../harness/terms.ts'
import { fits, isInShard, leftOut, selectionOf } from './selection.ts'

test.each([
  ['RUN-ENDS', 'RUN-ENDS', true],
  ['run-ends', 'RUN-ENDS', true],
  ['RUN-*', 'RUN-ENDS', true],
  ['*-ENDS', 'RUN-ENDS', true],
  ['*', 'RUN-ENDS', true],
  ['RUN', 'RUN-ENDS', false],
  ['UN-ENDS', 'RUN-ENDS', false],
  ['RUN.ENDS', 'RUN-ENDS', false],
  ['RUN-(ENDS', 'RUN-ENDS', false],
])('the pattern %s and %s: %s', (pattern, id, expected) => {
  expect(fits(id, pattern)).toBe(expected)
})

const one = should('RUN-ENDS', '§3', null)
  .states('It ends.')
  .observe(() => undefined)

test.each([
  [{}, undefined],
  [{ only: ['KEY-*', 'RUN-*'] }, undefined],
  [{ only: ['KEY-*'] }, 'not selected by --only'],
  [{ skip: ['RUN-*'] }, 'left out by --skip'],
  [{ only: ['RUN-*'], skip: ['RUN-ENDS'] }, 'left out by --skip'],
  [{ levels: ['MUST'] as const }, 'not selected by --level'],
])('%j leaves it out: %s', (settings, expected) => {
  expect(leftOut(one, settingsWith({ apiKey: 'k', ...settings }))).toBe(expected)
})

test.each([
  [[], ['ACCEPTS-getTask']],
  [['ACCEPTS-*'], []],
])('what sends nothing itself takes along what shows it, unless %j is skipped', (skip, expected) => {
  const settings = settingsWith({ apiKey: 'k', only: ['SHAPE-getTask'], skip })
  expect(selectionOf(catalogue, settings).along.map(({ id }) => id)).toEqual(expected)
})

const checks = catalogue.filter(isCheck)
const sizeOf = (part: number, of: number) => checks.filter(({ id }) => isInShard(id, { part, of })).length

test.each([1, 2, 3, 5])('%i shards test each requirement once', (of) => {
  const parts = Array.from({ length: of }, (_, i) => i + 1)
  for (const { id } of checks) expect(parts.filter((part) => isInShard(id, { part, of }))).toHaveLength(1)
})

test('two shards are of similar size', () => {
  expect(Math.abs(sizeOf(1, 2) - sizeOf(2, 2))).toBeLessThan(checks.length / 10)
})

test('every shard reads its own traffic', () => {
  for (const { id } of catalogue.filter((one) => !isCheck(one)))
    for (const part of [1, 2, 3]) expect(isInShard(id, { part, of: 3 })).toBe(true)
})
