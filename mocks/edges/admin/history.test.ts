/** States of an organization: shown as they were after each request, forked from there, and passed on as links. */
import { describe, expect, test } from 'vitest'
import type { Mock } from '../../app.ts'
import { checkedClientOf } from '../../testing/client.ts'
import { createControlClient } from '../../testing/control.ts'
import { createFrozenMock, createFrozenMockWithClient } from '../../testing/mock.ts'

/** The control routes, as the owner of an organization by name. */
const controlsFor = (mock: Mock, name: string) => createControlClient(mock, mock.credentials(name).apiKey)

/** Only the last run of a task is state; earlier ones are known from the changes. */
const lastRuns = (state: { tasks: { runs: object[] }[] }) => ({
  ...state,
  tasks: state.tasks.map((task) => ({ ...task, runs: task.runs.slice(0, 1) })),
})

/** Uses every kind of thing an organization has, with waiting runs, failures, operators and time in between. */
async function live(mock: Mock, name: string, after: () => Promise<void> = async () => undefined) {
  const { call, newTask, state } = checkedClientOf(mock, name)
  const step = async <T>(act: Promise<T>): Promise<T> => {
    const result = await act
    await after()
    return result
  }
  const one = await step(newTask('one'))
  const two = await step(newTask('two'))
  await step(call('runTask', { id: one }))
  await step(call('runTask', { id: two }))
  await step(call('runTask', { id: two }))
  await state('next_run_fails')
  mock.clock.advance('3s')
  await step(call('getTask', { id: one }))
  mock.organization(name).setCredits(7.5)
  await step(call('createDocument', { body: { title: 'Notes', content_md: '# a' } }))
  const { body } = await step(call('createKey', { body: { name: 'CI' } }))
  const list = await step(call('listNotifications'))
  const [first] = list.body.items as { id: string }[]
  await step(call('readNotification', { id: first?.id ?? '' }))
  await step(call('generateCreative', { body: { prompt: 'sea' } }))
  await state('agent_busy', { duration_ms: 60_000 })
  await step(call('runTask', { id: one }))
  await step(call('createLandingPage', { body: { business_name: 'Sea' } }))
  await step(call('deleteKey', { id: (body.key as { id: string }).id }))
  mock.clock.advance('61s')
  await step(call('getTask', { id: one }))
  mock.clock.advance('1h')
  await step(call('createTask', { body: {} }))
  await step(call('whoami'))
  return { one, two }
}

