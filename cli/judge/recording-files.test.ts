/** The files that `judge` takes: archives, damaged ones, addresses, and recordings of several services. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createTestFolder } from '../testing/folder.ts'
import { runCliInProcess } from '../testing/in-process.ts'
import {
  taskCreationEntry as creation,
  entriesOfBothAtFault as entries,
  harOfEntries,
  runJudgeOnRecording,
  verdictOnBothAtFault as verdict,
} from './testing/entries.ts'

/** An archive of the requests in `entries`, with the bodies in files beside the HAR, packed and stored in turn. */
const archive = readFileSync(join(import.meta.dirname, 'testing/archive.zip'))

test('an archive of a test tool, with the bodies beside the HAR, is judged', async () => {
  const { verdict: said, report } = await runJudgeOnRecording(archive, '--quiet')
  expect(said).toBe(verdict)
  // The text that was sent is that of the task.
  const judged = expect.objectContaining({ id: 'TASK-ANSWER-TEXT', outcome: 'passed' })
  expect(report.service.requirements).toContainEqual(judged)
})

test('a recording that zstd has compressed is judged', async () => {
  const { verdict: said } = await runJudgeOnRecording(zstdCompressSync(harOfEntries(entries)), '--quiet')
  expect(said).toBe(verdict)
})

/** An archive whose list of files says that those with such names are encrypted. */
function encrypted(bytes: Buffer, isMeant = (_: string) => true): Buffer {
  const changed = Buffer.from(bytes)
  const listMark = Buffer.from('PK\u0001\u0002')
  for (let at = changed.indexOf(listMark); at >= 0; at = changed.indexOf(listMark, at + 1))
    if (isMeant(changed.toString('utf8', at + 46, at + 46 + changed.readUInt16LE(at + 28))))
      changed[at + 8] = (changed[at + 8] ?? 0) | 1
  return changed
}

test('a HAR without a password is judged beside bodies with one, which are missing', async () => {
  const { out } = await runJudgeOnRecording(encrypted(archive, (name) => !name.endsWith('.har')))
  expect(out).toContain('Not beside the recording, which names them')
})

const elsewhere = JSON.parse(JSON.stringify(creation).replace('staging.example', 'other.example'))

test.each<[string, string | Uint8Array, number, string]>([
  ['no JSON', '{"log":', 2, 'cannot judge FILE: it is cut off: its JSON does not end'],
  ['a damaged entry', '{"log":{"entries":[{}]}}', 2, 'cannot judge FILE: entry 1: startedDateTime: '],
  [
    'an address that is none',
    harOfEntries([{ ...creation, request: { ...creation.request, url: '//api/cli/tasks' } }]),
    2,
    'cannot judge FILE: entry 1: request.url: "//api/cli/tasks" is no URL',
  ],
  [
    'flows of mitmproxy',
    '2034:4:type;4:http;7:version;2:17#',
    2,
    'FILE has flows of mitmproxy: write them as',
  ],
  ['a damaged archive', 'PK\u0003\u0004', 2, 'cannot read FILE: it is a damaged zip archive'],
  [
    'an archive without any',
    `PK\u0005\u0006${'\0'.repeat(18)}`,
    2,
    'cannot read FILE: it is a zip archive with no HAR',
  ],
  [
    'an archive with a password',
    encrypted(archive),
    2,
    'cannot read FILE: it is a zip archive with a password',
  ],
  [
    'a file that xz has packed',
    Buffer.from('fd377a585a00', 'hex'),
    2,
    'FILE is packed with xz: unpack it first',
  ],
  ['a cut archive', archive.subarray(0, 60), 2, 'cannot read FILE: it is '],
  ['nothing of this API', '{"log":{"entries":[]}}', 3, 'nothing in FILE is a request of this API'],
  [
    'two in one file',
    harOfEntries(entries) + harOfEntries(entries),
    2,
    'cannot judge FILE: something follows the end of the HAR: ',
  ],
  [
    'two services',
    harOfEntries([...entries, elsewhere]),
    2,
    'cannot judge FILE: it has requests to https://staging.example, https://other.example: --base-url says which',
  ],
])('%s is one line', async (_, content, expected, message) => {
  const file = createTestFolder().write('staging.har', content)
  const { code, out, err } = await runCliInProcess(`judge ${file}`)
  expect([code, out, err.split('\n').length]).toEqual([expected, '', 2])
  expect(err.replaceAll(file, 'FILE')).toContain(`judge: ${message}`)
})

test.each([
  ['https://staging.example/requests.har', 'is an address'],
  [import.meta.dirname, 'is a folder: name one recording in it'],
])('%s %s', async (file, message) => {
  const { code, err } = await runCliInProcess(`judge ${file}`)
  expect([code, err.replace(file, '')]).toEqual([2, expect.stringContaining(message)])
})

test('what is sent on to https, and damaged entries of other services, are left out', async () => {
  const { url } = creation.request
  const sentOn = {
    ...creation,
    request: { ...creation.request, url: url.replace('https:', 'http:') },
    response: { status: 307, headers: [{ name: 'Location', value: url }], content: {} },
  }
  const foreign = { request: { url: 'https://other.example/app.js' } }
  const { verdict: said, out } = await runJudgeOnRecording(
    harOfEntries([sentOn, foreign, ...entries]),
    '--quiet',
  )
  expect([said, out.includes('first at entry 4: SHAPE-getTask')]).toEqual([verdict, true])
})

test('--base-url says which service is judged', async () => {
  for (const path of ['/', '/api/cli']) {
    const flags = `--base-url https://staging.example${path} --quiet`
    expect((await runJudgeOnRecording(harOfEntries([...entries, elsewhere]), flags)).verdict).toBe(verdict)
  }
})
