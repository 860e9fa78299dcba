/** Server-Sent Events: what happens is told as it happens, to those whom it concerns, as long as they listen. */
import { expect, test } from 'vitest'
import { clientOf } from '../../testing/client.ts'
import { curl, listening } from '../../testing/listening.ts'
import { frozenMock } from '../../testing/mock.ts'

interface Told {
  readonly id: string | undefined
  readonly event: string
  readonly data: Record<string, unknown>
}

/** Reads a stream until so many events have come. */
async function read(response: Response, count: number): Promise<Told[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const told: Told[] = []
  let text = ''
  while (reader && told.length < count) {
    const { done, value } = await reader.read()
    if (done) break
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    told.push(...blocks.flatMap(parse))
  }
  await reader?.cancel()
  return told
}

function parse(block: string): Told[] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  const event = field('event')
  return event === undefined ? [] : [{ id: field('id'), event, data: JSON.parse(field('data') ?? '') }]
}

const listen = (url: string, query = '', headers: Record<string, string> = {}) =>
  fetch(`${url}/__admin/events${query}`, { headers })

test('requests and what they bring about are told, each once', async () => {
  const mock = frozenMock()
  const { url } = await listening(mock)
  const response = await listen(url)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const { ask, newTask } = clientOf(mock)
  const id = await newTask()
  await ask('runTask', { id })
  mock.clock.advance(2_000)
  const told = await read(response, 7)
  expect(told.map(({ event }) => event)).toEqual([
    'request',
    'credit_reserved',
    'run_accepted',
    'run_started',
    'request',
    'run_ended',
    'notification_added',
  ])
  expect(told[0]).toMatchObject({ id: '1', data: mock.journal.entries()[0] })
  expect(told[5]?.data).toMatchObject({ detail: 'completed', at: '2026-03-01T12:00:02.000Z' })
})

test('time that runs is told of without anybody asking', async () => {
  const mock = frozenMock({ runDuration: '1ms' })
  const { url } = await listening(mock)
  const { ask, newTask } = clientOf(mock)
  const id = await newTask()
  const response = await listen(url)
  mock.clock.run()
  await ask('runTask', { id })
  const told = await read(response, 6)
  expect(told.map(({ event }) => event)).toContain('run_ended')
})

test('a key hears of its organization alone', async () => {
  const mock = frozenMock()
  const { url } = await listening(mock)
  const key = { authorization: `Bearer ${mock.credentials('ada').apiKey}` }
  const response = await listen(url, '', key)
  await clientOf(mock, 'bob').newTask()
  await clientOf(mock, 'ada').ask('whoami')
  const [first] = await read(response, 1)
  expect(first?.data).toMatchObject({ operation: 'whoami', org_id: mock.organization('ada').id })
})

test('who comes back is told what they missed', async () => {
  const mock = frozenMock()
  const { url } = await listening(mock)
  const { ask } = clientOf(mock)
  for (let i = 0; i < 3; i++) await ask('whoami')
  for (const response of [await listen(url, '?since=1'), await listen(url, '', { 'last-event-id': '1' })])
    expect((await read(response, 2)).map(({ id }) => id)).toEqual(['2', '3'])
})

test('no secret is told', async () => {
  const mock = frozenMock()
  const { url } = await listening(mock)
  const response = await listen(url)
  const { ask } = clientOf(mock)
  const { secret } = (await ask('createKey', { body: { name: 'CI' } })).body
  const text = JSON.stringify(await read(response, 1))
  expect(text).toContain('createKey')
  for (const hidden of [secret, 'was_test_']) expect(text).not.toContain(hidden)
})

test('the stream ends with the server, and the server with it', async () => {
  const { url, listener } = await listening(frozenMock())
  const response = await listen(url)
  const ended = read(response, 1).catch(() => [])
  await listener.close()
  expect(await ended).toEqual([])
})

test('curl hears it, and the mock forgets who went away', async () => {
  const mock = frozenMock()
  const { url } = await listening(mock)
  const hearing = curl('--no-buffer', '--max-time', '0.5', `${url}/__admin/events`)
  const heard = mock.journal.wait({ timeout: '5s' })
  await clientOf(mock).ask('whoami')
  await heard
  const { code, out } = await hearing
  expect(code).toBe(28)
  expect(out).toMatch(/^: here\n/)
})
