/** `judge`: recordings from files, and what is wrong with them in one line. */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import { createRecordingJudge } from '#mocks/edges/recording/judgement.ts'
import { readHarExchanges } from '#traffic/recording.ts'
import { createTestFolder } from '../testing/folder.ts'
import { runCliInProcess } from '../testing/in-process.ts'
import {
  acmeWhoamiAnswer,
  taskCreationEntry as creation,
  entriesOfBothAtFault as entries,
  entryListingTaskTwice,
  harEntry,
  harEntryWithCredential,
  harEntryWithHeader,
  harOfEntries,
  keyCreatedInRecording,
  recordedAnswer,
  recordedRefusal,
  recordedSuccess,
  runJudgeOnRecording,
  sampleTask as task,
  testRecordingKey,
  unauthorizedAnswer,
  verdictOnBothAtFault as verdict,
  whoamiAnswerOf,
  whoamiEntry,
} from './testing/entries.ts'

/** A key that is created, whose secret an error repeats. */
const leaking = [
  harEntry(1, 'POST /keys', recordedSuccess({ key: { id: 'k1' }, secret: keyCreatedInRecording }), {
    name: 'Laptop',
  }),
  whoamiEntry(2, {
    ...recordedAnswer(418, { error: 'teapot', message: `${keyCreatedInRecording} ${testRecordingKey}` }),
    headers: [],
  }),
]

const sights = [
  'the service, first at entry 2: SHAPE-getTask, expected every field with the documented type, got finished is a string, not a boolean',
  'the client: waits-retry-after, it repeated the request after 1 s instead of 9 s',
]

test('the first line says who, and what was seen stands behind it', async () => {
  const { out, texts } = await runJudgeOnRecording(harOfEntries(entries), '--quiet', 'md')
  expect(out.split('\n').slice(0, 3)).toEqual([verdict, ...sights])
  for (const sight of sights) expect(texts[2]).toContain(sight)
})

test('both sides are judged, in a sentence and in every report, without secrets', async () => {
  const { code, out, verdict: said, report, texts } = await runJudgeOnRecording(harOfEntries(entries))
  expect([code, said]).toEqual([1, verdict])
  expect(out).toContain('failed  MUST SHAPE-getTask')
  expect(out).toContain('failed  MUST waits-retry-after')
  expect(out.split(verdict)).toHaveLength(2)
  const brokenOf = (results: readonly { id: string; outcome: string }[]) =>
    results.flatMap(({ id, outcome }) => (outcome === 'failed' ? id : []))
  expect(brokenOf(report.service.requirements)).toEqual(['SHAPE-getTask'])
  expect(brokenOf(report.client.rules)).toEqual(['waits-retry-after'])
  for (const text of texts) expect(text).not.toContain(testRecordingKey)
})

test('the title of an HTML report names who failed, and a call without a recording says what it takes', async () => {
  const { file, read, write } = createTestFolder()
  const recording = write('a.har', harOfEntries(entries))
  await runCliInProcess(`judge ${recording} --report html=${file('a.html')}`)
  expect(read('a.html')).toContain('<title>Recorded traffic: the service and the client failed')
  const { code, err } = await runCliInProcess('judge')
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^judge: needs one recording: a HAR, .*standard input/),
  ])
})

test('no secret of the recording is in a verdict or a report', async () => {
  const { code, out, texts } = await runJudgeOnRecording(harOfEntries(leaking), '--verbose')
  expect([code, out.includes('teapot')]).toEqual([1, true])
  for (const text of texts)
    expect([text.includes(testRecordingKey), text.includes(keyCreatedInRecording)]).toEqual([false, false])
})

test.each([
  ['service', 'The service broke 1 requirement.\n'],
  ['client', 'The client broke 1 rule.\n'],
])('--side %s judges that side alone', async (side, beginning) => {
  const { out } = await runJudgeOnRecording(gzipSync(harOfEntries(entries)), `--side ${side} --quiet`)
  expect(out.startsWith(beginning)).toBe(true)
  expect(out.includes('; the client')).toBe(false)
})

