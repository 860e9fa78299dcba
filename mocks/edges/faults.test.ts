/** Every fault, asked for in every way, as a client on the other end of a connection meets it. */
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import type { Mock } from '../app.ts'
import { clientOf } from '../testing/client.ts'
import { controlOf } from '../testing/control.ts'
import { curl, type Heard, listening } from '../testing/listening.ts'
import { frozenMock } from '../testing/mock.ts'

/** Ways to ask for a fault of the run of a task. */
interface Asking {
  readonly mock: Mock
  readonly name: string
  readonly text: string
  readonly headers: Record<string, string>
  readonly reason: string
}

type Way = (fault: string) => Promise<Asking>

const plain = { name: 'ada', text: 'Say hello', headers: {} }

const preferred = (fault: string) =>
  fault.startsWith('delay ') ? `wait=${Number.parseFloat(fault.slice(6)) / 1_000}` : `fault="${fault}"`

const ways: Record<string, Way> = {
  'a rule by control call': async (fault) => {
    const mock = frozenMock()
    const { apiKey } = mock.credentials('ada')
    await controlOf(mock, apiKey).done('POST /faults', { body: { operation: 'runTask', faults: [fault] } })
    return { ...plain, mock, reason: `rule=f_${mock.organization('ada').id.slice(4, 12)}_1` }
  },
  'a rule in one line': async (fault) => {
    const mock = frozenMock()
    mock.faults.add(`runTask=${fault}`)
    return { ...plain, mock, reason: 'rule=f1' }
  },
  'an option': async (fault) => ({
    ...plain,
    mock: frozenMock({ fault: `runTask=${fault}` }),
    reason: 'rule=f1',
  }),
  'a header': async (fault) => ({
    ...plain,
    mock: frozenMock(),
    headers: { prefer: preferred(fault) },
    reason: 'prefer',
  }),
  'the text of the task': async (fault) => ({
    ...plain,
    mock: frozenMock(),
    text: `Say hello [[mock:${fault}]]`,
    reason: 'magic',
  }),
  'the key': async (fault) => {
    const mock = frozenMock()
    const name = `ada.fault=runTask=${fault.replaceAll(' ', ':')}`
    return { ...plain, mock, name, reason: `rule=f_${mock.organization(name).id.slice(4, 12)}_1` }
  },
}

/** A client of an organization in trouble, on one connection. */
async function run({ mock, name, text, headers }: Asking, timeout?: number) {
  const { send, url } = await listening(mock)
  const { newTask, credits, look, ask } = clientOf(mock, name)
  const before = await credits()
  const id = await newTask(text)
  const key = mock.credentials(name).apiKey
  const path = `/api/cli/tasks/${id}/run`
  const heard = await send('POST', path, { key, headers, ...(timeout === undefined ? {} : { timeout }) })
  return { mock, heard, send, url, key, path, id, look, ask, headers, paid: before - (await credits()) }
}

type Story = Awaited<ReturnType<typeof run>>

const told = ({ text }: Heard) => JSON.parse(text) as { error?: string; status?: string }

/** An answer that says why it is as it is. */
function expectReason({ heard, mock }: Story, asking: Asking, fault: string): void {
  const reason = heard.headers['x-mock-reason']
  expect(reason).toMatch(new RegExp(`^${asking.reason}; fault=${fault}`))
  expect(mock.journal.entries({ operation: 'runTask' })[0]?.reason).toBe(reason)
}

const codes: Record<ErrorCode, [status: number, paid: number]> = {
  unauthorized: [401, 0],
  not_found: [404, 0],
  invalid_request: [409, 0],
  no_credits: [402, 0],
  busy: [409, 1],
  rate_limited: [429, 0],
  unavailable: [503, 0],
  internal_error: [500, 0],
}

