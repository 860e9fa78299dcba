/** A report covers the organization that it is about, and no other. */
import { describe, expect, test } from 'vitest'
import { clientOf, origin } from '#mocks/testing/client.ts'
import { frozenMock } from '#mocks/testing/mock.ts'
import { rules } from './rules/index.ts'
import { outcomeOf } from './testing/rule-result.ts'

test('without requests nothing is exercised', () => {
  const report = frozenMock().report()
  expect([report.outcome, report.totals.not_exercised, report.parts]).toEqual([
    'not_exercised',
    rules.length,
    [],
  ])
})

describe('organizations', () => {
  test('the report on one shows nothing of another', async () => {
    const mock = frozenMock({ credits: 0 })
    for (const name of ['ada', 'bob']) {
      const { call, newTask } = clientOf(mock, name)
      const id = await newTask()
      for (let i = 0; i < (name === 'ada' ? 2 : 1); i++) await call('runTask', { id })
    }
    expect(outcomeOf(mock, 'stops-at-402', {}, 'ada')).toBe('failed')
    expect(outcomeOf(mock, 'stops-at-402', {}, 'bob')).toBe('passed')
    const { parts, outcome } = mock.report()
    expect([outcome, parts.map(({ requests }) => requests)]).toEqual(['failed', [3, 2]])
  })

  test('rejected requests of a deleted key belong to its organization', async () => {
    const mock = frozenMock()
    const { call } = clientOf(mock)
    const { keys } = (await call('listKeys')).body
    await call('deleteKey', { id: String(keys[0]?.id) })
    for (let i = 0; i < 2; i++) await call('whoami')
    expect(outcomeOf(mock, 'stops-at-401')).toBe('warned')
  })

  test('rejected requests of an unknown key are judged on their own', async () => {
    const mock = frozenMock()
    await clientOf(mock).call('whoami')
    const headers = { authorization: 'Bearer wrong' }
    for (let i = 0; i < 2; i++) await mock.fetch(new Request(`${origin}/api/cli/whoami`, { headers }))
    const { parts, rules } = mock.report()
    expect(parts.map(({ org_id, requests }) => [org_id === null, requests])).toEqual([
      [false, 1],
      [true, 2],
    ])
    expect(rules.find(({ id }) => id === 'stops-at-401')?.findings[0]?.part).toBe('nobody')
  })
})

test('violated advice fails a strict report only', async () => {
  const mock = frozenMock()
  const { call } = clientOf(mock)
  for (let i = 0; i < 2; i++) await call('getTask', { id: 'nope' })
  expect(mock.report()).toMatchObject({ outcome: 'passed', totals: { warned: 1 } })
  expect(mock.report({ strict: true })).toMatchObject({ outcome: 'failed', strict: true })
})

test('a short key that occurs in a URL by chance is not a key there', async () => {
  const mock = frozenMock({ keysOnly: 'ask,k2' })
  await clientOf(mock).call('listTasks')
  expect(outcomeOf(mock, 'key-in-header', {}, 'ask')).toBe('passed')
})
