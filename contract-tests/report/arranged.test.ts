/** Each exchange of a report names the provider states that were set up for it; a run of selected requirements says what it did besides. */
import { expect, test } from 'vitest'
import type { ArrangedEvent, RequestEvent } from '../model/event.ts'
import { reportOf, runOnMock } from '../testing/run.ts'
import { arrangedFor, tookAlong } from './arranged.ts'
import { presentConformance } from './presentation.ts'

const at = (place: number) => ({ place, ms: place * 10 })

const request = (place: number, operation: RequestEvent['operation'], tenant = 'main'): RequestEvent => {
  return { kind: 'request', id: place, operation, tenant, sent: at(place), answer: null }
}

const state = (place: number, name: string, params = {}, action: ArrangedEvent['action'] = 'setup') => {
  const event = { kind: 'arranged', id: -place, tenant: 'main', state: name, action } as const
  return { ...event, params: { org_id: 'o', ...params }, sent: at(place), received: at(place) }
}

const statesOf = (number: number, ...history: (RequestEvent | ArrangedEvent)[]) =>
  arrangedFor({ number }, history)

test('a state is named until it is torn down, without the organization', () => {
  const limit = { limit: 1, window_s: 60 }
  const history = [
    state(1, 'rate_limit', limit),
    request(3, 'listTasks'),
    state(4, 'rate_limit', limit, 'teardown'),
    request(5, 'listTasks'),
  ]
  expect(statesOf(3, ...history)).toEqual([{ state: 'rate_limit', params: limit, before_ms: 20 }])
  expect(statesOf(5, ...history)).toEqual([])
})

test('a balance is named up to the first paid request, which may change it', () => {
  const history = [state(1, 'credits', { credits: 1 }), request(2, 'runTask'), request(3, 'runTask')]
  expect(statesOf(2, ...history)).toHaveLength(1)
  expect(statesOf(3, ...history)).toEqual([])
})

test('a state says nothing of other operations, other organizations and later times', () => {
  expect(statesOf(3, state(1, 'next_run_fails'), request(3, 'runTask'))).toHaveLength(1)
  const busy = state(1, 'agent_busy', { duration_ms: 30 })
  expect(statesOf(3, busy, request(3, 'runTask'))).toHaveLength(1)
  expect(statesOf(9, busy, request(9, 'runTask'))).toEqual([])
  expect(statesOf(3, busy, request(3, 'listTasks'))).toEqual([])
  expect(statesOf(3, busy, request(3, 'runTask', 'other'))).toEqual([])
})

test('a failing generation is named of the one that failed, not of one beside it', () => {
  const answered = (place: number, status: number): RequestEvent => {
    return { ...request(place, 'generateCreative'), answer: { status, received: at(4) } }
  }
  const history = [state(1, 'next_creative_fails'), answered(2, 503), answered(3, 200)]
  expect(statesOf(2, ...history)).toHaveLength(1)
  expect(statesOf(3, ...history)).toEqual([])
})

test('the cost of a run takes a failing run along, and says what both cost', async () => {
  const { run } = await runOnMock({ only: ['CREDITS-RUN-COSTS-ONE'], maxCredits: 20 })
  const report = reportOf(run)
  expect(report.took_along).toEqual(['a run', 'a failing run'])
  expect(report.credits.spent).toBe(2)
  expect(presentConformance(report).notes).toContain(
    'Taken along: a run, a failing run; 2 Work Credits in all.',
  )
})

test('what is shared only to compare is not mentioned', () => {
  expect(tookAlong(['other org', 'positive control whoami', 'positive control getTask'])).toEqual([
    'valid requests of whoami, getTask',
  ])
})
