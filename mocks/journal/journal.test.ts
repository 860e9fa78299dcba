/** The journal: bounded in entries and size, ordered, filtered, and written as HAR. */

import { expect, test } from 'vitest'
import { type JournalEntry, truncateText } from '#traffic/journal-entry.ts'
import { createMock } from '../index.ts'
import { createFrozenMock } from '../testing/mock.ts'
import { RecordedEntry } from './entry.ts'
import { createJournal, type Journal } from './journal.ts'
import { requestFilterSchema } from './reader.ts'

function entry(journal: Journal, org_id: string | null = 'org_ada', answer = '{}'): RecordedEntry {
  const given = {
    url: 'http://mock.test/api/cli/whoami',
    headers: ['Host', 'mock.test'],
    status: 200,
    answer,
  }
  const created = Object.assign(new RecordedEntry('whoami', 'GET', null, 0), given)
  created.countAmong(journal.requestsOf(org_id))
  return created
}

const numbers = (journal: Journal) => journal.entries().map(({ number }) => number)

test('the newest entries are kept in order', () => {
  const journal = createJournal(4)
  for (let i = 1; i <= 11; i++) {
    journal.add(entry(journal))
    expect(numbers(journal)).toEqual([i - 3, i - 2, i - 1, i].filter((n) => n > 0))
  }
})

test('an id is a valid header value', () => {
  const journal = createJournal(4)
  expect(journal.requestsOf('org/é ?&%2F#+;"').idAt(1)).toMatch(/^req_[a-zA-Z0-9]*_1$/)
})

test('long texts are dropped before many short ones', () => {
  const journal = createJournal(100_000)
  const text = 'x'.repeat(30_000)
  for (let i = 0; i < 3_000; i++) journal.add(entry(journal, 'org_ada', text))
  const held = journal.entries().reduce((sum, { answer }) => sum + answer.length, 0)
  expect(held).toBeLessThanOrEqual(64_000_000)
  expect(held).toBeGreaterThan(60_000_000)
  expect(journal.entries().at(-1)?.number).toBe(3_000)
})

test('a too long text is truncated, with its length', () => {
  expect(truncateText('x'.repeat(131_072))).toHaveLength(131_072)
  expect(truncateText(`${'é'.repeat(131_072)}é`)).toBe(`${'é'.repeat(2_048)}… (131073 characters)`)
  expect(truncateText(`${'x'.repeat(2_047)}${'👋'.repeat(80_000)}`)).toMatch(/^x+�… \(162047 characters\)$/)
})

test('followers receive each entry until they stop', () => {
  const journal = createJournal(0)
  const followed: JournalEntry[] = []
  expect(journal.active).toBe(false)
  const stop = journal.follow((one) => followed.push(one))
  expect(journal.active).toBe(true)
  journal.add(entry(journal))
  stop()
  journal.add(entry(journal))
  expect([followed.length, journal.entries().length, journal.active]).toEqual([1, 0, false])
})

test('headers count as text, those that are shared only once', () => {
  const journal = createJournal(10_000)
  const text = 'x'.repeat(1_000_000)
  const large = (i: number) => ['X-Number', String(i), 'X-Large', text]
  for (let i = 0; i < 70; i++) journal.add(Object.assign(entry(journal), { headers: large(i) }))
  expect(journal.entries().length).toBe(63)
  for (let i = 0; i < 70; i++) journal.add(Object.assign(entry(journal), { headers: large(0) }))
  expect(journal.entries().length).toBe(62 + 70)
})

test('operations that take turns each share the headers of the one before of their own', () => {
  const journal = createJournal(10)
  for (let i = 0; i < 4; i++) {
    const operation = i % 2 ? 'whoami' : 'listTasks'
    journal.add(Object.assign(entry(journal), { operation, headers: ['X-Operation', operation] }))
  }
  const [one, other, again, otherAgain] = journal.entries()
  expect([again?.headers === one?.headers, otherAgain?.headers === other?.headers]).toEqual([true, true])
  expect(other?.headers).toEqual(['X-Operation', 'whoami'])
})

/** Returns whether a filter matches the path of a request. */
async function finds(pathname: string, path: string): Promise<boolean> {
  const mock = createMock()
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  await mock.fetch(new Request(`http://mock.invalid${pathname}`, { headers }))
  return mock.journal.count({ path }) === 1
}

test.each([
  ['/api/cli/tasks', '/api/cli/tasks', true],
  ['/api/cli/tasks', '*', true],
  ['/api/cli/tasks/abc', '/api/cli/tasks/*', true],
  ['/api/cli/tasks', '/api/cli/tasks/*', false],
  ['/api/cli/tasks', '/api/*/tasks', true],
  ['/api/cli/tasks', '/api/*/task', false],
  ['/api/cli/tasks', '*tasks*tasks', false],
  ['/api/cli/tasks/a.b', '/api/cli/tasks/a?b', false],
  ['/api/cli/aba', '/api/cli/ab*ba', false],
])('%s matches %s: %s', async (pathname, path, found) => {
  expect(await finds(pathname, path)).toBe(found)
})

test('a filter with many stars is fast', async () => {
  expect(await finds(`/api/cli/tasks/${'a'.repeat(300)}`, `/api/cli/tasks/${'a*'.repeat(40)}b`)).toBe(false)
  expect(requestFilterSchema.safeParse({ path: '*'.repeat(10_000) }).success).toBe(true)
})

async function seen() {
  const mock = createFrozenMock()
  const authorization = `Bearer ${mock.credentials().apiKey}`
  const send = (path: string, more = {}, body?: [type: string, text: string]) => {
    const headers = { authorization, ...more, ...(body && { 'content-type': body[0] }) }
    return mock.fetch(`http://mock.test${path}`, { headers, ...(body && { method: 'POST', body: body[1] }) })
  }
  await send('/api/cli/tasks', {}, ['application/json', '{"text":"Grüße"}'])
  await send('/api/cli/documents?folder_id=a%20b&all=1')
  await expect(send('/api/cli/whoami', { prefer: 'fault=reset' })).rejects.toThrow(TypeError)
  await send('/api/cli/nope?q')
  await send('/api/cli/tasks', {}, ['application/x-www-form-urlencoded', '{"text":"from curl"}'])
  return { mock, read: mock.journal.har().log.entries }
}

/** The type of an entry, which is that of HAR, says which fields it has; traffic/recording.ts reads them back. */
test('a file has the requests in their order, and in process the same', async () => {
  const { mock, read } = await seen()
  expect(read).toHaveLength(5)
  const downloaded = await mock.fetch('http://mock.test/__admin/requests.har')
  expect(downloaded.headers.get('content-disposition')).toBe('attachment; filename="work-agent-mock.har"')
  expect(await downloaded.json()).toEqual(mock.journal.har())
  expect(mock.journal.har({ method: 'POST' }).log.entries).toEqual([read[0], read[4]])
})
