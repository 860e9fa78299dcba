/** Quirks that strict-client mode draws: each appears for some seeds and not for all, and they are reproducible. */

import { once } from 'node:events'
import { get } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { createMock, type Mock } from '../app.ts'
import { type UncheckedResponse, uncheckedClientOf } from '../testing/client.ts'
import { listenUntilTestEnd } from '../testing/listening.ts'
import { createFrozenMock, noonMs } from '../testing/mock.ts'

async function probe(mock: Mock, name?: string) {
  const { call, newTask } = uncheckedClientOf(mock, name)
  const created = await call('createTask', { body: { text: 'a' } })
  const id = String(created.body.task?.id)
  const responses = {
    created,
    whoami: await call('whoami'),
    ran: await call('runTask', { id }),
    early: await call('getTask', { id }),
    listed: await call('listTasks'),
    invalid: await call('createTask', { body: { text: 1 } }),
    limited: await call('whoami', { headers: { prefer: 'code=429' } }),
    failed: await call('whoami', { headers: { prefer: 'code=500' } }),
    key: await call('createKey', { body: { name: 'CI' } }),
    second: await call('runTask', { id: await newTask() }),
  }
  mock.clock.advance(2_000)
  return { ...responses, later: await call('getTask', { id }) }
}

type ProbeResult = Awaited<ReturnType<typeof probe>>

/** Returns the task in a response; an empty object if there is none. */
const taskIn = ({ body }: Pick<UncheckedResponse, 'body'>): Record<string, unknown> => body.task ?? {}

const usualStatuses = new Set(['pending', 'queued', 'in_progress', 'completed', 'failed'])

const idOf = (heard: UncheckedResponse) => String(taskIn(heard).id)

