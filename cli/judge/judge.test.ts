/** `judge`: recordings from files, and what is wrong with them in one line. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { runHere, testFolder } from '../testing/mock-process.ts'
import { archiveOf, zipOf } from './testing/zip-of.ts'

const answer = (json: unknown) => ({
  status: 200,
  headers: [{ name: 'Content-Type', value: 'application/json' }],
  content: { text: JSON.stringify(json) },
})

const secret = 'wak_live_of_nobody_else'

/** One entry; `second`: when it was sent. */
const entry = (second: number, method: string, path: string, response: object, body?: object) => ({
  startedDateTime: `2026-03-01T12:00:${String(second).padStart(2, '0')}.000Z`,
  time: 20,
  request: {
    method,
    url: `https://staging.example/api/cli${path}`,
    headers: [{ name: 'Authorization', value: `Bearer ${secret}` }],
    ...(body && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
  },
  response,
})

const task = { id: 't1', text: 'Say hello', description: null, status: 'new' }

/** A client that repeats at once after a 429, and a service that says `finished` as a text. */
const entries = [
  entry(1, 'POST', '/tasks', answer({ task, credits: 3 }), { text: 'Say hello' }),
  entry(2, 'GET', '/tasks/t1', answer({ task, finished: 'no' })),
  entry(3, 'GET', '/tasks/t1', {
    status: 429,
    headers: [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'Retry-After', value: '9' },
    ],
    content: { text: '{"error":"rate_limited","message":"Slow down."}' },
  }),
  entry(4, 'GET', '/tasks/t1', answer({ task, finished: false })),
]

function fileWith(content: string | Buffer, name = 'staging.har'): string {
  const file = join(testFolder(), name)
  writeFileSync(file, content)
  return file
}

/** A key that is created, whose secret an error repeats. */
const created = 'wak_live_made_in_the_recording'
const leaking = [
  entry(1, 'POST', '/keys', answer({ key: { id: 'k1' }, secret: created }), { name: 'Laptop' }),
  entry(2, 'GET', '/whoami', {
    status: 418,
    headers: [],
    content: { text: JSON.stringify({ error: 'teapot', message: `${created} ${secret}` }) },
  }),
]

const har = (list: readonly object[] = entries) => JSON.stringify({ log: { entries: list } })

const verdict =
  'The service broke 1 requirement, first at entry 2: SHAPE-getTask, expected every field with the documented type, got finished is a string, not a boolean; the client broke 1 rule: waits-retry-after, it repeated the request after 1 s instead of 9 s.'

test('both sides are judged, in a sentence and in every report, without secrets', async () => {
  const file = fileWith(har())
  const json = join(testFolder(), 'verdict.json')
  const html = join(testFolder(), 'verdict.html')
  const { status, stdout } = await runHere(['judge', file, '--report', `json=${json},html=${html}`])
  expect([status, stdout.split('\n')[0]]).toEqual([1, verdict])
  expect(stdout).toContain('failed  MUST SHAPE-getTask')
  expect(stdout).toContain('failed  MUST waits-retry-after')
  const report = JSON.parse(readFileSync(json, 'utf8'))
  const broken = ({ outcome }: { outcome: string }) => outcome === 'failed'
  expect(report.service.requirements.filter(broken).map(({ id }: { id: string }) => id)).toEqual([
    'SHAPE-getTask',
  ])
  expect(report.client.rules.filter(broken).map(({ id }: { id: string }) => id)).toEqual([
    'waits-retry-after',
  ])
  for (const text of [stdout, readFileSync(json, 'utf8'), readFileSync(html, 'utf8')])
    expect(text).not.toContain(secret)
})

test('no secret of the recording is in a verdict or a report', async () => {
  const json = join(testFolder(), 'verdict.json')
  const { status, stdout } = await runHere([
    'judge',
    fileWith(har(leaking)),
    '--verbose',
    '--report',
    `json=${json}`,
  ])
  expect([status, stdout.includes('teapot')]).toEqual([1, true])
  for (const text of [stdout, readFileSync(json, 'utf8')])
    expect([text.includes(secret), text.includes(created)]).toEqual([false, false])
})

test.each([
  ['service', 'The service broke 1 requirement, first at entry 2'],
  ['client', 'The client broke 1 rule: waits-retry-after'],
])('--side %s judges that side alone', async (side, beginning) => {
  const { stdout } = await runHere(['judge', fileWith(gzipSync(har())), '--side', side, '--quiet'])
  expect(stdout.startsWith(beginning)).toBe(true)
  expect(stdout.includes('; the client')).toBe(false)
})