describe('the past', () => {
  test('after each request everything is shown as it was, with all runs of a task, the newest first', async () => {
    const { mock, control } = createFrozenMockWithClient({ credits: 5 }, 'ada')
    const seen = new Map<number, unknown>()
    const { one, two } = await live(mock, 'ada', async () => {
      seen.set(mock.journal.entries().at(-1)?.number ?? 0, await control.done('GET /organization'))
    })
    expect(seen.size).toBe(17)
    for (const [number, then] of seen) {
      const shown = await control.done('GET /organization', { query: `?at=${number}` })
      expect(shown).toEqual({ ...(then as object), at: { ...shown.at, number } })
    }
    const { tasks } = await control.done('GET /organization')
    const runsOf = (id: string) => tasks.find((task: { id: string }) => task.id === id).runs
    expect(runsOf(one)).toMatchObject([{ outcome: 'completed', waited_ms: 60_000 }, { outcome: 'completed' }])
    expect(runsOf(two)).toMatchObject([{ outcome: 'failed', refunded: true, waited_ms: 2_000 }])
  })

  test('a state that is not kept is gone, and says why', async () => {
    const { mock, control } = createFrozenMockWithClient({ journal: 20 }, 'ada')
    await live(mock, 'ada')
    await checkedClientOf(mock, 'bob').call('whoami')
    const ofBob = mock.journal.entries().at(-1)?.number
    for (const at of [ofBob, 99]) {
      const { status, body } = await control.call('GET /organization', { query: `?at=${at}` })
      expect([status, body.title]).toEqual([410, expect.stringContaining('not of this organization')])
    }
    const { newTask } = checkedClientOf(mock, 'ada')
    for (let i = 0; i < 100; i++) await newTask()
    expect((await control.call('GET /organization', { query: '?at=1' })).status).toBe(410)
    expect((await control.call('GET /organization', { query: '?at=x' })).status).toBe(400)
    const query = '?at=1&before=1'
    expect((await control.call('GET /organization', { query })).status).toBe(400)
    const { number } = mock.journal.entries({ operation: 'createTask' }).at(-1) ?? {}
    mock.reset()
    expect((await control.call('GET /organization', { query: `?at=${number}` })).status).toBe(410)
  })

  test('before a request it is shown with what operators did since the one before', async () => {
    const { mock, call, control } = createFrozenMockWithClient({ credits: 5 }, 'ada')
    await call('whoami')
    mock.organization('ada').setCredits(0)
    await call('generateCreative', { body: { prompt: 'sea' } })
    const creditsAt = async (query: string) => (await control.done('GET /organization', { query })).credits
    expect([await creditsAt('?at=1'), await creditsAt('?before=2')]).toEqual([5, 0])
    const forked = await control.done('POST /fork', { body: { before: 2 } })
    expect(forked.credits).toBe(0)
  })

  test('a reset and its undo keep what earlier requests changed, and the states around them', async () => {
    const { mock, call, newTask, control } = createFrozenMockWithClient({ credits: 5 }, 'ada')
    await call('runTask', { id: await newTask() })
    const [shown, why] = [
      await control.done('GET /organization', { query: '?at=2' }),
      (await control.done('GET /requests/2')).why,
    ]
    expect(why.credits).toEqual({ before: 5, after: 4 })
    const kept = await control.done('GET /state')
    for (const part of ['faults', 'clock', 'state']) await control.done(`POST /reset/${part}`)
    mock.clock.advance('1h')
    expect((await control.done('GET /requests/2')).why).toEqual(why)
    await control.call('PUT /state', { body: kept })
    expect((await control.done('GET /requests/2')).why).toEqual(why)
    expect(await control.done('GET /organization', { query: '?at=2' })).toEqual(shown)
  })
})

describe('a fork', () => {
  test('has the fault rules of its moment, with what was left of them, and those that are added later', async () => {
    const { mock, call, control } = createFrozenMockWithClient({}, 'ada')
    mock.faults.add('whoami=429;times=3')
    await call('whoami')
    await call('whoami')
    mock.faults.add('listTasks=503')
    mock.organization('ada').faults.add('createTask=503')
    await control.done('POST /fork', { body: { before: 2 } })
    const copy = mock.organization('ada-fork')
    expect(copy.faults.list()).toMatchObject([{ faults: ['rate_limited'], remaining: 2 }])
    mock.faults.add('runTask=500')
    expect(copy.faults.list()).toMatchObject([{ remaining: 2 }, { faults: ['internal_error'] }])
    const kept = mock.snapshot()
    mock.restore(kept)
    expect(mock.snapshot()).toEqual(kept)
    expect(copy.faults.list()).toHaveLength(2)
  })

  test.each([
    5,
    13,
    undefined,
  ])('from request %s goes on as the organization did, and leaves it alone; a second one has another name', async (at) => {
    const { mock, control } = createFrozenMockWithClient({ credits: 5 }, 'ada')
    const { one, two } = await live(mock, 'ada')
    const before = await control.done('GET /organization', { query: at ? `?at=${at}` : '' })
    const forked = await control.done('POST /fork', { body: at ? { at } : {} })
    expect((await control.done('POST /fork', { body: at ? { at } : {} })).api_key).toBe('wak_test_ada-fork-2')
    const now = await control.done('GET /organization')
    const copy = controlsFor(mock, 'ada-fork')
    const after = await copy.done('GET /organization')
    const list = expect.any(Array)
    expect(after).toEqual({ ...lastRuns(before), at: after.at, keys: list, creatives: list, ledger: list })
    expect(after.at.time).toBe(before.at.time)
    expect(forked).toMatchObject({ api_key: 'wak_test_ada-fork', credits: before.credits })
    expect(forked.org_id).not.toBe(mock.organization('ada').id)
    mock.organization('ada-fork').clock.advance('2h')
    const client = checkedClientOf(mock, 'ada-fork')
    expect((await client.poll(one)).finished).toBe(true)
    expect((await client.poll(two)).finished).toBe(true)
    await client.call('runTask', { id: await client.newTask() })
    expect(await control.done('GET /organization')).toEqual(now)
  })
})

