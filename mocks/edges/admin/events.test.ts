/** The stream of Server-Sent Events. */
import { expect, onTestFinished, test } from 'vitest'
import type { Mock } from '../../app.ts'
import { checkedClientOf } from '../../testing/client.ts'
import { createControlClient } from '../../testing/control.ts'
import { listenUntilTestEnd } from '../../testing/listening.ts'
import { createFrozenMock, createFrozenMockWithClient } from '../../testing/mock.ts'

/** One event; comments are left out. */
interface ReceivedEvent {
  readonly id: string | undefined
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: events of several shapes
  readonly data: any
}

async function* eventsIn({ body }: Response): AsyncGenerator<ReceivedEvent, undefined> {
  let text = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      const event = field('event')
      if (event !== undefined) yield { id: field('id'), event, data: JSON.parse(field('data') ?? '') }
    }
  }
}

/** Reads a number of events from a stream; fewer if it ends. */
async function read(response: Response, count: number): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = []
  for await (const event of eventsIn(response)) if (events.push(event) === count) break
  return events
}

const listen = (mock: Mock, query = '', headers: Record<string, string> = {}) =>
  mock.fetch(`http://mock.test/__admin/events${query}`, { headers })

async function whoamis(mock: Mock, count: number, name = 'demo') {
  const { call } = checkedClientOf(mock, name)
  for (let i = 0; i < count; i++) await call('whoami')
}

test('requests and their effects are sent once each', async () => {
  const mock = createFrozenMock()
  const response = await listen(mock)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const { call, newTask } = checkedClientOf(mock)
  const id = await newTask()
  await call('runTask', { id })
  mock.clock.advance(2_000)
  const events = await read(response, 7)
  expect(events.map(({ event }) => event)).toEqual([
    'request',
    'credit_reserved',
    'run_accepted',
    'run_started',
    'request',
    'run_ended',
    'notification_added',
  ])
  expect(events[0]).toMatchObject({ id: expect.stringMatching(/-1$/), data: mock.journal.entries()[0] })
  expect(events[5]?.data).toMatchObject({ detail: 'completed', at: '2026-03-01T12:00:02.000Z' })
})

test('events of running time are sent without requests', async () => {
  const { mock, call, newTask } = createFrozenMockWithClient({ runDuration: '1ms' })
  const id = await newTask()
  const response = await listen(mock)
  mock.clock.run()
  await call('runTask', { id })
  const events = await read(response, 6)
  expect(events.map(({ event }) => event)).toContain('run_ended')
})

test('a key limits the stream to its organization', async () => {
  const mock = createFrozenMock()
  const key = { authorization: `Bearer ${mock.credentials('ada').apiKey}` }
  const response = await listen(mock, '', key)
  await checkedClientOf(mock, 'bob').newTask()
  await checkedClientOf(mock, 'ada').call('whoami')
  const [first] = await read(response, 1)
  expect(first?.data).toMatchObject({ operation: 'whoami', org_id: mock.organization('ada').id })
})

test('a reconnecting client receives the requests it missed', async () => {
  const mock = createFrozenMock()
  await whoamis(mock, 3)
  const all = await read(await listen(mock, '?since=0'), 3)
  expect(all.map(({ data }) => data.number)).toEqual([1, 2, 3])
  const first = { 'last-event-id': all[0]?.id ?? '' }
  for (const response of [await listen(mock, '?since=1'), await listen(mock, '', first)])
    expect(await read(response, 2)).toEqual(all.slice(1))
})

test.each([
  ['of another process', () => '77.0-2'],
  ['that is a bare number', () => '2'],
  ['from before a reset', (id: string) => id],
])('a client with an id %s is told that numbers began again, and receives every request', async (_, idOf) => {
  const mock = createFrozenMock()
  await whoamis(mock, 3)
  const [last] = await read(await listen(mock, '?since=2'), 1)
  mock.reset()
  await whoamis(mock, 4)
  const events = await read(await listen(mock, '', { 'last-event-id': idOf(last?.id ?? '') }), 5)
  expect(events.map(({ event, data }) => data.number ?? event)).toEqual(['restarted', 1, 2, 3, 4])
})

/** A text of a task; 90 of them are more than a reader may leave unread. */
const long = 'x'.repeat(30_000)

