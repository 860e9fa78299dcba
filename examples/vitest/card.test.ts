/** Trouble, and how the client takes it: what it sent, and what the client report says of that. */
import { expect } from 'vitest'
import { work } from '../client/work.ts'
import { test } from './mock.ts'

const texts = ['Say hello', 'Write a haiku']

test('an outage and a limit are waited out', async ({ client, organization }) => {
  organization.faults.add('whoami=unavailable,rate_limited,ok')
  await client.whoami()
  const answers = organization.journal.entries({ operation: 'whoami' }).map(({ status }) => status)
  expect(answers).toEqual([503, 429, 200])
})

test('a run whose answer is lost is not paid for twice', async ({ client, organization }) => {
  organization.faults.add('runTask=lost;times=1')
  await client.runTask(await client.createTask({ text: 'Say hello' }))
  expect(organization.ledgers()[0]).toMatchObject({ spent: 1 })
})

test.for([
  'lost-answer',
  'two-conflicts',
  'rate-limited-burst-date',
  'mixed-variants',
  'strict-client',
] as const)('the client report finds no fault in %s', async (scenario, { client, organization }) => {
  organization.scenarios.start(scenario)
  await work(client, texts, () => {})
  const { outcome, rules } = organization.report({ end: { ok: true }, strict: true })
  expect(rules.flatMap(({ findings }) => findings)).toEqual([])
  expect(outcome).toBe('passed')
})
