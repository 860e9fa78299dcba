/** Entries of a HAR keep their times when they are written and read. */
import { expect, test } from 'vitest'
import { redactedHarEntryOf } from './har.ts'
import { parseHarEntry } from './har-entry.ts'
import type { JournalEntry } from './journal-entry.ts'
import { SecretRedactor } from './redaction.ts'

const entry: JournalEntry = {
  ...{ id: 'req_1', follows: null, number: 1, org_id: null, key_id: null, operation: 'whoami' },
  ...{ method: 'GET', url: '/api/cli/whoami', headers: [], body: null },
  ...{ status: 200, answerHeaders: {}, answer: '', error: null, reason: null, wire: null, variant: 'first' },
  ...{ at: 0, duration_ms: 0 },
}

test.each([
  [1_800_000_000_000, 3],
  [1_800_000_000_000, 3.104],
  [1_800_000_000_001.004, 0.25],
  [1_800_000_000_000.999, 7],
])('a request sent at %d that takes %d ms', (at, duration_ms) => {
  const read = parseHarEntry(redactedHarEntryOf({ ...entry, at, duration_ms }, new SecretRedactor([])))
  expect(read).toMatchObject({ at, duration_ms })
})

test('where a recorder tells whole milliseconds, a request lasts until the end of its last one', () => {
  const written = redactedHarEntryOf(entry, new SecretRedactor([]))
  const read = parseHarEntry({ ...written, startedDateTime: '2026-11-30T00:00:00.004Z', time: 2.25 })
  expect(read).toMatchObject({ duration_ms: 3 })
})
