/** Recordings as programs write them: what each makes of a request and an answer is read for what it is. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readHarExchanges } from '#traffic/recording.ts'
import {
  harEntry,
  harEntryWithCredential,
  harOfEntries,
  recordedAnswer,
  recordedRefusal,
  runJudgeOnRecording,
  type TestEntry,
  taskEntries,
  unauthorizedAnswer,
  whoamiEntry,
} from './testing/entries.ts'

/** The first words on an honest service and a good client. */
const nothingBroken = 'The service broke nothing that the recording shows; the client broke no duty'

/** Judgement of a recording, in a few words. */
async function saidOf(content: string | Uint8Array) {
  const { code, verdict = '' } = await runJudgeOnRecording(content, '--quiet')
  return [code, verdict.slice(0, nothingBroken.length)]
}

/** The story with one of its entries changed. */
const storyWith = (at: number, change: (one: TestEntry) => object, spent?: number): object[] =>
  taskEntries(spent).map((one, i) => (i === at ? change(one) : one))

const runAt = 2

/** A request with a type, and perhaps a body. */
const typed = (type: string, text?: string) => (one: TestEntry) => ({
  ...one,
  request: {
    ...one.request,
    headers: [...one.request.headers, { name: 'Content-Type', value: type }],
    ...(text !== undefined && { postData: { mimeType: type, text } }),
  },
})

test.each([
  ['application/x-www-form-urlencoded', undefined],
  ['application/x-www-form-urlencoded', ''],
  ['text/plain;charset=UTF-8', ''],
  ['text/plain;charset=UTF-8', '{}'],
])('a run that names the type %s for the body %j is a run', async (type, text) => {
  const sent = typed(type, text)
  expect(await saidOf(harOfEntries(storyWith(runAt, sent)))).toEqual([0, nothingBroken])
  const { out } = await runJudgeOnRecording(
    harOfEntries(storyWith(runAt, sent, 2)),
    '--side service --verbose',
  )
  expect(out).toContain('CREDITS-RUN-COSTS-ONE')
})

test('a run with a form for its body is a run, and its client is told that a body is JSON', async () => {
  const sent = typed('application/x-www-form-urlencoded', 'a=b')
  const { code, out } = await runJudgeOnRecording(harOfEntries(storyWith(runAt, sent)))
  expect(code).toBe(1)
  expect(out).toContain('sent a body that is no JSON object, to runTask, which takes none')
  const service = await runJudgeOnRecording(
    harOfEntries(storyWith(runAt, sent, 2)),
    '--side service --verbose',
  )
  expect(service.out).toContain('CREDITS-RUN-COSTS-ONE')
})

const { stringify } = JSON

/** Entries with an answer changed in each. */
const answered = (change: (response: TestEntry['response'], i: number) => object | null | undefined) =>
  taskEntries().map((one, i) => ({ ...one, response: change(one.response, i) }))

/** The body of an answer as a recorder keeps it. */
const kept = (content: (text: string) => object, headers: readonly object[] = []) =>
  answered((response) => ({
    ...response,
    headers: [...response.headers, ...headers],
    content: content(response.content.text),
  }))

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const base64 = (bytes: Uint8Array | string) => ({
  text: Buffer.from(bytes).toString('base64'),
  encoding: 'base64',
})
const coded = (coding: string) => [{ name: 'Content-Encoding', value: coding }]
const sentAs = (change: (request: TestEntry['request']) => object) =>
  taskEntries().map((one) => ({ ...one, request: { ...one.request, ...change(one.request) } }))

const sizeOf = (text: string) => Buffer.byteLength(text)
const inGerman = (one: TestEntry[]) => JSON.parse(stringify(one).replaceAll('Say hello', 'Grüße 😀'))
const bytewise = (text: string) => latin1(Buffer.from(text))