test('everything that a large journal holds is streamed, and what happens meanwhile after it', async () => {
  const { mock, call, newTask } = createFrozenMockWithClient()
  for (let i = 0; i < 90; i++) await newTask(long)
  const response = await listen(mock, '?since=0')
  await call('whoami')
  const events = await read(response, 91)
  expect(events.map(({ data }) => data.number)).toEqual(Array.from({ length: 91 }, (_, i) => i + 1))
})

test('a listener sends the stream at once, and ends it when it closes', async () => {
  const { url, listener } = await listenUntilTestEnd(createFrozenMock())
  // Long before the first comment that only keeps the connection alive.
  const signal = AbortSignal.timeout(8_000)
  const reader = (await fetch(`${url}/__admin/events`, { signal })).body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^: here\n/)
  const ended = reader?.closed.catch(() => undefined)
  await listener.close()
  await ended
  expect(signal.aborted).toBe(false)
})

test('a reader that does not read is told so, loses its stream, and continues where it stopped', async () => {
  const { mock, newTask } = createFrozenMockWithClient()
  const { body } = await listen(mock)
  for (let i = 0; i < 90; i++) await newTask(long)
  const received = await new Response(body).text()
  expect(received.length).toBeLessThan(4_200_000)
  expect(received.trimEnd().split('\n\n').at(-1)).toMatch(/^event: behind\n/)
  const [, last = '', number] = [...received.matchAll(/^id: (\S+-(\d+))$/gm)].at(-1) ?? []
  const next = await listen(mock, '', { 'last-event-id': last })
  const reader = next.body?.getReader()
  let resumed = ''
  while (!resumed.includes('id: ')) resumed += new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  expect(resumed).toContain(`-${Number(number) + 1}\nevent: request\n`)
  expect(resumed).not.toContain('restarted')
})

/** Opens a stream; returns a function that reads until a frame matches, and returns all frames since its last call. */
async function open(mock: Mock, query = '', headers: Record<string, string> = {}) {
  const events = eventsIn(await mock.fetch(`http://mock.test/__admin/stream${query}`, { headers }))
  const close = () => events.return(undefined)
  onTestFinished(() => void close())
  const until = async (matches: (frame: ReceivedEvent) => boolean) => {
    const frames: ReceivedEvent[] = []
    while (!frames.some(matches)) {
      const { value } = await events.next()
      if (!value) break
      if (value.id !== undefined) frames.push(value)
    }
    return frames
  }
  return { until, close }
}

const told = (frames: readonly ReceivedEvent[]) =>
  frames
    .filter(({ event }) => event === 'requests')
    .flatMap(({ data }) => data.requests.map(({ number }: { number: number }) => number))

const showing = (number: number) => (frame: ReceivedEvent) =>
  frame.event === 'requests' && frame.data.newest >= number

test('it begins with what there is, then tells many requests at once', async () => {
  const mock = createFrozenMock()
  await whoamis(mock, 3)
  const { until } = await open(mock)
  const first = await until(showing(3))
  expect(first.map(({ event }) => event)).toEqual(['hello', 'overview', 'requests'])
  expect(first[0]?.data).toEqual({ oldest: 1, newest: 3, journal_size: 10_000 })
  expect(first[1]?.data.organizations).toMatchObject([{ key_name: 'demo', credits: 25 }])
  expect(told(first)).toEqual([1, 2, 3])
  await whoamis(mock, 40)
  const next = await until(showing(43))
  expect(told(next)).toEqual(Array.from({ length: 40 }, (_, i) => i + 4))
  expect(next.filter(({ event }) => event === 'requests').length).toBeLessThan(10)
  expect(next.at(-1)?.data.requests.at(-1)).toMatchObject({
    operation: 'whoami',
    method: 'GET',
    path: '/api/cli/whoami',
    status: 200,
    decided_by: 'state',
  })
})

test('a changed organization is told once, and one that stays the same is not', async () => {
  const mock = createFrozenMock()
  await whoamis(mock, 1, 'ada')
  await whoamis(mock, 1, 'bob')
  const { until } = await open(mock)
  await until(({ event }) => event === 'overview')
  mock.organization('ada').setCredits(3)
  const changed = (await until(({ event }) => event === 'overview')).at(-1)
  expect(changed?.data.organizations).toMatchObject([{ key_name: 'ada', credits: 3 }])
})

