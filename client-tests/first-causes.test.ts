/** Which violations follow from others. */
import { expect, test } from 'vitest'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { firstCauses } from './first-causes.ts'
import type { Rule, Situation } from './rule.ts'

type Traits = Partial<Pick<Rule, 'level' | 'isHarmless' | 'isRoot' | 'followsFromOthers'>>

/** A rule that was violated or kept in requests with these numbers. */
const judged = (
  id: string,
  violated: readonly number[],
  traits: Traits = {},
  kept: readonly number[] = [],
) => {
  const situation = (number: number, violation?: string): Situation => ({
    evidence: [{ number } as JournalEntry],
    violation,
  })
  const rule = { id, level: 'MUST', ...traits } as Rule
  return {
    rule,
    situations: [...violated.map((n) => situation(n, 'did wrong')), ...kept.map((n) => situation(n))],
  }
}

/** The requests whose violations remain, rule by rule. */
const left = (...rules: ReturnType<typeof judged>[]) =>
  Object.fromEntries(
    firstCauses(rules).map(({ rule, situations }) => [
      rule.id,
      situations.filter(({ violation }) => violation).map(({ evidence }) => evidence[0]?.number),
    ]),
  )

const must = { followsFromOthers: true }
const advice = { followsFromOthers: true, level: 'SHOULD' } as const
const should = { level: 'SHOULD' } as const

test('violations of independent rules all remain', () => {
  expect(left(judged('a', [1, 3]), judged('b', [2]))).toEqual({ a: [1, 3], b: [2] })
})

test('what follows from others is dropped beside a violation of its level or above', () => {
  expect(left(judged('a', [1]), judged('end', [2], must))).toEqual({ a: [1], end: [] })
  expect(left(judged('a', [1]), judged('end', [2], advice))).toEqual({ a: [1], end: [] })
  expect(left(judged('a', [1], should), judged('end', [2], advice))).toEqual({ a: [1], end: [] })
})

test.each([
  ['a rule', should],
  ['a root', { ...should, isRoot: true }],
])('advice never takes the place of a duty: %s', (_, traits) => {
  expect(left(judged('a', [1], traits), judged('duty', [2]), judged('end', [3], must))).toEqual({
    a: [1],
    duty: [2],
    end: [],
  })
  expect(left(judged('a', [1], traits), judged('end', [3], must))).toEqual({ a: [1], end: [3] })
})

test('a harmless violation explains nothing, and follows from nothing', () => {
  const harmless = { isHarmless: true }
  expect(left(judged('a', [1], harmless), judged('end', [2], must))).toEqual({ a: [1], end: [2] })
  expect(left(judged('root', [1], { isRoot: true }), judged('a', [2], harmless))).toEqual({
    root: [1],
    a: [2],
  })
})

test('rules that follow from others do not explain each other', () => {
  expect(left(judged('a', [1], must), judged('b', [1], must))).toEqual({ a: [1], b: [1] })
})

test('after a root only its own violations count, and those from before it', () => {
  const root = judged('root', [3, 5], { isRoot: true })
  expect(left(root, judged('a', [1, 2, 3, 4]))).toEqual({ root: [3, 5], a: [1, 2] })
})

test('kept situations remain', () => {
  const [, end] = firstCauses([judged('a', [1]), judged('end', [2], must, [3])])
  expect(end?.situations.map(({ violation }) => violation)).toEqual([undefined])
})