describe.each(Object.entries(ways))('by %s', (_, way) => {
  test.each(Object.entries(codes))('%s is answered', async (code, [status, paid]) => {
    const asking = await way(code)
    const story = await run(asking)
    expect([story.heard.status, told(story.heard).error, story.paid]).toEqual([status, code, paid])
    expectReason(story, asking, code)
    expect(story.heard.headers['retry-after']).toBe(code === 'rate_limited' ? '1' : undefined)
  })

  test('a delay comes before the answer', async () => {
    const asking = await way('delay 20ms')
    const started = performance.now()
    const story = await run(asking)
    expect(performance.now() - started).toBeGreaterThanOrEqual(19)
    expect([story.heard.status, story.paid]).toEqual([200, 1])
    expectReason(story, asking, 'delay 20ms')
  })

  test.each(['reset', 'empty'])('%s: no answer, and no effect', async (fault) => {
    const { heard, paid, mock } = await run(await way(fault))
    expect([heard.error, paid]).toEqual([expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/), 0])
    const [entry] = mock.journal.entries({ operation: 'runTask' })
    expect(entry).toMatchObject({ status: 0, wire: fault, error: null, answer: { body: '' } })
  })

  test('hang: no answer ever, and no effect', async () => {
    const { heard, paid } = await run(await way('hang'), 40)
    expect([heard.error, paid]).toEqual(['UND_ERR_HEADERS_TIMEOUT', 0])
  })

  test.each(['lost', 'lost empty', 'lost reset'])('%s: the effect, and no answer', async (fault) => {
    const { heard, paid, look, id, mock } = await run(await way(fault))
    expect([heard.error, paid]).toEqual([expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/), 1])
    expect((await look(id)).status).toBe('in_progress')
    const [entry] = mock.journal.entries({ operation: 'runTask' })
    expect(entry).toMatchObject({ status: 0, answer: { body: expect.stringContaining('in_progress') } })
    const entries = mock.ledgers().find(({ org_id }) => org_id === entry?.org_id)?.entries
    expect(entries?.at(-1)).toMatchObject({ kind: 'reserve', amount: -1, request_id: entry?.id })
  })

  test('truncate: the effect, and half an answer', async () => {
    const { heard, paid } = await run(await way('truncate'))
    expect([heard.error, paid]).toEqual([expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/), 1])
  })

  test('malformed: the effect, and an answer that is not JSON', async () => {
    const asking = await way('malformed')
    const story = await run(asking)
    expect([story.heard.status, story.paid]).toEqual([200, 1])
    expect(() => told(story.heard)).toThrow(SyntaxError)
    expectReason(story, asking, 'malformed')
  })

  test('dribble: the effect, and an answer in drops', async () => {
    const asking = await way('dribble 30ms')
    const story = await run(asking)
    expect([story.heard.status, told(story.heard).status, story.paid]).toEqual([200, 'in_progress', 1])
    expectReason(story, asking, 'dribble 30ms')
  })

  test('stale: an answer, and the next request on the connection is reset', async () => {
    const asking = await way('stale')
    const story = await run(asking)
    expect([story.heard.status, story.paid]).toEqual([200, 1])
    expectReason(story, asking, 'stale')
    const next = () => story.send('GET', '/api/cli/whoami', { key: story.key })
    expect((await next()).error).toMatch(/ECONNRESET|UND_ERR_SOCKET/)
    expect((await next()).status).toBe(200)
  })

  test('fail: the run that was accepted fails, and is refunded', async () => {
    const asking = await way('fail')
    const story = await run(asking)
    expect([story.heard.status, story.paid]).toEqual([200, 1])
    expectReason(story, asking, 'fail')
    story.mock.clock.advance(2_000)
    expect((await story.look(story.id)).status).toBe('failed')
    const entries = story.mock.organization(asking.name).ledgers()[0]?.entries
    expect(entries?.at(-1)).toMatchObject({ kind: 'refund', amount: 1, request_id: null })
  })

  test('slow: the run that was accepted takes so long', async () => {
    const asking = await way('slow 1h')
    const story = await run(asking)
    expectReason(story, asking, 'slow 3600000ms')
    story.mock.clock.advance(3_599_999)
    expect((await story.look(story.id)).finished).toBe(false)
    story.mock.clock.advance(1)
    expect((await story.look(story.id)).finished).toBe(true)
  })

  test('ok: nothing', async () => {
    const { heard, paid } = await run(await way('ok'))
    expect([heard.status, paid]).toEqual([200, 1])
  })
})

const exits: [string, number, string][] = [
  ['reset', 56, ''],
  ['lost', 56, ''],
  ['empty', 52, ''],
  ['truncate', 18, '{"taskId":"'],
  ['hang', 28, ''],
  ['malformed', 0, '{"taskId":"'],
  ['dribble 20ms', 0, '{"taskId":"'],
  ['stale', 0, '{"taskId":"'],
  ['503', 0, '{"error":"unavailable"'],
]

test.each(exits)('curl meets %s with exit %i', async (fault, exit, begin) => {
  const mock = frozenMock({ fault: `runTask=${fault}` })
  const id = await clientOf(mock).newTask()
  const { url } = await listening(mock)
  const auth = `Authorization: Bearer ${mock.credentials().apiKey}`
  const limit = fault === 'hang' ? '0.05' : '5'
  const { code, out } = await curl('-X', 'POST', '-m', limit, '-H', auth, `${url}/api/cli/tasks/${id}/run`)
  expect([code, out.slice(0, begin.length)]).toEqual([exit, begin])
  if (fault === 'malformed' || fault === 'truncate') expect(() => JSON.parse(out)).toThrow()
})

test.each([
  'reset',
  'empty',
  'truncate',
  'hang',
  'dribble',
  'lost',
])('in process %s is a failed request, at once', async (fault) => {
  const mock = frozenMock({ fault: `runTask=${fault}` })
  const { newTask, ask } = clientOf(mock)
  const id = await newTask()
  const failure = await ask('runTask', { id }).catch((error: Error) => error)
  expect(failure).toBeInstanceOf(TypeError)
  expect(failure).toMatchObject({ message: 'fetch failed' })
})