test('a client that returns gets what it missed, with a gap where the journal no longer has it, or is told that all began again', async () => {
  const mock = createFrozenMock({ journal: 4 })
  await whoamis(mock, 2)
  const before = await open(mock)
  const id = (await before.until(showing(2))).at(-1)?.id ?? ''
  await before.close()
  await whoamis(mock, 10)
  const again = () => open(mock, '', { 'last-event-id': id })
  const frames = await (await again()).until(showing(12))
  expect(frames.find(({ event }) => event === 'gap')?.data).toEqual({ from: 3, to: 8 })
  expect(told(frames)).toEqual([9, 10, 11, 12])
  mock.reset()
  await whoamis(mock, 1)
  const begun = await (await again()).until(showing(1))
  expect([begun.map(({ event }) => event).includes('restarted'), told(begun)]).toEqual([true, [1]])
})

test('of a burst the newest are told, and how many were left out', async () => {
  const mock = createFrozenMock()
  const { until } = await open(mock, '?since=0')
  await until(({ event }) => event === 'overview')
  await Promise.all(Array.from({ length: 300 }, () => mock.fetch(`http://mock.test/api/cli/whoami`)))
  const frames = (await until(showing(300))).filter(({ event }) => event === 'requests')
  const sum = (read: (data: ReceivedEvent['data']) => number) =>
    frames.reduce((total, { data }) => total + read(data), 0)
  expect(sum(({ count }) => count)).toBe(300)
  expect(sum(({ skipped, requests }) => skipped + requests.length)).toBe(300)
  for (const { data } of frames) expect(data.requests.length).toBeLessThanOrEqual(250)
})

test('one organization can be followed alone', async () => {
  const mock = createFrozenMock()
  await whoamis(mock, 1, 'ada')
  await whoamis(mock, 1, 'bob')
  const { until } = await open(mock, `?org_id=${mock.organization('bob').id}`)
  const frames = await until(({ event }) => event === 'requests')
  expect(told(frames)).toEqual([2])
  expect(frames.find(({ event }) => event === 'overview')?.data.organizations).toHaveLength(1)
})

test('what operators did is told between the requests, without keys, until the numbers begin again', async () => {
  const mock = createFrozenMock({ keysOnly: ['plain-key'] })
  const org_id = mock.organization('plain-key').id
  const control = createControlClient(mock)
  await control.done('POST /credits', { body: { org_id, set: 3 } })
  const headers = { authorization: 'Bearer plain-key' }
  await mock.fetch('http://mock.test/api/cli/tasks/plain-key', { headers })
  await control.done('PUT /clock', { body: { action: 'advance', by: '1h' } })
  await control.done('POST /notifications', { body: { org_id, title: 'plain-key' } })
  await control.done('POST /states', { body: { state: 'unavailable', action: 'setup', params: { org_id } } })
  await control.call('PUT /clock', { body: { action: 'fly' } })
  await control.done('POST /requests/count', { body: {} })
  await control.done('POST /restore', { body: { file: mock.snapshot(), preview: true } })
  const { until } = await open(mock)
  const actionsIn = (frames: readonly ReceivedEvent[]) =>
    frames.flatMap(({ event, data }) => (event === 'actions' ? data.actions : []))
  const frames = await until(showing(1))
  const requests = JSON.stringify(frames.filter(({ event }) => event === 'requests'))
  expect(requests).toContain('/api/cli/tasks/[redacted]')
  const actions = actionsIn(frames)
  expect(actions.map(({ method, path, org_id }: Record<string, string>) => [method, path, org_id])).toEqual([
    ['POST', '/credits set=3', org_id],
    ['PUT', '/clock action=advance by=1h', null],
    ['POST', '/notifications title=[redacted]', org_id],
    ['POST', '/states state=unavailable action=setup', org_id],
  ])
  expect(actions.map(({ number }: { number: number }) => Math.floor(number))).toEqual([0, 1, 1, 1])
  expect(new Set(actions.map(({ number }: { number: number }) => number)).size).toBe(4)
  await control.done('POST /reset')
  const after = await until(({ event }) => event === 'actions')
  expect(after[0]?.event).toBe('restarted')
  expect(actionsIn(after).map(({ path }: { path: string }) => path)).toEqual(['/reset'])
})