test('a run ends when an operator says so, as it is said', async () => {
  const { call, newTask, poll, credits, control } = createFrozenMockWithClient({ credits: 5 }, 'ada')
  const [one, two] = [await newTask(), await newTask()]
  await call('runTask', { id: one })
  await call('runTask', { id: two })
  await control.done(`POST /tasks/${two}/finish`, { body: { outcome: 'failed' } })
  expect(await poll(two)).toEqual({ status: 'queued', finished: false })
  await control.done(`POST /tasks/${one}/finish`)
  expect(await poll(one)).toEqual({ status: 'completed', finished: true })
  expect(await poll(two)).toEqual({ status: 'failed', finished: true })
  expect(await credits()).toBe(4)
  expect((await control.call(`POST /tasks/${one}/finish`)).status).toBe(409)
  expect((await control.call('POST /tasks/nope/finish')).status).toBe(404)
})

/** A mock to which a link passed a state. */
async function restored(state: string) {
  const other = createFrozenMock()
  await createControlClient(other).done('POST /restore', { body: { state } })
  return other
}

describe('a link', () => {
  test('restores the state on another mock: rows, clock, faults, and what comes next', async () => {
    const { mock, control } = createFrozenMockWithClient({ credits: 5, seed: 'spring' }, 'ada')
    const { one } = await live(mock, 'ada')
    mock.faults.add('listTasks=503;times=3')
    mock.organization('ada').faults.add('whoami=429,ok;times=2')
    await checkedClientOf(mock, 'ada').call('whoami')
    const { fragment, file, name } = await control.done('GET /link')
    expect(name).toBe('ada.json')
    const shown = await control.done('GET /organization')
    for (const body of [{ state: fragment }, { state: `#${fragment}` }, { file }]) {
      const other = createFrozenMock({ seed: 'autumn', credits: 99 })
      other.clock.set('2030-01-01T00:00:00Z')
      const preview = await createControlClient(other).done('POST /restore', {
        body: { ...body, preview: true },
      })
      expect(await createControlClient(other).done('GET /organizations')).toEqual({ organizations: [] })
      expect(await createControlClient(other).done('POST /restore', { body })).toEqual(preview)
      const time = new Date(mock.clock.now()).toISOString()
      expect(preview).toEqual({
        org_id: mock.organization('ada').id,
        api_key: 'wak_test_ada',
        name: 'ada',
        credits: mock.organization('ada').ledgers()[0]?.balance,
        time,
        notes: [],
      })
      const copy = controlsFor(other, 'ada')
      expect(await copy.done('GET /organization')).toEqual(lastRuns(shown))
      const counts = (rules: { matched: number; fired: number; faults: string[] }[]) =>
        rules.map(({ matched, fired, faults }) => [matched, fired, faults])
      expect(counts((await copy.done('GET /faults')).faults)).toEqual([
        [1, 1, ['rate_limited', 'ok']],
        [0, 0, ['unavailable']],
      ])
      expect(await checkedClientOf(other, 'ada').poll(one)).toEqual({ status: 'completed', finished: true })
    }
  })

  test('an organization of everyday size fits into a link, a large one is a file', async () => {
    const { mock, control } = createFrozenMockWithClient({}, 'ada')
    await live(mock, 'ada')
    const { fragment } = await control.done('GET /link')
    expect(fragment.length).toBeLessThan(4_000)
    const { newTask } = checkedClientOf(mock, 'bob')
    for (let i = 0; i < 300; i++) await newTask(`task ${i} ${Math.sin(i)}`)
    const large = await controlsFor(mock, 'bob').done('GET /link')
    expect(large.fragment).toBeNull()
    expect(large.file).toMatchObject({ of: 'organization' })
  })

  test('at a request, what comes next is what came next: ids, outcomes, and the rate limit', async () => {
    const mock = createFrozenMock({
      seed: 'spring',
      rateLimit: '8/60s',
      runOutcome: '0.5',
      runProgress: 'immediate',
    })
    const { call, newTask } = checkedClientOf(mock, 'ada')
    const id = await newTask()
    await call('whoami')
    const { fragment: now } = await controlsFor(mock, 'ada').done('GET /link')
    const nextOf = async (client: typeof call) => {
      const seen: unknown[] = []
      for (let i = 0; i < 4; i++) seen.push((await client('createTask', { body: { text: `${i}` } })).text)
      for (let i = 0; i < 4; i++) seen.push((await client('runTask', { id })).text)
      return seen
    }
    const first = await nextOf(call)
    expect(first.at(-1)).toContain('rate_limited')
    const { fragment } = await controlsFor(mock, 'ada').done('GET /link', { query: '?at=2' })
    for (const state of [now, fragment])
      expect(await nextOf(checkedClientOf(await restored(state), 'ada').call)).toEqual(first)
  })

  test('at a request, fault rules have the counts of then, also several for one operation', async () => {
    const { mock, call, control } = createFrozenMockWithClient({}, 'ada')
    mock.organization('ada').faults.add('whoami=503;times=5;after=1;rate=0.5')
    mock.organization('ada').faults.add('listTasks=503;times=3')
    mock.organization('ada').faults.add('ok;rate=0.5')
    for (let i = 0; i < 4; i++) await call('whoami')
    const { faults: then } = await control.done('GET /faults')
    for (let i = 0; i < 8; i++) await call('whoami')
    const { fragment: early } = await control.done('GET /link', { query: '?at=4' })
    const later = mock.journal.entries().slice(4)
    const other = await restored(early)
    const copy = checkedClientOf(other, 'ada')
    expect((await controlsFor(other, 'ada').done('GET /faults')).faults).toEqual(then)
    for (const { status } of later) expect((await copy.call('whoami')).status).toBe(status)
    const forked = await control.done('POST /fork', { body: { at: 1 } })
    expect(
      (await createControlClient(mock).done('GET /faults', { query: `?org_id=${forked.org_id}` })).faults,
    ).toMatchObject([{ matched: 1 }, { matched: 0 }, { matched: 1 }])
    mock.journal.clear()
    await call('whoami')
    const { fragment: late } = await control.done('GET /link', { query: '?at=13' })
    expect((await controlsFor(await restored(late), 'ada').done('GET /faults')).faults[0].matched).toBe(13)
  })

  test('a HAR becomes the state before an entry; the limits of the mock stay', async () => {
    const staging = createFrozenMock({ credits: 7, fault: 'createTask=ok,unavailable' })
    const ada = checkedClientOf(staging)
    await ada.call('whoami')
    await ada.call('createTask', { body: { text: 'one' } })
    await ada.call('createTask', { body: { text: 'two' } })
    const file = staging.journal.har()
    const other = createFrozenMock({ organizations: 9, credits: 1 })
    const body = { file, until: 3 }
    const answer = await createControlClient(other).done('POST /restore', {
      body: { ...body, preview: true },
    })
    expect(answer).toMatchObject({ org_id: null, notes: ['entry 3: 503 unavailable stays as a fault'] })
    expect(await createControlClient(other).done('GET /organizations')).toEqual({ organizations: [] })
    expect(await createControlClient(other).done('POST /restore', { body })).toEqual(answer)
    expect(other.settings.organizations).toBe(9)
    const tasks = await checkedClientOf(other).call('listTasks')
    expect(tasks.text).toContain('"one"')
    const again = await checkedClientOf(other).call('createTask', { body: { text: 'two' } })
    expect([again.status, other.organization().ledgers()[0]?.balance]).toEqual([503, 7])
  })
})
