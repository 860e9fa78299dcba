/** Entries that repeat one another: copies of one request, requests that are alike, and recordings of two recorders. */
import { expect, test } from 'vitest'
import { readHarExchanges } from '#traffic/recording.ts'
import {
  harEntry,
  harOfEntries,
  recordedAnswer,
  runJudgeOnRecording,
  type TestEntry,
  taskEntries,
} from './testing/entries.ts'

/** Two equal readings of one time, with marks of their recorder. */
const twoReads = (marks: readonly object[], at = '2026-03-01T12:00:05.250Z') => {
  const [whoami, creation] = taskEntries() as [TestEntry, TestEntry]
  const read = harEntry(5, 'GET /tasks', recordedAnswer(200, { items: [], credits: 3 }))
  return [whoami, creation, ...marks.map((mark) => ({ ...read, startedDateTime: at, ...mark }))]
}

test.each<[string, readonly object[], number]>([
  ['without marks of their own', twoReads([{}, {}]), 3],
  ['with ids of their own', twoReads([{ _id: '1' }, { _id: '2' }]), 4],
  ['on connections of their own', twoReads([{ connection: '1' }, { connection: '2' }]), 4],
  [
    'in whole seconds',
    twoReads([{}, {}]).map((one) => ({ ...one, startedDateTime: '2026-03-01T12:00:05Z' })),
    4,
  ],
])('two equal entries of one time %s are a copy, or two requests', async (_, entries, requests) => {
  const { report } = await runJudgeOnRecording(harOfEntries(entries), '--quiet')
  expect(report.service.requests).toBe(requests)
})

test('a recording of two recorders is refused, and one of a client that reads all twice is judged', () => {
  const again = taskEntries().map((one) => ({
    ...one,
    startedDateTime: new Date(Date.parse(one.startedDateTime) + 3).toISOString(),
  }))
  const entries = [...taskEntries(), ...again]
  expect(() => readHarExchanges({ log: { entries } })).toThrow('it holds each request twice')
  const reads = entries.filter(({ request }) => request.method === 'GET')
  expect(readHarExchanges({ log: { entries: reads } })).toHaveLength(reads.length)
})