test('clients with credentials of their own are judged apart', async () => {
  const others = harOfEntries(entries.map((one, i) => harEntryWithCredential(one, `Bearer wak_of_${i}`)))
  const { out } = await runJudgeOnRecording(others, '--side client')
  expect(out).toContain('The client broke no duty')
  expect(out).toContain('client 4: 1 request')
})

test.each([
  [testRecordingKey, ['key-in-header']],
  // As the proxy writes it.
  ['[redacted-1]', ['key-in-header']],
  // As the mock writes it.
  ['[redacted]', ['key-in-header']],
])('of a client that sends the key %s in the URL as well, it is said where it can be told', async (key, warned) => {
  const sent = harEntryWithCredential(
    harEntry(1, `GET /whoami?api_key=${key}`, acmeWhoamiAnswer),
    `Bearer ${key}`,
  )
  const { report, texts } = await runJudgeOnRecording(harOfEntries([sent]), '--side client')
  const rules: readonly { id: string; outcome: string }[] = report.client.rules
  expect(rules.flatMap(({ id, outcome }) => (outcome === 'warned' ? id : []))).toEqual(warned)
  for (const text of texts) expect(text).not.toContain(testRecordingKey)
})

test('a recording of a browser, without credentials, is judged as one organization', async () => {
  const bare = harOfEntries(entries.map((one) => harEntryWithCredential(one, '')))
  expect((await runJudgeOnRecording(bare, '--quiet')).verdict).toBe(verdict)
})

test.each([
  ['chromium.har', 9],
  ['mitmproxy.har', 10],
])('a recording by others is read as it is: %s', async (name, requests) => {
  const { file, json } = createTestFolder()
  const recording = join(import.meta.dirname, 'testing', name)
  const { code, out } = await runCliInProcess(
    `judge ${recording} --quiet --report json=${file('verdict.json')}`,
  )
  expect([code, out.split('\n')[0]]).toEqual([
    0,
    'The service broke nothing that the recording shows; the client broke no duty.',
  ])
  const { service } = json('verdict.json')
  expect([service.requests, service.target.base_url]).toEqual([requests, 'http://staging.example'])
})

const cutTo = (text: string, size: number, more = {}) => [
  harEntry(1, 'GET /tasks', { ...recordedSuccess({}), content: { text, size, ...more } }),
  whoamiEntry(2),
]
const run = (second: number, response: object) => harEntry(second, 'POST /tasks/t1/run', response)
const look = (second: number, finished: boolean) =>
  harEntry(second, 'GET /tasks/t1', recordedSuccess({ task: { ...task, status: 'ended' }, finished }))
const running = recordedSuccess({ taskId: 't1', status: 'in_progress', finished: false })
/** A refusal between two answers. */
const refusedOnce = (credential: string) =>
  [1, 2, 3].map((second) =>
    harEntryWithCredential(
      whoamiEntry(second, second === 2 ? unauthorizedAnswer : acmeWhoamiAnswer),
      credential,
    ),
  )