test('clients with credentials of their own are judged apart', async () => {
  const others = entries.map((one, i) => ({
    ...one,
    request: { ...one.request, headers: [{ name: 'Authorization', value: `Bearer wak_of_${i}` }] },
  }))
  const { stdout } = await runHere(['judge', fileWith(har(others)), '--side', 'client'])
  expect(stdout).toContain('The client broke no duty')
  expect(stdout).toContain('client 4: 1 request')
})

test('a recording of a browser, without credentials, is judged as one organization', async () => {
  const bare = entries.map((one) => ({ ...one, request: { ...one.request, headers: [] } }))
  const { stdout } = await runHere(['judge', fileWith(har(bare)), '--quiet'])
  expect(stdout.split('\n')[0]).toBe(verdict)
})

test.each(['chromium.har', 'mitmproxy.har'])('a recording by others is read as it is: %s', async (name) => {
  const json = join(testFolder(), 'verdict.json')
  const file = join(import.meta.dirname, 'testing', name)
  const { status, stdout } = await runHere(['judge', file, '--quiet', '--report', `json=${json}`])
  expect([status, stdout.split('\n')[0]]).toEqual([
    0,
    'The service broke nothing that the recording shows; the client broke no duty.',
  ])
  const { service } = JSON.parse(readFileSync(json, 'utf8'))
  expect([service.requests, service.target.base_url]).toEqual([
    name === 'chromium.har' ? 9 : 10,
    'http://staging.example',
  ])
})

test('an archive of a test tool, with the bodies beside the HAR, is judged', async () => {
  const file = fileWith(archiveOf(entries), 'run.zip')
  const json = join(testFolder(), 'verdict.json')
  const { stdout } = await runHere(['judge', file, '--quiet', '--report', `json=${json}`])
  expect(stdout.split('\n')[0]).toBe(verdict)
  const { requirements } = JSON.parse(readFileSync(json, 'utf8')).service
  // The text that was sent is that of the task.
  expect(requirements).toContainEqual(expect.objectContaining({ id: 'TASK-ANSWER-TEXT', outcome: 'passed' }))
})

const elsewhere = JSON.stringify(entries[0]).replace('staging.example', 'other.example')

test.each<[string, string | Buffer, number, string]>([
  ['no JSON', '{"log":', 2, 'cannot judge FILE: Unexpected end of JSON input'],
  ['no HAR', '{"log":{}}', 2, 'cannot judge FILE: it is no HAR: there is no log.entries'],
  ['a damaged entry', '{"log":{"entries":[{}]}}', 2, 'cannot judge FILE: entry 1: startedDateTime '],
  [
    'deep nesting',
    `{"log":${'['.repeat(9_999)}`,
    2,
    'cannot judge FILE: it is nested deeper than 500 levels',
  ],
  ['a damaged archive', 'PK\u0003\u0004', 2, 'cannot read FILE: it is a damaged zip archive'],
  [
    'an archive without a recording',
    zipOf({ 'notes.txt': 'none' }),
    2,
    'cannot read FILE: it is a zip archive with no HAR',
  ],
  ['a cut archive', zipOf({ 'a.har': har() }).subarray(0, 60), 2, 'cannot read FILE: it is '],
  ['nothing of this API', '{"log":{"entries":[]}}', 3, 'nothing in FILE is a request of this API'],
  [
    'two services',
    har([...entries, JSON.parse(elsewhere)]),
    2,
    'cannot judge FILE: it has requests to https://staging.example, https://other.example: --base-url says which',
  ],
])('%s is one line', async (_, content, code, message) => {
  const file = fileWith(content)
  const { status, stdout, stderr } = await runHere(['judge', file])
  expect([status, stdout, stderr.split('\n').length]).toEqual([code, '', 2])
  expect(stderr.replaceAll(file, 'FILE')).toContain(`judge: ${message}`)
})

test('--base-url says which service is judged', async () => {
  const file = fileWith(har([...entries, JSON.parse(elsewhere)]))
  const { stdout } = await runHere(['judge', file, '--base-url', 'https://staging.example/', '--quiet'])
  expect(stdout.split('\n')[0]).toBe(verdict)
})

test('--strength says what a green verdict on the service would have noticed, in every report', async () => {
  const json = join(testFolder(), 'verdict.json')
  const junit = join(testFolder(), 'verdict.xml')
  const file = fileWith(har([entries[0] ?? {}, entries[3] ?? {}]))
  const { status, stdout } = await runHere([
    'judge',
    file,
    '--strength',
    '--report',
    `json=${json},junit=${junit}`,
  ])
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/would have noticed \d+ of \d+ violations in what it saw/),
  ])
  const { strength } = JSON.parse(readFileSync(json, 'utf8')).service
  expect(strength.noticed).toBeGreaterThan(10)
  expect(readFileSync(junit, 'utf8')).toContain(`"${strength.noticed} of ${strength.of}"`)
})
