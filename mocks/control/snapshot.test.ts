/** Snapshots: after a restore, the same requests get the same responses, byte for byte. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMock, type Mock } from '../app.ts'
import type { MockOptions } from '../scenarios/index.ts'
import { clientOf, responsesOf } from '../testing/client.ts'
import { controlOf } from '../testing/control.ts'
import { frozenMock, noon, tenantOf } from '../testing/mock.ts'

const names = ['ada', 'bob', 'carol']
const options = { seed: 'snap', runOutcome: 0.4, credits: 9, rateLimit: '200/60s' } satisfies MockOptions

/** Creates state of every kind: active and queued runs, keys, provider states, faults and separate clocks. */
async function createState(mock: Mock): Promise<void> {
  for (const name of ['ada', 'bob']) {
    const { call, newTask, state } = clientOf(mock, name)
    const tasks = [await newTask('Ünicode \ud800 text'), await newTask(), await newTask()]
    for (const id of tasks) await call('runTask', { id })
    await call('createKey', { body: { name: 'CI' } })
    await call('createDocument', { body: { title: 'Notes', content_md: '# a', folder_id: 'F' } })
    await call('generateCreative', { body: { prompt: 'sea', size: '64x64' } })
    await call('createLandingPage', { body: { spec: { a: [1, null, { b: '__proto__' }] } } })
    await state('next_run_fails')
    await state('agent_busy', { duration_ms: 4_000 })
  }
  mock.clock.advance(2_500)
  const ada = mock.organization('ada')
  ada.clock.advance(1_000)
  ada.faults.add({ faults: [{ kind: 'error', code: 'unavailable' }], rate: 0.5, mostInARow: 2 })
  mock.faults.add('runTask=rate_limited,ok,delay 0ms..1ms;times=5')
  mock.faults.add('getTask=lost,ok;after=2')
}

const copyOf = <T>(json: T): T => JSON.parse(JSON.stringify(json))

test('a restored mock returns the same responses, byte for byte, and so does one with other options and state', async () => {
  const mock = frozenMock(options)
  await createState(mock)
  const snapshot = copyOf(mock.snapshot())
  const [ledgers, faults] = [mock.ledgers(), mock.faults.list()]
  const first = await responsesOf(mock, names)
  expect(first.join()).toContain('rate_limited')
  const other = frozenMock({ credits: 1, variant: 'second', fault: 'listTasks=503' })
  await clientOf(other, 'ada').newTask()
  other.organization('carol').clock.advance(5)
  // Its time runs, until the snapshot has it stand still again.
  other.clock.run()
  for (const one of [mock, other]) {
    one.restore(snapshot)
    expect(copyOf(one.snapshot())).toEqual(snapshot)
    expect([one.ledgers(), one.faults.list()]).toEqual([ledgers, faults])
    expect(await responsesOf(one, names)).toEqual(first)
  }
})

test('a snapshot of one organization restores that one and changes no other', async () => {
  const mock = frozenMock(options)
  await createState(mock)
  const ada = mock.organization('ada')
  const snapshot = copyOf(ada.snapshot())
  const replay = async () => {
    const { call, newTask } = clientOf(mock, 'ada')
    const responses: string[] = []
    for (let i = 0; i < 6; i++) {
      const id = await newTask().catch(() => 'none')
      for (const operation of ['runTask', 'getTask', 'listTasks'] as const)
        responses.push(await call(operation, { id }).then(({ text }) => text, String))
      ada.clock.advance(900)
    }
    return responses
  }
  const first = await replay()
  const bob = mock.organization('bob')
  await clientOf(mock, 'bob').newTask('bob goes on')
  const before = copyOf(bob.snapshot())
  ada.restore(snapshot)
  expect(await replay()).toEqual(first)
  expect(copyOf(bob.snapshot())).toEqual(before)
})

test('a mock can be restored to a started scenario', async () => {
  const mock = frozenMock()
  mock.scenarios.start('second-variant')
  mock.clock.freeze(noon)
  await clientOf({ ...mock, settings: mock.settings }).newTask()
  const snapshot = copyOf(mock.snapshot())
  mock.reset()
  mock.restore(snapshot)
  expect(mock.settings.scenario?.id).toBe('second-variant')
  expect(copyOf(mock.snapshot())).toEqual(snapshot)
})

