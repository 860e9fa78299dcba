/** The ring of the journal: bounded in number and in size, in order, whatever goes and comes. */
import { expect, test } from 'vitest'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { Journal, kept } from './journal.ts'

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
  duration_ms: 0,
})

const numbers = (journal: Journal) => journal.entries().map(({ number }) => number)

test('the newest are kept, in order, round after round', () => {
  const journal = new Journal(4)
  for (let i = 1; i <= 11; i++) {
    journal.add(entry(journal))
    expect(numbers(journal)).toEqual([i - 3, i - 2, i - 1, i].filter((n) => n > 0))
  }
})

test('the entries of one organization can be forgotten, and the ring goes on', () => {
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

test('ids are counted for each organization, and begin anew with a restart', () => {
  const journal = new Journal(4)
  const ids = (org_id: string | null) => [journal.nextId(org_id), journal.nextId(org_id)]
  expect(ids('org_0123456789')).toEqual(['req_01234567_1', 'req_01234567_2'])
  expect(ids(null)).toEqual(['req_nobody_1', 'req_nobody_2'])
  journal.restart('org_0123456789')
  expect(ids('org_0123456789')).toEqual(['req_01234567_1', 'req_01234567_2'])
  expect(ids(null)).toEqual(['req_nobody_3', 'req_nobody_4'])
})

test('an id holds only what a header can carry', () => {
  const journal = new Journal(4)
  expect(journal.nextId('org/é ?&%2F#+;"')).toMatch(/^req_[a-zA-Z0-9]*_1$/)
})

test('long texts give way before many short ones do', () => {
  const journal = new Journal(100_000)
  const text = 'x'.repeat(30_000)
  for (let i = 0; i < 3_000; i++) journal.add(entry(journal, 'org_ada', text))
  const held = journal.entries().reduce((sum, { answer }) => sum + answer.length, 0)
  expect(held).toBeLessThanOrEqual(64_000_000)
  expect(held).toBeGreaterThan(60_000_000)
  expect(journal.entries().at(-1)?.number).toBe(3_000)
})

test('of a text that is too long the beginning is kept, and how long it was', () => {
  expect(kept('x'.repeat(32_768))).toHaveLength(32_768)
  expect(kept(`${'é'.repeat(32_768)}é`)).toBe(`${'é'.repeat(2_048)}… (32769 characters)`)
  expect(kept(`${'x'.repeat(2_047)}${'👋'.repeat(20_000)}`)).toMatch(/^x+�… \(42047 characters\)$/)
})

test('followers are told of each entry until they stop', () => {
  const journal = new Journal(0)
  const told: JournalEntry[] = []
  expect(journal.wanted).toBe(false)
  const stop = journal.follow((one) => told.push(one))
  expect(journal.wanted).toBe(true)
  journal.add(entry(journal))
  stop()
  journal.add(entry(journal))
  expect([told.length, journal.entries().length, journal.wanted]).toEqual([1, 0, false])
})
