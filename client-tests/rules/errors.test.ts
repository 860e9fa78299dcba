/** After 402 and 503: a client is judged only by what it could know. */
import { describe, expect, test } from 'vitest'
import type { Mock } from '#mocks/app.ts'
import { clientOf } from '#mocks/testing/client.ts'
import { frozenMock } from '#mocks/testing/mock.ts'
import { outcomeOf, resultOf } from '../testing/rule-result.ts'

const second = 1_000

describe('after 402', () => {
  test('paid requests that were sent before the answer arrived are no violation', async () => {
    const mock = frozenMock({ credits: 1 })
    const { call, newTask } = clientOf(mock)
    const ids = [await newTask(), await newTask(), await newTask()]
    const answers = await Promise.all(ids.map((id) => call('runTask', { id })))
    expect(answers.map(({ status }) => status)).toEqual([200, 402, 402])
    expect(outcomeOf(mock, 'stops-at-402')).toBe('passed')
  })

  test('the next paid request is a violation, and the report names both requests', async () => {
    const mock = frozenMock({ credits: 0 })
    const { call, newTask } = clientOf(mock)
    const id = await newTask()
    await call('runTask', { id })
    mock.clock.advance(500)
    await call('runTask', { id: await newTask() })
    const { outcome, findings } = resultOf(mock, 'stops-at-402')
    expect(outcome).toBe('failed')
    expect(findings[0]?.what).toBe('requested paid work again 0.5 s after a 402 without new credits')
    expect(findings[0]?.evidence.map(({ method, path, answer }) => [method, path, answer])).toEqual([
      ['POST', `/api/cli/tasks/${id}/run`, '402 no_credits'],
      ['POST', expect.stringMatching(/^\/api\/cli\/tasks\/task_\w+\/run$/), '402 no_credits'],
    ])
  })

  test('the same run, sent twice at once, shows nothing', async () => {
    const mock = frozenMock({ credits: 0 })
    const { call, newTask } = clientOf(mock)
    const id = await newTask()
    await Promise.all([call('runTask', { id }), call('runTask', { id })])
    expect(outcomeOf(mock, 'stops-at-402')).toBe('not_exercised')
  })

  test.each<[string, Parameters<typeof frozenMock>[0], (mock: Mock) => unknown]>([
    [
      'credits were added',
      { credits: 1, runProgress: 'immediate' },
      (mock) => mock.organization('demo').addCredits(1),
    ],
    ['a credit was refunded', { credits: 1, runOutcome: 'failed' }, (mock) => mock.clock.advance(2 * second)],
    [
      'credits were shown',
      { fault: 'runTask=ok,no_credits', runProgress: 'immediate' },
      (mock) => clientOf(mock).call('whoami'),
    ],
  ])('paid work is allowed after %s', async (_, options, help) => {
    const mock = frozenMock(options)
    const { call, newTask } = clientOf(mock)
    const [first, next] = [await newTask(), await newTask()]
    await call('runTask', { id: first })
    expect((await call('runTask', { id: next })).status).toBe(402)
    await help(mock)
    expect((await call('runTask', { id: next })).status).toBe(200)
    expect(outcomeOf(mock, 'stops-at-402')).toBe('passed')
  })
})

describe('after 503', () => {
  const struck = async () => {
    const mock = frozenMock({ fault: 'whoami=unavailable,unavailable,ok' })
    const { call } = clientOf(mock)
    await call('whoami')
    return { mock, call }
  }

  test('a client that ended without a retry has given up', async () => {
    const { mock } = await struck()
    expect(outcomeOf(mock, 'retries-503', { end: { ok: true } })).toBe('failed')
  })

  test('one immediate retry is no violation, and shows no pause either', async () => {
    const { mock, call } = await struck()
    await call('whoami')
    expect(outcomeOf(mock, 'retries-503')).toBe('passed')
    expect(outcomeOf(mock, 'pauses-after-503')).toBe('not_exercised')
    await call('whoami')
    expect(outcomeOf(mock, 'pauses-after-503')).toBe('warned')
  })
})