/** Every requirement that the plain story meets is met in each; a third column: the story with other texts. */
test.each<[string, readonly object[], (readonly object[])?]>([
  ['base64', kept((text) => base64(text))],
  ['texts under the name of base64', kept((text) => ({ text, encoding: 'base64' }))],
  ['base64 of gzip', kept((text) => base64(gzipSync(text)), coded('gzip'))],
  ['base64 of gzip without its header', kept((text) => base64(gzipSync(text)))],
  ['base64 of br', kept((text) => base64(brotliCompressSync(text)), coded('br'))],
  ['base64 of deflate', kept((text) => base64(deflateSync(text)), coded('deflate'))],
  ['base64 of zstd', kept((text) => base64(zstdCompressSync(text)), coded('zstd'))],
  ['gzip with a letter for each byte', kept((text) => ({ text: latin1(gzipSync(text)) }), coded('gzip'))],
  ['a header that names a coding which is undone', kept((text) => ({ text }), coded('br'))],
  [
    'letters for bytes in some bodies',
    inGerman(taskEntries()).map((one: TestEntry) => ({
      ...one,
      response: {
        ...one.response,
        content: { text: bytewise(one.response.content.text), size: sizeOf(one.response.content.text) },
      },
    })),
    inGerman(taskEntries()),
  ],
  ['statuses as texts', answered((response) => ({ ...response, status: String(response.status) }))],
  ['methods in lower case', sentAs(({ method = '' }) => ({ method: method.toLowerCase() }))],
  [
    'headers without a value, and with numbers',
    sentAs(({ headers }) => ({
      headers: [...headers, { name: 'x-a', value: null }, { name: 'x-b' }, { name: 'x-c', value: 7 }, null],
    })),
  ],
  [
    'headers as an object',
    sentAs(({ headers }) => ({
      headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    })),
  ],
  ['bodies as JSON values', kept((text) => ({ text: JSON.parse(text) }))],
  [
    'addresses of other kinds that contain the path',
    [
      ...[
        'data:text/html,',
        'blob:https://staging.example',
        'wss://staging.example',
        'chrome-extension://abc',
      ].map((start) => ({ request: { method: 'GET', url: `${start}/api/cli/tasks` }, response: null })),
      ...taskEntries(),
    ],
  ],
])('a recording with %s is judged as one without', async (_, entries, story = taskEntries()) => {
  const passedOf = async (list: readonly object[]) => {
    const { code, report } = await runJudgeOnRecording(harOfEntries(list), '--side service --quiet')
    return [
      code,
      ...report.service.requirements.flatMap((one: Result) => (one.outcome === 'passed' ? one.id : [])),
    ]
  }
  expect(await passedOf(entries)).toEqual(await passedOf(story))
})

interface Result {
  readonly id: string
  readonly outcome: string
}

test.each([
  ['gzip that was decoded as UTF-8', kept((text) => ({ text: gzipSync(text).toString() }), coded('gzip'))],
  [
    'br that was decoded as UTF-8',
    kept((text) => ({ text: brotliCompressSync(text).toString() }), coded('br')),
  ],
  ['damaged gzip', kept((text) => base64(gzipSync(text).subarray(0, 30)), coded('gzip'))],
])('%s is no body that was recorded', async (_, entries) => {
  const { code, err, out } = await runJudgeOnRecording(harOfEntries(entries), '--side service')
  expect([code, err]).toEqual([3, expect.stringContaining('has a body, so nothing was judged')])
  expect(out).toContain('Not judged, since the recording does not have their whole bodies: 7 answers.')
})

test('a text that is no JSON, and in no coding, is held against the service', async () => {
  const { out } = await runJudgeOnRecording(
    harOfEntries(kept((text) => ({ text: `${text.slice(0, -1)}\u0001` }), coded('gzip'))),
    '--side service',
  )
  expect(out).toContain('failed  MUST ANSWER-JSON')
})

/** An answer with what its service has told of its length. */
const announced = (
  response: TestEntry['response'],
  content: object,
  length = response.content.text.length,
) => ({
  ...response,
  headers: [...response.headers, { name: 'Content-Length', value: String(length) }],
  content,
})
const looked = 4
/** The story with an answer that is not whole. */
const broken = (change: (response: TestEntry['response']) => object) =>
  storyWith(looked, (one) => ({ ...one, response: change(one.response) }))

/** The story with the body of its creation replaced. */
const sentBody = (text: string) =>
  sentAs(({ postData }) => (postData ? { postData: { ...postData, text } } : {}))
/** The story with a word in the place of what a sanitizer takes out of answers. */
const replaced = (what: string | RegExp, word: string) =>
  answered((response) => JSON.parse(stringify(response).replaceAll(what, word)))
