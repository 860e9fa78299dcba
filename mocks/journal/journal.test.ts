/** The ring buffer of the journal: bounded in entries and size, and ordered. */
import { expect, test } from 'vitest'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { Journal, truncateText } from './journal.ts'

const entry = (journal: Journal, org_id: string | null = 'org_ada', answer = '{}') => ({
  id: journal.nextId(org_id),
  number: 0,
  follows: null,
  org_id,
  key_id: null,
  operation: 'whoami' as const,
  method: 'GET',
  url: 'http://mock.test/api/cli/whoami',
  headers: ['Host', 'mock.test'],
  body: null,
  status: 200,
  answerHeaders: {},
  answer,
  error: null,
  reason: null,
  wire: null,
  variant: 'first' as const,
  at: 0,
  decided_by: 'state' as const,
  changes_from: 0,
  changes_to: 0,
  credits: 0,
  duration_ms: 0,
})

const numbers = (journal: Journal) => journal.entries().map(({ number }) => number)

test('the newest entries are kept in order', () => {
  const journal = new Journal(4)
  for (let i = 1; i <= 11; i++) {
    journal.add(entry(journal))
    expect(numbers(journal)).toEqual([i - 3, i - 2, i - 1, i].filter((n) => n > 0))
  }
})

test('the entries of one organization can be deleted, and the ring continues', () => {
  const journal = new Journal(4)
  for (let i = 0; i < 6; i++) journal.add(entry(journal, i % 2 ? 'org_ada' : 'org_bob'))
  journal.clear('org_ada')
  expect(numbers(journal)).toEqual([3, 5])
  for (let i = 0; i < 3; i++) journal.add(entry(journal))
  expect(numbers(journal)).toEqual([5, 7, 8, 9])
  journal.clear()
  journal.add(entry(journal))
  expect(numbers(journal)).toEqual([10])
})

test('ids are numbered per organization, and restart with a restart', () => {
  const journal = new Journal(4)
  const ids = (org_id: string | null) => [journal.nextId(org_id), journal.nextId(org_id)]
  expect(ids('org_0123456789')).toEqual(['req_01234567_1', 'req_01234567_2'])
  expect(ids(null)).toEqual(['req_nobody_1', 'req_nobody_2'])
  journal.restart('org_0123456789')
  expect(ids('org_0123456789')).toEqual(['req_01234567_1', 'req_01234567_2'])
  expect(ids(null)).toEqual(['req_nobody_3', 'req_nobody_4'])
})

test('an id is a valid header value', () => {
  const journal = new Journal(4)
  expect(journal.nextId('org/é ?&%2F#+;"')).toMatch(/^req_[a-zA-Z0-9]*_1$/)
})

test('long texts are dropped before many short ones', () => {
  const journal = new Journal(100_000)
  const text = 'x'.repeat(30_000)
  for (let i = 0; i < 3_000; i++) journal.add(entry(journal, 'org_ada', text))
  const held = journal.entries().reduce((sum, { answer }) => sum + answer.length, 0)
  expect(held).toBeLessThanOrEqual(64_000_000)
  expect(held).toBeGreaterThan(60_000_000)
  expect(journal.entries().at(-1)?.number).toBe(3_000)
})

test('a too long text is truncated, with its length', () => {
  expect(truncateText('x'.repeat(32_768))).toHaveLength(32_768)
  expect(truncateText(`${'é'.repeat(32_768)}é`)).toBe(`${'é'.repeat(2_048)}… (32769 characters)`)
  expect(truncateText(`${'x'.repeat(2_047)}${'👋'.repeat(20_000)}`)).toMatch(/^x+�… \(42047 characters\)$/)
})

test('followers receive each entry until they stop', () => {
  const journal = new Journal(0)
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
  const journal = new Journal(10_000)
  const large = (i: number) => ['Host', 'mock.test', 'X-Large', String(i).padEnd(60_000, 'x')]
  for (let i = 0; i < 3_000; i++) journal.add({ ...entry(journal), headers: large(i) })
  const kept = journal.entries().length
  expect(kept * 60_000).toBeLessThanOrEqual(64_000_000)
  expect(kept).toBeGreaterThan(1_000)
  for (let i = 0; i < 5_000; i++) journal.add({ ...entry(journal), headers: large(0) })
  expect(journal.entries().length).toBeGreaterThan(5_000)
})