test.each<[string, readonly object[]]>([
  ['a refusal between two answers, where no credential is recorded', refusedOnce('')],
  ['the same where one word stands for each', refusedOnce('Bearer [REDACTED]')],
  ['an answer that is cut', cutTo('{"items":[{"id":"t', 1_500)],
  ['an answer without its text', cutTo('', 1_500)],
  ['a text that is no base64', cutTo('%%', 10, { encoding: 'base64' })],
  ['a run within the second of the creation', [creation, run(1, running), look(5, true)]],
  [
    'a balance that rises after a 402, and a run that is accepted then',
    [
      ...[whoamiEntry(1, whoamiAnswerOf('org_1', 'Acme', 0)), run(2, recordedRefusal(402, 'no_credits'))],
      ...[whoamiEntry(8, whoamiAnswerOf('org_1', 'Acme', 0)), whoamiEntry(20), run(30, running)],
    ],
  ],
  [
    'a run after a 402 that is accepted without a look at the balance between',
    [
      ...[whoamiEntry(1, whoamiAnswerOf('org_1', 'Acme', 0)), run(2, recordedRefusal(402, 'no_credits'))],
      run(30, running),
    ],
  ],
  ['another run after a 402 that is accepted', [run(1, recordedRefusal(402, 'no_credits')), run(9, running)]],
  [
    'a wait to a date by the clock of the service',
    [
      whoamiEntry(
        1,
        recordedRefusal(429, 'rate_limited', {
          Date: 'Sun, 01 Mar 2026 13:00:00 GMT',
          'Retry-After': 'Sun, 01 Mar 2026 13:00:03 GMT',
        }),
      ),
      whoamiEntry(5),
    ],
  ],
  [
    'polls of a run beside which a task was read',
    [run(1, running), look(1, true), ...[2, 4, 6, 8].map((second) => look(second, second === 8))],
  ],
  [
    'polls that stand in the order of their answers',
    [look(9, true), run(1, running), ...[8, 6, 4, 2].map((second) => look(second, false))],
  ],
  [
    'looks at a task that has ended, once its run was refused',
    [
      ...[
        run(1, recordedRefusal(409, 'busy')),
        look(2, true),
        run(3, recordedRefusal(409, 'invalid_request')),
      ],
      ...[40, 42, 44].map((second) => look(second, true)),
    ],
  ],
])('%s is held against nobody', async (_, given) => {
  const { code, verdict: said } = await runJudgeOnRecording(harOfEntries(given), '--quiet')
  const parts = said?.split('; ') ?? []
  expect([code, parts[0], parts[1]?.startsWith('the client broke no duty')]).toEqual([
    0,
    'The service broke nothing that the recording shows',
    true,
  ])
})

const beside = (other: object) => [other, entryListingTaskTwice(3, 'Bearer wak_live_unknown')]
const unknown = 'a credential whose organization nobody knows is judged beside'
const soon = recordedRefusal(429, 'rate_limited', { 'Retry-After': 'soon' })

test.each<[string, readonly object[], string]>([
  [
    `${unknown} a request without one`,
    beside(harEntryWithCredential(harEntry(1, 'GET /tasks', unauthorizedAnswer), '')),
    'LIST-IDS-UNIQUE',
  ],
  [
    `${unknown} a wrong one`,
    beside(harEntryWithCredential(harEntry(1, 'GET /tasks', unauthorizedAnswer), 'Bearer wrong')),
    'LIST-IDS-UNIQUE',
  ],
  [`${unknown} one of an organization that is known`, beside(whoamiEntry(1)), 'LIST-IDS-UNIQUE'],
  [
    'a limit that does not say when to try again is told',
    [harEntry(1, 'GET /tasks', soon)],
    'LIMIT-RETRY-AFTER',
  ],
])('%s', async (_, given, id) => {
  const { code, out } = await runJudgeOnRecording(harOfEntries(given), '--side service')
  expect([code, out.includes(`failed  MUST ${id}`)]).toEqual([1, true])
})

test('two credentials that may be of one organization are not taken for two', async () => {
  const reads = [
    creation,
    harEntryWithCredential(run(2, running), 'Bearer wak_live_unknown'),
    look(4, true),
    harEntryWithCredential(look(5, true), 'Bearer wak_live_unknown'),
  ]
  const { verdict: said } = await runJudgeOnRecording(harOfEntries(reads), '--side service --quiet')
  expect(said).toBe('The service broke nothing that the recording shows.')
})

test('answers without bodies are no green verdict', async () => {
  const bare = entries.map((one) => ({ ...one, response: { ...one.response, content: { size: 300 } } }))
  const { code, out, err } = await runJudgeOnRecording(harOfEntries(bare), '--side service')
  expect([code, err]).toEqual([3, expect.stringMatching(/^judge: no answer in .* has a body, /)])
  expect(out).toContain('Not judged, since the recording does not have their whole bodies: 4 answers.')
})

