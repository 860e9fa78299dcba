/**
 * Snapshots: after a restore, the same requests get the same responses, byte for byte. A mutated one is rejected whole
 * and with a reason, or leaves a mock that answers everything.
 */
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { operationIds } from '#contract/operation.ts'
import { createMock, type Mock } from '../app.ts'
import type { MockOptions } from '../scenarios/index.ts'
import { checkedClientOf, collectScriptedResponses, uncheckedClientOf } from '../testing/client.ts'
import { createControlClient } from '../testing/control.ts'
import { createFrozenMock, createFrozenMockWithClient, noonMs } from '../testing/mock.ts'
import { isExhaustiveTestRun } from '../testing/sample.ts'

const names = ['ada', 'bob', 'carol']
const options = { seed: 'snap', runOutcome: 0.4, credits: 9, rateLimit: '200/60s' } satisfies MockOptions

/** Creates state of every kind: active and queued runs, keys, provider states, faults and separate clocks. */
async function createState(mock: Mock): Promise<void> {
  for (const name of ['ada', 'bob']) {
    const { call, newTask, state } = checkedClientOf(mock, name)
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
  ada.faults.add({ faults: [{ kind: 'error', code: 'unavailable' }], rate: 0.5, 'in-a-row': 2 })
  mock.faults.add('runTask=rate_limited,ok,delay 0ms..1ms;times=5;id=my rule')
  mock.faults.add('getTask=lost,ok;after=2')
}

const copyOf = <T>(json: T): T => JSON.parse(JSON.stringify(json))

test('a restored mock returns the same responses, byte for byte, and so does one with other options and state', async () => {
  const mock = createFrozenMock(options)
  await createState(mock)
  const snapshot = copyOf(mock.snapshot())
  const [ledgers, faults] = [mock.ledgers(), mock.faults.list()]
  const first = await collectScriptedResponses(mock, names)
  expect(first.join()).toContain('rate_limited')
  const other = createFrozenMock({ credits: 1, variant: 'second', fault: 'listTasks=503' })
  await checkedClientOf(other, 'ada').newTask()
  other.organization('carol').clock.advance(5)
  // Its clock runs until the snapshot freezes it again.
  other.clock.run()
  for (const one of [mock, other]) {
    one.restore(snapshot)
    expect(copyOf(one.snapshot())).toEqual(snapshot)
    expect([one.ledgers(), one.faults.list()]).toEqual([ledgers, faults])
    expect(await collectScriptedResponses(one, names)).toEqual(first)
  }
})

test('a mock can be restored to a started scenario', async () => {
  const mock = createFrozenMock()
  mock.scenarios.start('second-variant')
  mock.clock.freeze(noonMs)
  await checkedClientOf({ ...mock, settings: mock.settings }).newTask()
  const snapshot = copyOf(mock.snapshot())
  mock.reset()
  mock.restore(snapshot)
  expect(mock.settings.scenario?.id).toBe('second-variant')
  expect(copyOf(mock.snapshot())).toEqual(snapshot)
})

test('quirks continue as they would have', async () => {
  const mock = createFrozenMock({ strictClient: 'seed', credits: 50 })
  await collectScriptedResponses(mock, ['ada'])
  const snapshot = copyOf(mock.snapshot())
  const first = await collectScriptedResponses(mock, ['ada'])
  mock.restore(snapshot)
  expect(await collectScriptedResponses(mock, ['ada'])).toEqual(first)
})

test('a key limits snapshots and restores to its organization, and changes no other', async () => {
  const mock = createFrozenMock(options)
  await createState(mock)
  const ada = createControlClient(mock, mock.credentials('ada').apiKey)
  const bob = createControlClient(mock, mock.credentials('bob').apiKey)
  const whole = await createControlClient(mock).done('GET /state')
  const mine = await ada.done('GET /state')
  expect([whole.of, mine.of, mine.organization.name]).toEqual(['mock', 'organization', 'ada'])
  expect((await bob.call('PUT /state', { body: mine })).status).toBe(400)
  expect((await ada.call('PUT /state', { body: whole })).status).toBe(400)
  for (const name of ['ada', 'bob']) mock.organization(name).addCredits(1)
  const ofBob = await bob.done('GET /state')
  await ada.done('PUT /state', { body: mine })
  expect([await ada.done('GET /state'), await bob.done('GET /state')]).toEqual([mine, ofBob])
  await createControlClient(mock).done('PUT /state', { body: whole })
  expect(await createControlClient(mock).done('GET /state')).toEqual(whole)
})

test('a snapshot of much text is restored over HTTP', async () => {
  const { mock, call, newTask } = createFrozenMockWithClient()
  for (let i = 0; i < 40; i++) await newTask('x'.repeat(30_000))
  const before = (await call('listTasks')).text
  const control = createControlClient(mock)
  const snapshot = await control.done('GET /state')
  expect(JSON.stringify(snapshot).length, 'more than a request of the API may have').toBeGreaterThan(2 ** 20)
  mock.reset()
  await control.done('PUT /state', { body: snapshot })
  mock.clock.freeze(snapshot.clock.now)
  expect((await call('listTasks')).text).toBe(before)
})

test('after a restore no key of either mock is shown, and credentials, settings and CORS are those restored', async () => {
  const options = { keysOnly: 'customer-one,customer-two', cors: true, variant: 'second' } as const
  const snapshot = copyOf(createFrozenMock(options).snapshot())
  const mock = createFrozenMock({ keysOnly: 'house-key' })
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
  const { call } = createControlClient(mock)
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
    const { call, newTask } = checkedClientOf(mock, 'ada')
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

type Json = Record<string, unknown>

/** Every place of a value, as names from the top. */
function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([name, one]) => placesIn(one, [...at, name]))
  return at.length === 0 ? inner : [at, ...inner]
}

/** Changes the value at a place. */
function edit(json: Json, [name = '', ...rest]: readonly string[], change: (value: unknown) => unknown) {
  if (rest.length > 0) edit(json[name] as Json, rest, change)
  else json[name] = change(json[name])
}

const strange = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 0.5, 1e15, -1e308, 1e308, 8.64e15, -8.64e15, 2 ** 53, [], {}),
  fc.constantFrom('', ' ', '\ud800', '\u0000', 'é\r\n'),
  fc.constantFrom('1h', 'a'.repeat(5_000), 'wak_test_x', 'task_1', [[]], [{}], { id: 'a' }),
  fc.string({ unit: 'binary' }),
  fc.double(),
)

