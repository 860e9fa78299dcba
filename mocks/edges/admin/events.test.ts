/** The stream of Server-Sent Events. */
import { expect, test } from 'vitest'
import { clientOf } from '../../testing/client.ts'
import { curl, listening } from '../../testing/listening.ts'
import { frozenMock } from '../../testing/mock.ts'
import { eventsIn, type ReceivedEvent } from './testing/event-stream.ts'

/** Reads a number of events from a stream; fewer if it ends. */
async function read(response: Response, count: number): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = []
  for await (const event of eventsIn(response)) if (events.push(event) === count) break
  return events
}

const listen = (url: string, query = '', headers: Record<string, string> = {}) =>
  fetch(`${url}/__admin/events${query}`, { headers })

test('requests and their effects are sent once each', async () => {
  const mock = frozenMock()
  const { url } = await listening(mock)
  const response = await listen(url)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const { call, newTask } = clientOf(mock)
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
  const mock = frozenMock({ runDuration: '1ms' })
  const { url } = await listening(mock)
  const { call, newTask } = clientOf(mock)
  const id = await newTask()
  const response = await listen(url)
  mock.clock.run()
  await call('runTask', { id })
  const events = await read(response, 6)
  expect(events.map(({ event }) => event)).toContain('run_ended')
})

test('a key limits the stream to its organization', async () => {
  const mock = frozenMock()
  const { url } = await listening(mock)
  const key = { authorization: `Bearer ${mock.credentials('ada').apiKey}` }
  const response = await listen(url, '', key)
  await clientOf(mock, 'bob').newTask()
  await clientOf(mock, 'ada').call('whoami')
  const [first] = await read(response, 1)
  expect(first?.data).toMatchObject({ operation: 'whoami', org_id: mock.organization('ada').id })
})

test('a reconnecting client receives the requests it missed', async () => {
  const mock = frozenMock()
  const { url } = await listening(mock)
  const { call } = clientOf(mock)
  for (let i = 0; i < 3; i++) await call('whoami')
  const all = await read(await listen(url, '?since=0'), 3)
  expect(all.map(({ data }) => data.number)).toEqual([1, 2, 3])
  const first = { 'last-event-id': all[0]?.id ?? '' }
  for (const response of [await listen(url, '?since=1'), await listen(url, '', first)])
    expect(await read(response, 2)).toEqual(all.slice(1))
})

test.each([
  ['of another process', () => '77.0-2'],
  ['that is a bare number', () => '2'],
  ['from before a reset', (id: string) => id],
])('a client with an id %s is told that numbers began again, and receives every request', async (_, idOf) => {
  const mock = frozenMock()
  const { url } = await listening(mock)
  const { call } = clientOf(mock)
  for (let i = 0; i < 3; i++) await call('whoami')
  const [last] = await read(await listen(url, '?since=2'), 1)
  mock.reset()
  for (let i = 0; i < 4; i++) await call('whoami')
  const events = await read(await listen(url, '', { 'last-event-id': idOf(last?.id ?? '') }), 5)
  expect(events.map(({ event, data }) => data.number ?? event)).toEqual(['restarted', 1, 2, 3, 4])
})

test('everything that a large journal holds is streamed, and what happens meanwhile after it', async () => {
  const mock = frozenMock({ journal: 12_000, rateLimit: 'off' })
  const { url } = await listening(mock)
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  const ask = () => mock.fetch('http://mock.test/api/cli/whoami', { headers })
  for (let i = 0; i < 11_000; i++) await ask()
  const response = await listen(url, '?since=0')
  expect(response.status).toBe(200)
  await ask()
  const events = await read(response, 11_001)
  expect(events.map(({ data }) => data.number)).toEqual(Array.from({ length: 11_001 }, (_, i) => i + 1))
})

test('closing the server ends the stream', async () => {
  const { url, listener } = await listening(frozenMock())
  const response = await listen(url)
  const ended = read(response, 1).catch(() => [])
  await listener.close()
  expect(await ended).toEqual([])
})

test('curl can read the stream, and disconnected readers are removed', async () => {
  const mock = frozenMock()
  const { url } = await listening(mock)
  const reading = curl('--no-buffer', '--max-time', '0.5', `${url}/__admin/events`)
  const requested = mock.journal.wait({ timeout: '5s' })
  await clientOf(mock).call('whoami')
  await requested
  const { code, out } = await reading
  expect(code).toBe(28)
  expect(out).toMatch(/^: here\n/)
})

test('a reader that does not read is told so, loses its stream, and continues where it stopped', async () => {
  const mock = frozenMock({ rateLimit: 'off' })
  const { call } = clientOf(mock)
  const { body } = await mock.fetch('http://mock.test/__admin/events')
  const text = 'x'.repeat(15_000)
  for (let i = 0; i < 1_000; i++) await call('createTask', { body: { text } })
  const received = await new Response(body).text()
  expect(received.length).toBeLessThan(20_000_000)
  expect(received.trimEnd().split('\n\n').at(-1)).toMatch(/^event: behind\n/)
  const [, last = '', number] = [...received.matchAll(/^id: (\S+-(\d+))$/gm)].at(-1) ?? []
  const next = await mock.fetch('http://mock.test/__admin/events', {
    headers: { 'last-event-id': last },
  })
  const reader = next.body?.getReader()
  let resumed = ''
  while (!resumed.includes('id: ')) resumed += new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  expect(resumed).toContain(`-${Number(number) + 1}\nevent: request\n`)
  expect(resumed).not.toContain('restarted')
}, 30_000)
