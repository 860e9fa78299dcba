/** The requirements that settings select. */
import { expect, test } from 'vitest'
import { catalogue } from '../catalogue/index.ts'
import { should } from '../harness/requirement.ts'
import { settingsWithDefaults } from '../harness/terms.ts'
import { matchesPattern, omissionReason, selectRequirements } from './selection.ts'

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
  expect(matchesPattern(id, pattern)).toBe(expected)
})

const one = should('RUN-ENDS', '§3', null)
  .tests('task-finished')
  .states('It ends.')
  .seen(() => undefined)

test.each([
  [{}, undefined],
  [{ only: ['KEY-*', 'RUN-*'] }, undefined],
  [{ only: ['KEY-*'] }, 'not selected by --only'],
  [{ skip: ['RUN-*'] }, 'left out by --skip'],
  [{ only: ['RUN-*'], skip: ['RUN-ENDS'] }, 'left out by --skip'],
  [{ levels: ['MUST'] as const }, 'not selected by --level'],
])('%j leaves it out: %s', (settings, expected) => {
  expect(omissionReason(one, settingsWithDefaults({ apiKey: 'k', ...settings }))?.reason).toBe(expected)
})

test.each([
  [[], ['ACCEPTS-getTask']],
  [['ACCEPTS-*'], []],
])('what sends nothing itself takes along what shows it, unless %j is skipped', (skip, expected) => {
  const settings = settingsWithDefaults({ apiKey: 'k', only: ['SHAPE-getTask'], skip })
  expect(selectRequirements(catalogue, settings).along.map(({ id }) => id)).toEqual(expected)
})