const paths = 'ledger state requests faults organizations overview report scenarios clock'.split(' ')

async function lived() {
  const mock = createFrozenMock({ seed: 'mutated', credits: 30, fault: 'whoami=ok,503', strictClient: 'q' })
  const { call, newTask } = uncheckedClientOf(mock, 'ada')
  await call('runTask', { id: await newTask() })
  await call('runTask', { id: await newTask() })
  await call('createKey', { body: { name: 'CI' } })
  await call('createDocument', { body: { title: 'A', content_md: 'B' } })
  await call('generateCreative', { body: { prompt: 'A tree' } })
  return mock
}

test('a mutated snapshot is refused with 400, or leaves a mock that answers every route', async () => {
  const mock = await lived()
  const whole = JSON.stringify(mock.snapshot())
  const places = placesIn(JSON.parse(whole))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: places.length - 1 }), strange), { minLength: 1, maxLength: 2 }),
      async (mutations) => {
        const json = JSON.parse(whole)
        for (const [i, value] of mutations)
          try {
            edit(json, places[i] ?? [], () => value)
          } catch {
            // The first mutation took away the place of the second.
          }
        const target = createMock({ seed: 'mutated' })
        const control = createControlClient(target)
        const { status, body } = await control.call('PUT /state', { body: json })
        expect(target.bugs).toEqual([])
        if (status !== 200) return void expect([status, typeof body.title]).toEqual([400, 'string'])
        const client = uncheckedClientOf(target, 'ada')
        for (const operation of operationIds)
          expect(
            (await client.call(operation, { id: 'x', body: { text: 'a', title: 'a', name: 'a' } })).status,
          ).not.toBe(500)
        for (const path of paths) {
          const response = await target.fetch(`http://mock.test/__admin/${path}`)
          expect([path, response.status]).not.toEqual([path, 500])
          await response.text()
        }
        expect(target.bugs).toEqual([])
      },
    ),
    { numRuns: isExhaustiveTestRun ? 400 : 40 },
  )
})