const limited = (response: object) => [...taskEntries(), harEntry(9, 'GET /whoami', response)]

const document = { id: 'd1', title: 'Notes', url: null, kind: null, summary: null, folder_id: null }
/** The start of an answer as its whole content. */
const startOf = ({ content: { text } }: TestEntry['response']) => ({
  text: text.slice(0, -9),
  size: text.length - 9,
})

test.each<[string, readonly object[]]>([
  ['the type of a body in its place', kept(() => ({ text: '[application/json redacted]' }))],
  ['texts of tasks replaced in answers', replaced('Say hello', '[REDACTED]')],
  ['ids of tasks replaced in answers', replaced(/\bt1\b/g, '<redacted>')],
  ['ids of tasks replaced in paths', sentAs(({ url }) => ({ url: url.replace('t1', '[REDACTED]') }))],
  ['the types of answers replaced', replaced('application/json', '[content-type redacted]')],
  [
    'a time to wait replaced',
    limited(recordedRefusal(429, 'rate_limited', { 'Retry-After': '[retry-after redacted]' })),
  ],
  ...['Bearer <token>', 'Bearer {{token}}', '$API_KEY', 'Bearer YOUR_API_KEY', '[Anonymized]'].map(
    (word): [string, object[]] => [
      `${word} in place of each key, one of them wrong`,
      [...taskEntries(), whoamiEntry(9, unauthorizedAnswer)].map((one) =>
        harEntryWithCredential(one as TestEntry, word),
      ),
    ],
  ),
  [
    'a parameter of a list replaced',
    [
      ...taskEntries(),
      harEntry(
        9,
        'GET /documents?folder_id=[REDACTED]',
        recordedAnswer(200, { items: [{ ...document, folder_id: 'a' }] }),
      ),
    ],
  ],
  [
    'starts of answers, and their length beside',
    answered((response) => announced(response, startOf(response))),
  ],
  [
    'starts of answers that say so',
    answered((response) => ({ ...response, content: { text: `${startOf(response).text} …[truncated]` } })),
  ],
  ...[256, 1_024, 3_000].map((length): [string, object[]] => [
    `the first ${length} characters of answers`,
    answered(({ content: { text }, ...response }) => ({
      ...response,
      content: { text: text.replace('Say hello', 'Say hello. '.repeat(300)).slice(0, length) },
    })),
  ]),
  [
    'the start of a body that was sent',
    sentAs(({ postData }) => (postData ? { postData: { ...postData, text: '{"te' }, bodySize: 20 } : {})),
  ],
  ['no headers of requests', sentAs(() => ({ headers: [] }))],
  ['a body that was sent replaced', sentBody('***')],
  ['a body that was sent replaced by JSON', sentBody('"[REDACTED]"')],
  ['no text where a length was told', broken((response) => announced(response, { size: 0 }))],
  ['an empty text where a length was told', broken((response) => announced(response, { size: 0, text: '' }))],
  [
    'an empty text and an unknown length',
    answered((response) => ({ ...response, bodySize: -1, content: { size: 0, text: '' } })),
  ],
  [
    'an answer broken off',
    broken((response) => ({ ...response, _error: 'net::ERR_ABORTED', content: { size: 0 } })),
  ],
  ...[undefined, 0, -1].map((size): [string, object[]] => [
    `starts of bodies and the size ${size}`,
    answered((response) => announced(response, { size, text: response.content.text.slice(0, -9) })),
  ]),
])('a recording with %s accuses nobody', async (_, entries) => {
  const { verdict } = await runJudgeOnRecording(harOfEntries(entries), '--quiet')
  expect(verdict).toContain(nothingBroken)
})

test('a text that is shorter than the service has told counts where it is whole JSON', async () => {
  const { out } = await runJudgeOnRecording(
    harOfEntries(answered((response) => announced(response, { text: '{}' }))),
    '--quiet',
  )
  expect(out).toContain('The service broke')
})