describe('among 50 seeds there are', () => {
  const signs: Record<string, (heard: ProbeResult) => boolean> = {
    'unknown names of statuses': ({ early }) => !usualStatuses.has(String(taskIn(early).status)),
    'a plan that is an object': ({ whoami }) => typeof whoami.body.plan === 'object',
    'an organization without a name': ({ whoami }) => Reflect.get(Object(whoami.body.org), 'name') === null,
    'ids that are numbers': ({ created }) => typeof taskIn(created).id === 'number',
    'ids that are UUIDs': ({ created }) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/.test(idOf(created)),
    'ids that have to be percent-encoded': ({ created }) => /[/?#% ]/.test(idOf(created)),
    'long ids': ({ created }) => idOf(created).length > 200,
    'extra fields': ({ whoami }) => Object.keys(whoami.body).length > 3,
    'fields in another order': ({ whoami }) => Object.keys(whoami.body)[0] === 'credits',
    'items in another order': ({ created, listed }) =>
      Reflect.get(Object((listed.body.items as object[])[0]), 'id') !== taskIn(created).id,
    'dates in Retry-After': ({ limited }) => /GMT$/.test(limited.headers.get('retry-after') ?? ''),
    'seconds in Retry-After': ({ limited }) => /^\d+$/.test(limited.headers.get('retry-after') ?? ''),
    'a 201': ({ created }) => created.status === 201,
    'a 202': ({ ran }) => ran.status === 202,
    'second shapes': ({ listed }) => !('credits' in listed.body),
    'first shapes': ({ listed }) => !('usedToday' in listed.body),
    'both shapes at once': ({ listed }) => 'credits' in listed.body && 'usedToday' in listed.body,
    'runs that finish at once': ({ ran, early }) => ran.status !== 409 && early.body.finished === true,
    'runs that finish late': ({ ran, later }) => ran.status < 300 && later.body.finished === false,
    'runs that find the agent busy': ({ ran }) => ran.body.error === 'busy',
    '400 for bad input': ({ invalid }) => invalid.status === 400,
    '422 for bad input': ({ invalid }) => invalid.status === 422,
    'unknown codes on 422': ({ invalid }) => invalid.body.error !== 'invalid_request',
    'unknown codes on 500': ({ failed }) => failed.body.error !== 'internal_error',
    'messages in other languages': ({ failed }) => /\p{sc=Han}/u.test(String(failed.body.message)),
    'media types with parameters': ({ whoami }) =>
      whoami.headers.get('content-type')?.includes('charset') ?? false,
    'JSON over several lines': ({ whoami }) => whoami.text.includes('\n  "'),
    'keys that are strings': ({ key }) => typeof key.body.key === 'string',
    'fractions of a credit': ({ whoami }) => !Number.isInteger(whoami.body.credits),
    'times that are numbers': ({ created }) =>
      Object.entries(taskIn(created)).some(([name, at]) => /created/.test(name) && typeof at === 'number'),
    'times under other names': ({ created }) => !('created_at' in taskIn(created)),
  }

  let seen: ProbeResult[] = []

  beforeAll(async () => {
    const mocks = Array.from({ length: 50 }, (_, seed) => createMock({ strictClient: seed + 1, now: noonMs }))
    for (const mock of mocks) mock.clock.freeze(noonMs)
    seen = await Promise.all(mocks.map((mock) => probe(mock)))
    expect(mocks.flatMap(({ bugs }) => bugs)).toEqual([])
  })

  test.each(Object.entries(signs))('%s, but not for every seed', (_, isSeen) => {
    const count = seen.filter(isSeen).length
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(50)
  })
})

const strict = (strictClient: number) => createFrozenMock({ strictClient })

test('a list of ids in place of a seed applies exactly these quirks, always', async () => {
  const mock = createFrozenMock({ strictClient: 'ids-numbers,plan-object,created-201' })
  for (const name of ['a', 'b', 'c']) {
    const { created, whoami } = await probe(mock, name)
    expect([created.status, typeof taskIn(created).id]).toEqual([201, 'number'])
    expect(whoami.body).toMatchObject({ plan: { seats: null }, credits: 25 })
    expect(Object.keys(whoami.body)).toEqual(['org', 'plan', 'credits'])
  }
})

test('what named quirks draw follows from the seed of the mock', async () => {
  /** The places of new tasks in lists that have no order. */
  const placesOf = async (seed: string) => {
    const { call, newTask } = uncheckedClientOf(
      createFrozenMock({ strictClient: 'lists-shuffled', past: 'none', seed }),
    )
    const ids: unknown[] = []
    for (let i = 0; i < 8; i++) ids.push(await newTask())
    const { items } = (await call('listTasks')).body as { items: { id: unknown }[] }
    return items.map(({ id }) => ids.indexOf(id))
  }
  const one = await placesOf('a')
  expect(one.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(await placesOf('a')).toEqual(one)
  expect(await placesOf('b')).not.toEqual(one)
})

test.each([
  ['application/json', 201],
  ['Application/JSON; charset=utf-8', 201],
  ['application/vnd.work-agent+json', 201],
  ['application/xml', 400],
  ['text/plain;charset=UTF-8', 400],
  [undefined, 400],
])('a body declared as %s: only a quirk refuses it', async (type, status) => {
  const create = async (strictClient: string) => {
    const mock = createFrozenMock({ strictClient })
    const { apiKey } = mock.credentials()
    const body = new TextEncoder().encode('{"text":"Say hello"}')
    const headers = { authorization: `Bearer ${apiKey}`, ...(type && { 'content-type': type }) }
    const answer = await mock.fetch(
      new Request('http://mock.test/api/cli/tasks', { method: 'POST', headers, body }),
    )
    return [answer.status, (await answer.json()).error, mock.organization().ledgers().length]
  }
  expect((await create('created-201'))[0]).toBe(201)
  const refusing = await create('created-201,other-types-refused')
  expect(refusing.slice(0, 2)).toEqual([status, status === 400 ? 'invalid_request' : undefined])
})

test('a variant or a run length that is requested is applied', async () => {
  const mock = strict(7)
  const { call, newTask } = uncheckedClientOf(mock)
  for (let i = 0; i < 10; i++) {
    const { body } = await call('listTasks', { headers: { prefer: 'variant=second' } })
    expect(body).toHaveProperty('usedToday')
    expect(body).not.toHaveProperty('credits')
  }
  for (let i = 0; i < 10; i++) {
    const id = await newTask('[[mock:slow 7s]]')
    await call('runTask', { id })
    mock.clock.advance(6_999)
    expect((await call('getTask', { id })).body.finished).toBe(false)
    mock.clock.advance(1)
    expect((await call('getTask', { id })).body.finished).toBe(true)
  }
})

test('answers to callers who are not authenticated have quirks as well, and are 401', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, strictClient) => {
      const response = await strict(strictClient).fetch(new Request('http://mock.test/api/cli/whoami'))
      return { status: response.status, body: await response.json() }
    }),
  )
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.error}`))).toEqual(
    new Set(['401 unauthorized']),
  )
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBeGreaterThan(3)
})

test('the journal records what was answered', async () => {
  const mock = strict(7)
  const { call } = uncheckedClientOf(mock)
  for (let i = 0; i < 10; i++) {
    const { text, status, body } = await call('createTask', { body: { text: i % 2 ? i : 'a' } })
    expect(mock.journal.entries().at(-1)).toMatchObject({
      answer: { body: text },
      status,
      error: body.error ?? null,
    })
  }
})

test('a malformed answer is malformed whatever its white space', async () => {
  for (let seed = 0; seed < 10; seed++) {
    const asked = uncheckedClientOf(strict(seed)).call('whoami', {
      headers: { prefer: 'fault=malformed' },
    })
    await expect(asked).rejects.toThrow(SyntaxError)
  }
})

test('over a connection, header names vary in case', async () => {
  const { url } = await listenUntilTestEnd(strict(3))
  const spellings = new Set<string | undefined>()
  for (let i = 0; i < 20; i++) {
    const [answer] = await once(get(`${url}/api/cli/whoami`), 'response')
    answer.resume()
    spellings.add(answer.rawHeaders.find((name: string) => name.toLowerCase() === 'content-type'))
  }
  expect(spellings.size).toBeGreaterThan(2)
})
