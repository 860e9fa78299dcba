/** Whose credits are spent, and how many may be. */
import { expect, test } from 'vitest'
import { contextOnMock } from '../testing/run.ts'
import { createCreditSource } from './credit-source.ts'
import { payersOf, type Step } from './step.ts'

const run = (tenant: 'main' | 'other'): Step => ({
  kind: 'call',
  at: 1,
  tenant,
  as: 'key',
  operation: 'runTask',
  of: 'task',
})

test('each organization pays for what it asks for', async () => {
  const creditSource = createCreditSource(contextOnMock({ maxCredits: 2 }))
  await creditSource.open(['main'])
  const payers = payersOf([run('main'), run('other'), run('main'), run('other'), run('other')])
  expect(payers).toEqual(['main', 'other', 'main', 'other', 'other'])
  expect(creditSource.allows(payers)).toBe(false)
  expect(creditSource.allows(payers.slice(0, 4))).toBe(true)
})
