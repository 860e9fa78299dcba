/** The client of the provider-state protocol. */
import { expect, test } from 'vitest'
import { NotExercised } from '../client/check-errors.ts'
import { Recorder } from '../client/recorder.ts'
import { createFakeTarget, jsonAnswer, lostRequestError } from '../testing/fake-target.ts'
import { createProviderStatesClient } from './provider-states.ts'

const url = 'http://operator.test/states?query=1'
const params = { org_id: 'org_1', credits: 0 }
const limits = { timeout: 1_000, outage: 2_000 }

function statesOf(answer: () => Response, at: string | undefined = url) {
  const target = createFakeTarget(answer)
  return { target, states: createProviderStatesClient(at, target, limits, new Recorder(), 'main') }
}

test('a state is set up before the action and torn down after it', async () => {
  const { target, states } = statesOf(() => new Response(null, { status: 204 }))
  const seen = await states.during('credits', params, async () => target.sent.length)
  expect(seen).toBe(1)
  expect(target.sent.map(({ url, method, body }) => [url, method, JSON.parse(body ?? '')])).toEqual([
    [url, 'POST', { state: 'credits', params, action: 'setup' }],
    [url, 'POST', { state: 'credits', params, action: 'teardown' }],
  ])
  expect(target.sent[0]?.headers['content-type']).toBe('application/json')
})

test('a failed teardown is ignored', async () => {
  let answers = 0
  const { states } = statesOf(() => jsonAnswer(answers++ === 0 ? 200 : 500))
  expect(await states.during('agent_busy', params, async () => 'done')).toBe('done')
})

test('a state that is not offered is named and no longer offered', async () => {
  const { states } = statesOf(() => jsonAnswer(404))
  expect(states.mayOffer('credits')).toBe(true)
  await expect(states.setup('credits', params)).rejects.toThrow(
    expect.objectContaining({
      message: 'the provider does not offer the state "credits"',
      supply: 'the state "credits" at the states URL',
    }),
  )
  expect(states.mayOffer('credits')).toBe(false)
  expect(states.mayOffer('agent_busy')).toBe(true)
})

test('a states URL that does not answer is a fault of the provider', async () => {
  const { states } = statesOf(() => {
    throw lostRequestError()
  })
  await expect(states.setup('credits', params)).rejects.toThrow(NotExercised)
})

test('an agent that does not become idle in time keeps no other state from being used', async () => {
  const { states } = statesOf(() => {
    throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  })
  await expect(states.setup('agent_idle', params)).rejects.toThrow('something runs or waits without an end')
  expect([states.mayOffer('agent_idle'), states.mayOffer('credits')]).toEqual([false, true])
})

test.each([
  ['refuses connections', 'ECONNREFUSED'],
  ['closes connections', 'ECONNRESET'],
])('a states URL that %s is waited for as long as an outage may last', async (_, code) => {
  const answers = [lostRequestError(code), lostRequestError(code)]
  const { target, states } = statesOf(() => {
    const error = answers.pop()
    if (error) throw error
    return new Response(null, { status: 204 })
  })
  await states.setup('credits', params)
  expect(target.sent).toHaveLength(3)
  answers.push(...Array.from({ length: 9 }, () => lostRequestError(code)))
  await expect(states.setup('credits', params)).rejects.toThrow(NotExercised)
})

test('a notification whose connection was closed is not asked for again, and is no fault of the provider', async () => {
  const { target, states } = statesOf(() => {
    throw lostRequestError()
  })
  await expect(states.setup('unread_notification', params)).rejects.toThrow(
    'the states URL closed the connection for "unread_notification"',
  )
  expect(target.sent).toHaveLength(1)
  expect(states.mayOffer('unread_notification')).toBe(true)
})

test('without a states URL no state is offered, and the flag is named', async () => {
  const { target } = statesOf(() => jsonAnswer(200))
  const states = createProviderStatesClient(undefined, target, limits, new Recorder(), 'main')
  expect(states.mayOffer('credits')).toBe(false)
  await expect(states.setup('credits', params)).rejects.toThrow(
    expect.objectContaining({ supply: '--states-url URL' }),
  )
  expect(target.sent).toEqual([])
})