test('what may come from another client is exit 3, unless something else is certain', async () => {
  const unlisted = [creation, harEntry(9, 'GET /tasks', recordedSuccess({ items: [], credits: 3 }))]
  const open = await runJudgeOnRecording(harOfEntries(unlisted), '--quiet')
  expect([open.code, open.report.outcome]).toEqual([3, 'inconclusive'])
  const both = await runJudgeOnRecording(harOfEntries([...unlisted, ...entries.slice(1)]), '--quiet')
  expect([both.code, both.report.outcome]).toEqual([1, 'failed'])
})

const anonymous = harEntryWithCredential(whoamiEntry(2), '')

test.each<[string, readonly object[], number]>([
  ['between requests with one', [whoamiEntry(1), anonymous, whoamiEntry(3)], 1],
  ['behind all that have one, as in a second recording', [whoamiEntry(1), whoamiEntry(1.5), anonymous], 3],
  [
    'of another program than those that have one',
    [whoamiEntry(1), harEntryWithHeader(anonymous, 'User-Agent', 'Browser/1'), whoamiEntry(3)],
    3,
  ],
])('a request without a credential %s', async (_, given, expected) => {
  const { code, out } = await runJudgeOnRecording(harOfEntries(given), '--side service')
  expect([code, out.includes('AUTH-MISSING-whoami')]).toEqual([expected, true])
})

test('--strength says what a green verdict on the service would have noticed, in every report', async () => {
  const given = harOfEntries([creation, ...entries.slice(3)])
  const { code, out, report, texts } = await runJudgeOnRecording(given, '--strength', 'junit')
  expect(code).toBe(0)
  expect(out).toMatch(/would have noticed \d+ of \d+ violations in what it saw/)
  const { strength } = report.service
  expect(strength.noticed).toBeGreaterThan(10)
  expect(texts.at(-1)).toContain(`"${strength.noticed} of ${strength.of}"`)
})

test('what came out in between changes nothing of what comes out in the end', () => {
  const limited = recordedRefusal(429, 'rate_limited', { 'Retry-After': '2' })
  // The last two may have been sent at once, so that nothing is certain.
  const requests = [
    whoamiEntry(1, limited),
    whoamiEntry(4),
    whoamiEntry(10, limited),
    { ...whoamiEntry(10, limited), time: 21 },
  ]
  const settings = settingsWithDefaults({ apiKey: '' })
  const outcomes = (...parts: readonly (typeof requests)[]) => {
    const judgement = createRecordingJudge({ source: 'staging', settings, strict: false, side: 'client' })
    for (const one of parts) {
      judgement.take(readHarExchanges({ log: { entries: one } }))
      judgement.judge()
      judgement.sides()
    }
    return judgement.sides().client?.rules.map(({ id, outcome }) => [id, outcome])
  }
  const whole = outcomes(requests)
  expect(whole).toContainEqual(['waits-retry-after', 'not_exercised'])
  expect(outcomes(requests.slice(0, 2), requests.slice(2))).toEqual(whole)
})

test('a client among many others is judged by requests that lie thousands of others apart', () => {
  const ofOther = (i: number) =>
    harEntryWithCredential(whoamiEntry(1 + i / 1_000, whoamiAnswerOf(`org_${i}`, 'Other')), `Bearer ${i}`)
  const limited = whoamiEntry(0, recordedRefusal(429, 'rate_limited', { 'Retry-After': '9' }))
  const requests = [limited, ...Array.from({ length: 3_000 }, (_, i) => ofOther(i % 1_500)), whoamiEntry(6)]
  const settings = settingsWithDefaults({ apiKey: '' })
  const judgement = createRecordingJudge({ source: 'staging', settings, strict: false, side: 'client' })
  for (const one of readHarExchanges({ log: { entries: requests } })) {
    judgement.take([one])
    judgement.relieve()
  }
  judgement.judge()
  const { rules = [] } = judgement.sides().client ?? {}
  expect(rules.find(({ id }) => id === 'waits-retry-after')?.outcome).toBe('failed')
})
