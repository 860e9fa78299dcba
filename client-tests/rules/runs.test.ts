/** Runs, polls, ids and lost answers: without a situation a rule is neither kept nor violated. */
import { describe, expect, test } from 'vitest'
import { clientOf } from '#mocks/testing/client.ts'
import { frozenMock } from '#mocks/testing/mock.ts'
import type { RunFacts } from '../rule.ts'
import { outcomeOf, resultOf } from '../testing/rule-result.ts'

const second = 1_000

describe('a run', () => {
  const started = async (options: Parameters<typeof frozenMock>[0] = {}) => {
    const mock = frozenMock(options)
    const client = clientOf(mock)
    const id = await client.newTask()
    await client.call('runTask', { id })
    return { mock, id, ...client }
  }

  test('a client that has not ended has not abandoned a run', async () => {
    const { mock, id, poll } = await started({ runDuration: '1h' })
    await poll(id)
    expect(outcomeOf(mock, 'follows-runs')).toBe('not_exercised')
    expect(outcomeOf(mock, 'follows-runs', { end: { ok: true } })).toBe('warned')
  })

  test('polling on is correct after an invalid_request while a run is in progress', async () => {
    const { mock, id, poll, call, newTask } = await started({ runDuration: '1h' })
    await call('runTask', { id: await newTask() })
    expect((await call('runTask', { id })).body).toMatchObject({ error: 'invalid_request' })
    for (let i = 0; i < 5; i++) await poll(id)
    expect(outcomeOf(mock, 'branches-on-error')).toBe('not_exercised')
  })

  test('a task whose answers are too long for the journal is not judged', async () => {
    const mock = frozenMock()
    const { newTask, call, poll } = clientOf(mock)
    const id = await newTask('long '.repeat(10_000))
    await call('runTask', { id })
    await poll(id)
    const { rules } = mock.report({ end: { ok: true } })
    const judged = rules.filter(({ outcome }) => outcome !== 'not_exercised').map((rule) => rule.id)
    expect(judged).toEqual(['key-in-header', 'no-organization-id'])
  })
})

describe('a paid request whose answer is lost', () => {
  const lost = async () => {
    const mock = frozenMock({ fault: 'runTask=lost;times=1', runProgress: 'immediate', credits: 5 })
    const client = clientOf(mock)
    const id = await client.newTask()
    const run = () => client.call('runTask', { id }).catch(() => undefined)
    await run()
    return { mock, id, run, ...client }
  }

  test('is paid twice when it is repeated without a check', async () => {
    const { mock, run, credits } = await lost()
    await run()
    const { outcome, findings } = resultOf(mock, 'no-blind-repeat')
    expect(outcome).toBe('warned')
    expect(findings[0]?.what).toBe(
      'repeated a paid request without checking whether it took effect, and paid twice',
    )
    expect(findings[0]?.evidence.map(({ answer }) => answer)).toEqual(['reset, after it took effect', '200'])
    expect(await credits()).toBe(3)
  })

  test('may be repeated after a check', async () => {
    const { mock, run, poll, id } = await lost()
    await poll(id)
    await run()
    expect(outcomeOf(mock, 'no-blind-repeat')).toBe('passed')
  })
})

describe('a status that a client cannot know', () => {
  const ended = async (options: Parameters<typeof frozenMock>[0], looks: number, ok: boolean) => {
    const mock = frozenMock(options)
    const { newTask, call, poll } = clientOf(mock)
    const id = await newTask()
    await call('runTask', { id })
    mock.clock.advance(10 * second)
    for (let i = 0; i < looks; i++) await poll(id)
    const report = (run?: RunFacts, since = 0) =>
      ['reads-finished', 'stops-polling', 'tolerates-extras'].map((rule) =>
        outcomeOf(mock, rule, { end: { ok }, run, since }),
      )
    return report
  }
  const unknown = { strictClient: 'status-made-up' }
  const canFinish = true

  test('ends a client that knows a list of them, also where the task is finished', async () => {
    const report = await ended(unknown, 1, false)
    expect(report()).toEqual(['failed', 'passed', 'not_exercised'])
    expect(report({ canFinish, stopsAt: 'getTask' })).toEqual(['not_exercised', 'passed', 'not_exercised'])
  })

  test('is not blamed for an error after a failed run', async () => {
    const report = await ended({ ...unknown, fault: 'runTask=fail' }, 1, false)
    expect(report()[0]).toBe('not_exercised')
  })

  test('is not the reason of polls after the end where the client ends well', async () => {
    const report = await ended(unknown, 5, true)
    expect(report()).toEqual(['not_exercised', 'failed', 'not_exercised'])
    expect(report({ canFinish, pollsOn: false })[0]).toBe('failed')
  })

  test('is blamed, and not an unknown field, where the client accepted such fields before', async () => {
    const report = await ended({ strictClient: 'status-made-up,extra-fields' }, 1, false)
    expect(report()).toEqual(['failed', 'passed', 'passed'])
    const afterTheRun = 2
    expect(report(undefined, afterTheRun)).toEqual(['not_exercised', 'not_exercised', 'warned'])
  })
})

const run = { canFinish: true, hasPaidWork: true }
const end = { ok: false }

/** A client that ends after it created a task. */
async function stopped(scenario: 'odd-ids' | 'slow-run') {
  const mock = frozenMock({ scenario })
  await clientOf(mock).newTask()
  return mock
}

test('an end at an id that no path holds as it is violates the rule, and explains the end', async () => {
  const mock = await stopped('odd-ids')
  expect(resultOf(mock, 'encodes-ids', { end, run }).findings[0]?.what).toMatch(
    /^ended with an error at the id "task\/é .+", which a path cannot hold as it is$/,
  )
  expect(outcomeOf(mock, 'finishes-work', { end, run })).toBe('not_exercised')
})

test('an end at any other id does not, nor one of a client that runs no tasks elsewhere', async () => {
  expect(outcomeOf(await stopped('slow-run'), 'encodes-ids', { end, run })).toBe('not_exercised')
  const idle = { ...run, hasPaidWork: false }
  expect(outcomeOf(await stopped('odd-ids'), 'encodes-ids', { end, run: idle })).toBe('not_exercised')
})
