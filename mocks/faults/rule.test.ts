/** The text of a rule is the same rule: whoever adds it again gets the same faults. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operationIds } from '#contract/operation.ts'
import { frozenMock } from '../testing/mock.ts'
import { parseFault, vocabulary } from './fault.ts'
import { checkRule, parseRule } from './grammar.ts'
import { type RuleDraft, ruleText } from './rule.ts'

const words = [
  ...vocabulary,
  'rate_limited date',
  'delay 0.0000001ms',
  'delay 1ms..2h',
  'delay lognormal 1s 0.3',
  'lost hang',
  'dribble 3s',
]
const faults = fc.array(fc.constantFrom(...words.flatMap((word) => parseFault(word) ?? [])), {
  minLength: 1,
  maxLength: 4,
})
const name = fc.stringMatching(/^[^;\s\p{Cc}]([^;\p{Cc}]{0,8}[^;\s\p{Cc}])?$/u)
const count = fc.nat(1_000)
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })

const drafts: fc.Arbitrary<RuleDraft> = fc
  .record({
    operation: optional(fc.constantFrom(...operationIds)),
    faults,
    times: optional(fc.oneof(count, fc.constant(Number.POSITIVE_INFINITY))),
    rate: optional(fc.double({ min: 0, max: 1, noNaN: true })),
    after: optional(count),
    seed: optional(name),
    mostInARow: optional(count),
    id: optional(name.map((text) => `id-${text}`)),
  })
  .filter((draft) => checkRule(draft) === undefined)

/** A rule with what it does if a setting is left out. */
const meaning = ({ operation, faults, times, rate, after, seed, mostInARow, id }: RuleDraft) => ({
  operation,
  faults,
  times: times ?? (faults.length > 1 ? faults.length : Number.POSITIVE_INFINITY),
  rate: rate === 1 && mostInARow === undefined ? undefined : rate,
  after: after ?? 0,
  seed: seed ?? 'mock',
  mostInARow,
  id,
})

test('the text of a rule parses back to the same rule', () => {
  fc.assert(
    fc.property(drafts, (draft) => {
      const read = parseRule(ruleText(draft, 'mock'))
      if (typeof read === 'string') throw new Error(`${ruleText(draft, 'mock')}: ${read}`)
      expect(meaning(read)).toEqual(meaning(draft))
    }),
    { numRuns: 500 },
  )
})

test('the text of a rule is the same after a restore in a mock of another seed', async () => {
  const mock = frozenMock({ seed: 'here' })
  mock.faults.add('whoami=503;rate=0.5')
  mock.faults.add('whoami=429;rate=0.5;seed=other')
  const other = frozenMock({ seed: 'there' })
  other.restore(mock.snapshot())
  expect(other.faults.list()).toEqual(mock.faults.list())
  expect(other.faults.add('getTask=503;rate=0.5')).toEqual(mock.faults.add('getTask=503;rate=0.5'))
})