test('a snapshot of too many values is refused while it is read', async () => {
  const block = new TextEncoder().encode('1,'.repeat(1_000_000))
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === 0)
        controller.enqueue(new TextEncoder().encode('{"of":"mock","version":1,"organizations":['))
      if (sent++ < 200) controller.enqueue(block)
      else controller.close()
    },
  })
  const init = { method: 'PUT', body, duplex: 'half' } as RequestInit
  const response = await createMock().fetch(new Request('http://mock.test/__admin/state', init))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ title: expect.stringMatching(/more than \d+ values/) })
  expect(sent).toBeLessThan(200)
})

/** Changes that invalidate a snapshot: a name, a path and the change of its value. */
const invalid: [string, string, (value: unknown) => unknown][] = [
  ['no kind', 'of', () => undefined],
  ['another version', 'version', () => 2],
  ['an invalid option', 'options.credits', () => -1],
  ['an unknown option', 'options.nope', () => 1],
  ['an unknown field', 'nope', () => 1],
  ['no clock', 'clock', () => undefined],
  ['an organization twice', 'organizations', (list) => [list, list].flat()],
  ['a balance below zero', 'organizations.0.state.ledger.0.amount', () => -1],
  ['a task without text', 'organizations.0.state.tasks.0.text', () => undefined],
  ['an id twice', 'organizations.0.state.documents.0.id', () => 'document_2'],
  ['a run without an agent', 'organizations.0.state.agent.active', () => null],
  ['an agent without a run', 'organizations.0.state.agent.waiting', () => ['task_none']],
  ['an invalid random state', 'organizations.0.state.chance.ids', () => [1, 2]],
  ['a time that no Date holds', 'organizations.0.state.tasks.0.created_at', () => -1e308],
  ['an end that no Date holds', 'organizations.0.state.tasks.0.run.ends_at', () => 1e16],
  ['a rule id that no header holds', 'faults.rules.0.id', () => '\ud800'],
  ['a task id that no path holds', 'organizations.0.state.tasks.0.id', () => '\ud800'],
  ['more credits than numbers can tell', 'organizations.0.state.ledger.0.amount', () => 1e308],
  ['an unknown fault', 'faults.rules.0.faults', () => ['nope']],
]

test.each(
  invalid,
)('a snapshot with %s is rejected with a reason and changes nothing', async (_, path, change) => {
  const { mock, call, newTask } = createFrozenMockWithClient({ ...options, fault: 'whoami=ok,503' }, 'ada')
  await call('runTask', { id: await newTask() })
  const before = copyOf(mock.snapshot())
  const json = copyOf(before)
  edit(json, 'organizations.0.state.documents.1.id'.split('.'), () => 'document_2')
  edit(json, path.split('.'), change)
  const { status, body } = await createControlClient(mock).call('PUT /state', { body: json })
  expect(status).toBe(400)
  expect(body.title).toMatch(/.{20,}/)
  expect(copyOf(mock.snapshot())).toEqual(before)
})

test.each([
  [{}, 'Invalid snapshot: of: takes mock or organization.'],
  [[], 'Invalid snapshot: takes an object.'],
])('%j is refused in plain words', (json, message) => {
  expect(() => createFrozenMock().restore(json as never)).toThrow(message)
})
