/** Snapshots: the same requests get the same answers again, byte for byte, here and in another mock. */
import { expect, test } from 'vitest'
import type { Mock } from '../../app.ts'
import type { MockOptions } from '../../config/options.ts'
import { clientOf } from '../../testing/client.ts'
import { controlOf } from '../../testing/control.ts'
import { frozenMock, noon } from '../../testing/mock.ts'

const options = { seed: 'snap', runOutcome: 0.4, credits: 9, rateLimit: '200/60s' } satisfies MockOptions

/** Leaves a bit of everything behind: runs that go and wait, keys, states, faults, clocks of their own. */
async function past(mock: Mock): Promise<void> {
  for (const name of ['ada', 'bob']) {
    const { ask, newTask, state } = clientOf(mock, name)
    const tasks = [await newTask('Ünicode \ud800 text'), await newTask(), await newTask()]
    for (const id of tasks) await ask('runTask', { id })
    await ask('createKey', { body: { name: 'CI' } })
    await ask('createDocument', { body: { title: 'Notes', content_md: '# a', folder_id: 'F' } })
    await ask('generateCreative', { body: { prompt: 'sea', size: '64x64' } })
    await ask('createLandingPage', { body: { spec: { a: [1, null, { b: '__proto__' }] } } })
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

/** Asks a bit of everything and answers every byte that came back. */
async function future(mock: Mock): Promise<string[]> {
  const heard: string[] = []
  for (const name of ['ada', 'bob', 'carol']) {
    const { apiKey, sessionCookie } = mock.credentials(name)
    const headers = { authorization: `Bearer ${apiKey}`, cookie: sessionCookie }
    const say = async (method: string, path: string, body?: object) => {
      const url = `http://mock.test/api/cli/${path}`
      const init = body ? { method, headers, body: JSON.stringify(body) } : { method, headers }
      const answer = await mock.fetch(new Request(url, init)).catch((error: Error) => error)
      if (answer instanceof Error) return void heard.push(String(answer.cause))
      const text = await answer.text()
      heard.push(JSON.stringify([answer.status, [...answer.headers], text]))
      return text
    }
    const reads = ['whoami', 'tasks', 'documents?all=1', 'notifications', 'keys', 'landing-pages', 'wallet']
    for (const path of reads) await say('GET', path)
    for (let i = 0; i < 4; i++) {
      const text = (await say('POST', 'tasks', { text: `later ${i}` })) ?? '{}'
      const id = JSON.parse(text).task?.id
      await say('POST', `tasks/${id}/run`)
      await say('GET', `tasks/${id}`)
      mock.clock.advance(1_700)
    }
    await say('POST', 'keys', { name: 'later' })
    await say('POST', 'creative/generate', { prompt: 'x' })
    for (const path of reads) await say('GET', path)
  }
  return heard
}

const wire = <T>(json: T): T => JSON.parse(JSON.stringify(json))

test('a mock that goes back to a snapshot answers the same again, byte for byte', async () => {
  const mock = frozenMock(options)
  await past(mock)
  const snapshot = wire(mock.snapshot())
  const first = await future(mock)
  expect(first.join()).toContain('rate_limited')
  mock.restore(snapshot)
  expect(await future(mock)).toEqual(first)
  mock.restore(snapshot)
  expect(wire(mock.snapshot())).toEqual(snapshot)
})

test('so does another mock, whatever its options and its past', async () => {
  const mock = frozenMock(options)
  await past(mock)
  const snapshot = wire(mock.snapshot())
  const first = await future(mock)
  const ledgers = mock.ledgers()
  const faults = mock.faults.list()
  const other = frozenMock({ credits: 1, variant: 'second', fault: 'listTasks=503' })
  await clientOf(other, 'ada').newTask()
  other.organization('carol').clock.advance(5)
  other.restore(snapshot)
  expect(await future(other)).toEqual(first)
  expect([other.ledgers(), other.faults.list()]).toEqual([ledgers, faults])
})

test('a snapshot of one organization brings back that one, and moves no other', async () => {
  const mock = frozenMock(options)
  await past(mock)
  const ada = mock.organization('ada')
  const snapshot = wire(ada.snapshot())
  const hear = async () => {
    const { ask, newTask } = clientOf(mock, 'ada')
    const heard: string[] = []
    for (let i = 0; i < 6; i++) {
      const id = await newTask().catch(() => 'none')
      for (const operation of ['runTask', 'getTask', 'listTasks'] as const)
        heard.push(await ask(operation, { id }).then(({ text }) => text, String))
      ada.clock.advance(900)
    }
    return heard
  }
  const first = await hear()
  const bob = mock.organization('bob')
  await clientOf(mock, 'bob').newTask('bob goes on')
  const before = wire(bob.snapshot())
  ada.restore(snapshot)
  expect(await hear()).toEqual(first)
  expect(wire(bob.snapshot())).toEqual(before)
})

test('a snapshot of one organization goes into another mock', async () => {
  const [mock, other] = [frozenMock(options), frozenMock({ seed: 'else', credits: 1 })]
  await past(mock)
  other.restore(wire(mock.organization('ada').snapshot()))
  const heard = async (one: Mock) => (await clientOf(one, 'ada').ask('listTasks')).text
  expect(await heard(other)).toBe(await heard(mock))
  expect(await clientOf(other, 'else').credits()).toBe(1)
  other.reset()
  expect(await clientOf(other, 'ada').credits()).toBe(1)
})

test('an organization goes back to where it was before a scenario', async () => {
  const mock = frozenMock(options)
  await past(mock)
  const ada = mock.organization('ada')
  const before = wire(ada.snapshot())
  const control = controlOf(mock, mock.credentials('ada').apiKey)
  await control.done('POST /scenarios/out-of-credits/start')
  expect(wire(ada.snapshot())).not.toEqual(before)
  await control.done('PUT /state', { body: before })
  expect(wire(ada.snapshot())).toEqual(before)
})

test('a mock goes back to a scenario that was on', async () => {
  const mock = frozenMock()
  mock.scenarios.start('second-variant')
  mock.clock.freeze(noon)
  await clientOf({ ...mock, settings: mock.settings }).newTask()
  const snapshot = wire(mock.snapshot())
  mock.reset()
  mock.restore(snapshot)
  expect(mock.settings.scenario?.id).toBe('second-variant')
  expect(wire(mock.snapshot())).toEqual(snapshot)
})

test('time goes on from where it was', () => {
  const mock = frozenMock(options)
  const later = mock.clock.now() + 5_000
  mock.clock.set(later)
  mock.organization('ada').clock.freeze(later + 1)
  const snapshot = mock.snapshot()
  mock.reset()
  mock.restore(snapshot)
  expect([mock.clock.now(), mock.clock.frozen]).toEqual([later, true])
  mock.clock.advance(10)
  expect(mock.organization('ada').clock.now()).toBe(later + 1)
  expect(mock.organization('bob').clock.now()).toBe(later + 10)
})

test('surprises go on as they would have', async () => {
  const mock = frozenMock({ strictClient: 'seed', credits: 50 })
  await future(mock)
  const snapshot = wire(mock.snapshot())
  const first = await future(mock)
  mock.restore(snapshot)
  expect(await future(mock)).toEqual(first)
})

test('a reset after a restore goes back to the beginning of the mock, not of the snapshot', async () => {
  const mock = frozenMock({ credits: 3 })
  mock.restore(wire(frozenMock({ credits: 7 }).snapshot()))
  expect(await clientOf(mock).credits()).toBe(7)
  mock.reset()
  expect(await clientOf(mock).credits()).toBe(3)
})

/** What is done to the value at a path of a snapshot. */
const broken: [string, string, (value: unknown) => unknown][] = [
  ['no kind', 'of', () => undefined],
  ['another version', 'version', () => 2],
  ['options that cannot be', 'options.credits', () => -1],
  ['options that are none', 'options.nope', () => 1],
  ['no clock', 'clock', () => undefined],
  ['an organization twice', 'organizations', (list) => [list, list].flat()],
  ['a task without text', 'organizations.0.state.tasks.0.text', () => undefined],
  ['an id twice', 'organizations.0.state.documents.0.id', () => 'document_2'],
  ['a run that nobody works on', 'organizations.0.state.agent.active', () => null],
  ['work on no run', 'organizations.0.state.agent.waiting', () => ['task_none']],
  ['chance that is none', 'organizations.0.state.chance.ids', () => [1, 2]],
  ['a fault that is none', 'faults.rules.0.faults', () => ['nope']],
]

/** Changes the value at a path. */
function edit(json: unknown, [name = '', ...rest]: string[], change: (value: unknown) => unknown): void {
  const fields = json as Record<string, unknown>
  if (rest.length > 0) edit(fields[name], rest, change)
  else fields[name] = change(fields[name])
}

test.each(
  broken,
)('a snapshot with %s is refused with a reason, and nothing changes', async (_, path, change) => {
  const mock = frozenMock({ ...options, fault: 'whoami=ok,503' })
  const { ask, newTask } = clientOf(mock, 'ada')
  await ask('runTask', { id: await newTask() })
  const before = wire(mock.snapshot())
  const json = wire(before)
  edit(json, 'organizations.0.state.documents.1.id'.split('.'), () => 'document_2')
  edit(json, path.split('.'), change)
  const { status, body } = await controlOf(mock).ask('PUT /state', { body: json })
  expect(status).toBe(400)
  expect(body.title).toMatch(/.{20,}/)
  expect(wire(mock.snapshot())).toEqual(before)
})

test('over HTTP a key means its organization alone, in both directions', async () => {
  const mock = frozenMock(options)
  await past(mock)
  const ada = controlOf(mock, mock.credentials('ada').apiKey)
  const bob = controlOf(mock, mock.credentials('bob').apiKey)
  const whole = await controlOf(mock).done('GET /state')
  const mine = await ada.done('GET /state')
  expect([whole.of, mine.of, mine.organization.name]).toEqual(['mock', 'organization', 'ada'])
  expect((await bob.ask('PUT /state', { body: mine })).status).toBe(400)
  expect((await ada.ask('PUT /state', { body: whole })).status).toBe(400)
  mock.organization('ada').addCredits(1)
  await ada.done('PUT /state', { body: mine })
  expect(await ada.done('GET /state')).toEqual(mine)
  await controlOf(mock).done('PUT /state', { body: whole })
  expect(await controlOf(mock).done('GET /state')).toEqual(whole)
})

test('a snapshot of many tasks is restored over HTTP', async () => {
  const mock = frozenMock({ past: 20_000 })
  const { ask } = clientOf(mock)
  const before = (await ask('listTasks')).text
  const control = controlOf(mock)
  const snapshot = await control.done('GET /state')
  mock.reset()
  await control.done('PUT /state', { body: snapshot })
  mock.clock.freeze(snapshot.clock.now)
  expect((await ask('listTasks')).text).toBe(before)
})