test.each([
  undefined,
  null,
  {},
  { status: null },
  { status: '' },
  { status: -1 },
  { status: 0 },
  { status: 99 },
])('a run with the response %j has no answer, and may have had its effect', async (response) => {
  const [whoami, creation, run, ...later] = taskEntries() as [TestEntry, TestEntry, TestEntry, ...TestEntry[]]
  for (const credits of [0, 1]) {
    const { code, report } = await runJudgeOnRecording(
      harOfEntries([whoami, creation, { ...run, response }, ...taskEntries(credits).slice(3)]),
      '--quiet',
    )
    expect([code, report.service.disturbances.dropped, report.service.requests]).toEqual([0, 1, 6])
  }
  expect(later).toHaveLength(4)
})

test('what a request does is judged also with parameters that nobody knows, and lists with some are counted', async () => {
  const task = { id: 't1', text: 'Say hello', description: null, status: 'pending' }
  const list = [
    harEntry(1, 'POST /tasks?_=1', recordedAnswer(200, { task, credits: 3 }), { text: task.text }),
    harEntry(9, 'GET /tasks?page=2', recordedAnswer(200, { items: [], credits: 3 })),
    harEntry(10, 'GET /tasks/t1?_=3', recordedRefusal(400, 'invalid_request')),
  ]
  const legal = await runJudgeOnRecording(harOfEntries(list), '--side service')
  expect([legal.verdict, legal.out.includes('parameters of unknown effect: 2 requests.')]).toEqual([
    'The service broke nothing that the recording shows.',
    true,
  ])
  const lost = harEntry(11, 'GET /tasks/t1?_=4', recordedRefusal(404, 'not_found'))
  const { out } = await runJudgeOnRecording(harOfEntries([...list, lost]), '--side service')
  expect(out).toContain('failed  MUST TASK-READABLE')
})

test('names of this machine are one service, and others are not', () => {
  const at = (name: string, second: number) => {
    const one = whoamiEntry(second)
    return { ...one, request: { ...one.request, url: `http://${name}:4400/api/cli/whoami` } }
  }
  const entries = [at('localhost', 1), at('127.0.0.1', 2), at('[::1]', 3)]
  expect(readHarExchanges({ log: { entries } })).toHaveLength(3)
  const another = { log: { entries: [...entries, at('other.example', 4)] } }
  expect(() => readHarExchanges(another)).toThrow('it has requests to')
})

test('a lost answer of which nothing was transferred is no answer of a cache', async () => {
  const [whoami, creation, run] = taskEntries() as [TestEntry, TestEntry, TestEntry]
  const lost = { ...run, response: { status: 0, headers: [], content: {}, _transferSize: 0 } }
  const { report } = await runJudgeOnRecording(harOfEntries([whoami, creation, lost]), '--quiet')
  expect(report.service.disturbances.dropped).toBe(1)
})

test('what compares requests without any credential is suspected: they may be of two organizations', async () => {
  const [whoami, creation] = taskEntries() as [TestEntry, TestEntry]
  const unknown = harEntry(9, 'GET /tasks/t1', recordedRefusal(404, 'not_found'))
  const sent = [whoami, creation, unknown]
  expect((await runJudgeOnRecording(harOfEntries(sent), '--quiet')).code).toBe(1)
  const anonymous = sent.map((one) => harEntryWithCredential(one, ''))
  expect((await runJudgeOnRecording(harOfEntries(anonymous), '--quiet')).code).toBe(3)
})

const failure = { status: 0, headers: [], content: {} }

test.each([
  [{ ...failure, _failureText: 'net::ERR_CONNECTION_RESET' }, 1],
  [{ ...failure, _error: 'net::ERR_CONNECTION_REFUSED' }, 0],
  [{ ...failure, _failureText: 'NS_ERROR_CONNECTION_REFUSED' }, 0],
  [{ ...failure, _error: 'getaddrinfo ENOTFOUND staging.example' }, 0],
])('%j is a lost answer, or none: %i', async (response, lost) => {
  const elsewhere = stringify({ ...taskEntries()[2], response }).replace('staging.example', 'other.example')
  const list = [...taskEntries().slice(0, 2), { ...taskEntries()[2], response }, ...taskEntries().slice(2)]
  const { report } = await runJudgeOnRecording(harOfEntries(list), '--quiet')
  expect(report.service.disturbances.dropped).toBe(lost)
  // Nobody was there.
  if (lost === 0)
    expect(await saidOf(harOfEntries([...list, JSON.parse(elsewhere)]))).toEqual([0, nothingBroken])
})
