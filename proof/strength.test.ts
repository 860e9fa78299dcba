/** What the strength of a run says offline is what the suite finds of a mock that has the violation. */
import { expect, test } from 'vitest'
import { violations } from '#contract-tests/strength/violations.ts'
import { createRandom } from '#mocks/core/random.ts'
import { shuffled } from '#mocks/quirks/quirk.ts'
import { isWhole } from '#mocks/testing/sample.ts'
import { tryViolation } from './strength.ts'

const drawn = shuffled(createRandom('strength', 'violations'), violations).slice(0, isWhole ? 50 : 3)

test(`of ${drawn.length} violations drawn at random, nine in ten are noticed offline as by a run`, async () => {
  const different: string[] = []
  for (const violation of drawn) {
    const { offline, online } = await tryViolation(violation)
    if (offline !== online) different.push(violation.id)
  }
  expect(different.length, different.join(', ')).toBeLessThanOrEqual(drawn.length / 10)
}, 300_000)