test('quirks continue as they would have', async () => {
  const mock = frozenMock({ strictClient: 'seed', credits: 50 })
  await responsesOf(mock, ['ada'])
  const snapshot = copyOf(mock.snapshot())
  const first = await responsesOf(mock, ['ada'])
  mock.restore(snapshot)
  expect(await responsesOf(mock, ['ada'])).toEqual(first)
})

test('over HTTP, a key limits snapshots and restores to its organization', async () => {
  const mock = frozenMock(options)
  await createState(mock)
  const ada = controlOf(mock, mock.credentials('ada').apiKey)
  const bob = controlOf(mock, mock.credentials('bob').apiKey)
  const whole = await controlOf(mock).done('GET /state')
  const mine = await ada.done('GET /state')
  expect([whole.of, mine.of, mine.organization.name]).toEqual(['mock', 'organization', 'ada'])
  expect((await bob.call('PUT /state', { body: mine })).status).toBe(400)
  expect((await ada.call('PUT /state', { body: whole })).status).toBe(400)
  mock.organization('ada').addCredits(1)
  await ada.done('PUT /state', { body: mine })
  expect(await ada.done('GET /state')).toEqual(mine)
  await controlOf(mock).done('PUT /state', { body: whole })
  expect(await controlOf(mock).done('GET /state')).toEqual(whole)
})

test('a snapshot of much text is restored over HTTP', async () => {
  const { mock, call, newTask } = tenantOf()
  for (let i = 0; i < 40; i++) await newTask('x'.repeat(30_000))
  const before = (await call('listTasks')).text
  const control = controlOf(mock)
  const snapshot = await control.done('GET /state')
  expect(JSON.stringify(snapshot).length, 'more than a request of the API may have').toBeGreaterThan(2 ** 20)
  mock.reset()
  await control.done('PUT /state', { body: snapshot })
  mock.clock.freeze(snapshot.clock.now)
  expect((await call('listTasks')).text).toBe(before)
})

test('after a restore no key of either mock is shown, and credentials, settings and CORS are those restored', async () => {
  const options = { keysOnly: 'customer-one,customer-two', cors: true, variant: 'second' } as const
  const snapshot = copyOf(frozenMock(options).snapshot())
  const mock = frozenMock({ keysOnly: 'house-key' })
  const ask = (key: string) =>
    mock.fetch(`http://mock.test/api/cli/whoami?${key}`, {
      headers: { authorization: `Bearer ${key}`, origin: 'http://page.test' },
    })
  expect((await ask('house-key')).headers.get('access-control-allow-origin')).toBeNull()
  mock.restore(snapshot)
  const { apiKey, otherApiKey } = mock.credentials()
  expect([apiKey, otherApiKey]).toEqual(['customer-one', 'customer-two'])
  const after = await ask(apiKey)
  expect([after.status, after.headers.get('access-control-allow-origin')]).toEqual([200, 'http://page.test'])
  expect((await ask('house-key')).status).toBe(401)
  expect(mock.settings).toMatchObject({ cors: true, variant: 'second' })
  const { call } = controlOf(mock)
  const shown = JSON.stringify([
    mock.journal.entries(),
    mock.journal.har(),
    mock.organization().journal.entries(),
    await call('GET /requests'),
    await call('GET /requests/rows'),
    await call('GET /requests/1'),
  ])
  expect(shown).toContain('whoami')
  for (const key of ['house-key', 'customer-one', 'customer-two']) expect(shown).not.toContain(key)
  mock.reset()
  expect(mock.credentials().apiKey).toBe('house-key')
  expect((await ask('house-key')).headers.get('access-control-allow-origin')).toBeNull()
})

test('while time runs, a restored mock repeats its bytes at the same moments, and everything but times at others', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const mock = createMock(options)
  const snapshot = copyOf(mock.snapshot())
  const answers = async (pause: number) => {
    mock.restore(snapshot)
    const { call, newTask } = clientOf(mock, 'ada')
    const texts: string[] = []
    for (let i = 0; i < 3; i++) {
      const id = await newTask()
      vi.setSystemTime(Date.now() + pause)
      texts.push((await call('runTask', { id })).text)
      vi.setSystemTime(Date.now() + 5_000)
      texts.push((await call('listTasks')).text, (await call('createKey', { body: { name: 'CI' } })).text)
    }
    return texts
  }
  const first = await answers(3)
  vi.setSystemTime(Date.now() + 86_400_000)
  expect(await answers(3)).toEqual(first)
  const later = await answers(400)
  const without = (texts: readonly string[]) =>
    texts.map((text) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, ''))
  expect(later).not.toEqual(first)
  expect(without(later)).toEqual(without(first))
})
