/** `Preference-Applied` claims what took effect, and nothing else. */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { frozenMock } from '../testing/mock.ts'

const echoed = (reply: { status: number; headers: Headers }) => [
  reply.status,
  reply.headers.get('preference-applied'),
]

test('a busy answer is claimed only where it is the answer', async () => {
  const mock = frozenMock({ credits: 1, rateLimit: 'off' })
  const { call, newTask } = clientOf(mock)
  const headers = { prefer: 'error=busy' }
  const [one, other] = [await newTask(), await newTask()]
  expect(echoed(await call('runTask', { id: 'none', headers }))).toEqual([404, null])
  expect(echoed(await call('runTask', { id: one, headers }))).toEqual([409, 'error=busy'])
  const again = await call('runTask', { id: one, headers })
  expect([...echoed(again), Reflect.get(again.body, 'error')]).toEqual([409, null, 'invalid_request'])
  expect(echoed(await call('runTask', { id: other, headers }))).toEqual([402, null])
})

test('what a run was to do is claimed only if there is a run', async () => {
  const { call, newTask } = clientOf(frozenMock({ credits: 2 }))
  const headers = { prefer: 'fault="slow 5s", fault=fail, variant=second' }
  expect(echoed(await call('runTask', { id: 'none', headers, prefer: 'second' }))).toEqual([
    404,
    'variant=second',
  ])
  const run = await call('runTask', { id: await newTask(), headers, prefer: 'second' })
  expect(echoed(run)).toEqual([200, 'variant=second, fault="slow 5s", fault=fail'])
  const queued = await call('runTask', { id: await newTask(), headers: { prefer: 'fault=fail' } })
  expect(echoed(queued)).toEqual([409, 'fault=fail'])
})

test('a failed generation is claimed, one that is refused is not', async () => {
  const { call, state } = clientOf(frozenMock({ credits: 1 }))
  const input = { body: { prompt: 'sea' }, headers: { prefer: 'fault=fail' } }
  expect(echoed(await call('generateCreative', input))).toEqual([503, 'fault=fail'])
  await state('unavailable')
  expect(echoed(await call('generateCreative', input))).toEqual([503, null])
  await state('unavailable', {}, 'teardown')
  await state('credits', { credits: 0 })
  expect(echoed(await call('generateCreative', input))).toEqual([402, null])
})

test('the reason says which faults had no effect, and what was answered', async () => {
  const mock = frozenMock({ credits: 1, fault: 'runTask=busy;times=1' })
  const { call, newTask } = clientOf(mock)
  const reasonOf = async (id: string, prefer?: string) => {
    const { headers } = await call('runTask', { id, headers: prefer === undefined ? {} : { prefer } })
    return headers.get('x-mock-reason')
  }
  expect(await reasonOf('none')).toBe(
    'rule=f1; fault=busy; remaining=0; without effect=busy; answer=404 not_found',
  )
  expect(mock.journal.entries()[0]?.reason).toMatch(/without effect=busy; answer=404 not_found$/)
  expect(await reasonOf('none', 'delay=0.001, fault=fail')).toBe(
    'prefer; fault=delay 1ms, fail; without effect=fail; answer=404 not_found',
  )
  expect(await reasonOf('none', 'error=unavailable, fault=fail')).toBe(
    'prefer; fault=unavailable, fail; without effect=fail; answer=503 unavailable',
  )
  expect(await reasonOf(await newTask(), 'error=busy')).toBe('prefer; fault=busy')
})

test('what comes after the fault that decided is not claimed', async () => {
  const { call } = clientOf(frozenMock())
  const reply = await call('whoami', { headers: { prefer: 'error=unavailable, error=rate_limited' } })
  expect(echoed(reply)).toEqual([503, 'error=unavailable'])
})

test('wait delays alone, but not beside respond-async, where it is that of RFC 7240', async () => {
  const { call } = clientOf(frozenMock())
  const began = performance.now()
  expect(echoed(await call('whoami', { headers: { prefer: 'respond-async, wait=10' } }))).toEqual([200, null])
  expect(performance.now() - began).toBeLessThan(5_000)
  for (const prefer of ['delay=0.001', 'wait=0.001', 'wait=1ms'])
    expect(echoed(await call('whoami', { headers: { prefer } }))).toEqual([200, prefer])
})

test.each([
  ['fault=slow 5s', 'fault=\\"slow 5s\\"'],
  ['fault=delay 20ms', 'in quotes'],
  ['variant=2', 'write first or second'],
  ['code=999', 'write 400, 401, 402'],
  ['error=zzz', 'write unauthorized, '],
])('Prefer: %s is refused by a hint that fits', async (prefer, hint) => {
  const { status, text } = await clientOf(frozenMock()).call('whoami', { headers: { prefer } })
  expect([status, text]).toEqual([400, expect.stringContaining(hint)])
  expect(text).not.toContain('did you mean')
})

test('a misspelled prefix of a directive is named', async () => {
  const { text } = await clientOf(frozenMock()).call('createTask', {
    body: { text: '[[mock:creat:503]] Hello' },
  })
  expect(text).toContain('did you mean [[mock:create:503]]?')
})

test('in process, a lost answer is called lost', async () => {
  const mock = frozenMock({ fault: 'whoami=lost,lost hang,reset' })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const reasons = []
  for (let i = 0; i < 3; i++)
    reasons.push(
      await mock.fetch('http://mock.test/api/cli/whoami', { headers }).catch((error) => error.cause.message),
    )
  expect(reasons).toEqual([
    'the mock applied the fault "lost reset"; the request had its effect',
    'the mock applied the fault "lost hang"; the request had its effect',
    'the mock applied the fault "reset"',
  ])
})
