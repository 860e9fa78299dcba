/** The entries of a HAR that comes in pieces, whole, damaged or hostile. */
import { expect, test } from 'vitest'
import { streamHarEntries } from './har-stream.ts'

async function* piecesOf(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function entriesOf(text: string, size = text.length) {
  const found: unknown[] = []
  for await (const one of streamHarEntries(piecesOf(text, size))) found.push(one && JSON.parse(one))
  return found
}

const entries = [
  {},
  { text: 'a "quoted" \\ {[ text, \u00e9\u{1f600}', more: [1, { entries: [{}] }, []] },
  { log: { entries: [{ no: 'entry' }] } },
]

test.each([1, 2, 7, 10_000])('entries come whole in pieces of %d bytes', async (size) => {
  const log = { pages: [{ entries: [{ no: 'entry' }] }], entries, log: { entries: [{}] } }
  const text = JSON.stringify({ entries: [{ no: 'entry' }], log, more: { entries: [{}] } }, null, 1)
  expect(await entriesOf(text, size)).toEqual(entries)
})

test.each([
  ['{"log":{"entries":[{"a":"', 'it is cut off: its JSON does not end'],
  ['{"log":{"entries":[{}', 'it is cut off: its JSON does not end'],
  ['{"log":{"pages":[]}}', 'it is no HAR: there is no log.entries'],
  [
    '[{"log":{"entries":[]}}]',
    "it is no HAR: it is a list; if it is one of entries, `jq '{log: {entries: .}}'`",
  ],
  ['{"request":{}}\n{"request":{}}', 'it is no HAR: it is several values; if they are entries, `jq -s '],
  ['{"log":{"entries":[]}}{}', 'something follows the end of the HAR'],
  [' \n', 'it is no HAR: it is empty'],
  ['<html>', 'it is no HAR: it is not JSON'],
  ['# Read me\n\n{"log":{"entries":[]}}', 'it is no HAR: it is not JSON'],
  ['null', 'it is no HAR: there is no log.entries'],
  ['}', 'it is not JSON'],
  ['{"log":{"entries":[1]}}', 'log.entries holds something that is no object'],
  [`{"log":${'['.repeat(600)}`, 'it is nested deeper than 500 levels'],
])('%s is damaged', async (text, message) => {
  await expect(entriesOf(text, 5)).rejects.toThrow(message)
})

test.each([
  ['long', `{"a":"${'x'.repeat(33_000_000)}"}`],
  ['full', `{"a":[${'1,'.repeat(1_000_001)}1]}`],
])('an entry that is too %s is left out', async (_, large) => {
  expect(await entriesOf(`{"log":{"entries":[{"a":1},${large},{"b":2}]}}`, 1 << 16)).toEqual([
    { a: 1 },
    undefined,
    { b: 2 },
  ])
})
