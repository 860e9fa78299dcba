/** Strict-client mode stays within the specification: the conformance suite passes for every seed. */
import { expect, test } from 'vitest'
import { resultsWithOutcome } from '#contract-tests/harness/outcome.ts'
import { tryMutations } from '#proof/trial.ts'
import { isExhaustiveTestRun } from '../testing/sample.ts'

const seeds = isExhaustiveTestRun ? Array.from({ length: 50 }, (_, i) => i + 1) : [2]

test.each(seeds)('--strict-client %d conforms', async (strictClient) => {
  const variant = strictClient % 2 ? 'first' : 'second'
  const { run, faults } = await tryMutations([{ options: { strictClient } }], variant)
  const found = resultsWithOutcome(run, 'failed', 'warned')
    .filter(({ requirement }) => requirement.id !== 'VARIANT-CONSISTENT')
    .map(({ requirement, expected, actual }) => ({ id: requirement.id, expected, actual }))
  expect([...found, ...faults]).toEqual([])
  expect(resultsWithOutcome(run, 'passed').length).toBeGreaterThan(150)
})
