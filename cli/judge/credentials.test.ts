/** `judge`: the keys and sessions of a recording, where they work and where they must not. */
import { expect, test } from 'vitest'
import {
  keyCreatedInRecording as created,
  entryListingTaskTwice,
  harEntry,
  harEntryWithCredential,
  harEntryWithHeader,
  harOfEntries,
  recordedSuccess,
  runJudgeOnRecording,
  taskEntries,
  testRecordingKey,
  unauthorizedAnswer,
  whoamiAnswerOf,
  whoamiEntry,
} from './testing/entries.ts'

const bySession = (second: number, call: string, json: object, body?: object) =>
  harEntryWithHeader(harEntry(second, call, recordedSuccess(json), body), 'Cookie', 'session=s1')
const makesKey = (second: number, key: string) =>
  bySession(
    second,
    'POST /keys',
    { key: { id: `k${second}`, name: 'Laptop' }, secret: key },
    { name: 'Laptop' },
  )

/** A key that a session creates, uses, lists with its secret and deletes, and that works six seconds later. */
const keys = [
  makesKey(1, created),
  harEntryWithCredential(whoamiEntry(2), `Bearer ${created}`),
  bySession(3, 'GET /keys', { keys: [{ id: 'k1', name: 'Laptop', last_used_at: null, secret: created }] }),
  bySession(4, 'DELETE /keys/k1', { ok: true }),
  harEntryWithCredential(whoamiEntry(10), `Bearer ${created}`),
]

test('what a session does with keys is judged: a secret that is listed, and a deleted key that works', async () => {
  const { out, texts } = await runJudgeOnRecording(harOfEntries(keys), '--side service')
  expect(out).toContain('failed  MUST KEY-SECRET-ONCE')
  expect(out).toContain('failed  MUST KEY-DELETED-DEAD')
  for (const text of texts) expect(text).not.toContain(created)
})

test('secrets that a recorder has replaced by one word are not taken for those of one key', async () => {
  const word = '[redacted]'
  const recorded = [
    makesKey(1, word),
    makesKey(2, word),
    harEntryWithCredential(whoamiEntry(3), `Bearer ${word}`),
  ]
  const { code, out } = await runJudgeOnRecording(harOfEntries(recorded), '--side service')
  expect(out).not.toContain('KEY-UNIQUE')
  expect(code).toBe(0)
})

test('a key that was created in the recording is held to one organization', async () => {
  const bearer = `Bearer ${created}`
  const moved = [
    makesKey(1, created),
    harEntryWithCredential(whoamiEntry(2), bearer),
    harEntryWithCredential(whoamiEntry(5, whoamiAnswerOf('org_2', 'Bolt')), bearer),
  ]
  const { code, out } = await runJudgeOnRecording(harOfEntries(moved), '--side service')
  expect([code, out]).toEqual([1, expect.stringContaining('failed  MUST AUTH-STABLE-ORGANIZATION')])
})

const byCreated = (second: number, response?: object) =>
  harEntryWithCredential(whoamiEntry(second, response), `Bearer ${created}`)

test.each<[string, readonly object[], boolean]>([
  ['works no more', [makesKey(1, created), byCreated(2), byCreated(5, unauthorizedAnswer)], true],
  [
    'never works',
    [makesKey(1, created), byCreated(2, unauthorizedAnswer), byCreated(5, unauthorizedAnswer)],
    true,
  ],
  ['is refused once', [makesKey(1, created), byCreated(2, unauthorizedAnswer)], false],
  [
    'is refused once it may be deleted',
    [
      makesKey(1, created),
      byCreated(2),
      bySession(3, 'DELETE /keys/k1', { ok: true }),
      byCreated(5, unauthorizedAnswer),
    ],
    false,
  ],
  [
    'is refused before it is created',
    [byCreated(1, unauthorizedAnswer), makesKey(2, created), byCreated(3)],
    false,
  ],
])('a key that %s is held against the service only as far as somebody else may have deleted it', async (_, given, isHeld) => {
  const { code, out } = await runJudgeOnRecording(harOfEntries(given), '--side service')
  expect([code, out.includes('KEY-WORKS')]).toEqual(isHeld ? [3, true] : [0, false])
})

const cookie = (one: ReturnType<typeof harEntry>, value: string) => harEntryWithHeader(one, 'Cookie', value)
const noKeys = recordedSuccess({ keys: [] })
const listsKeys = (second: number, session = 'session=s1') =>
  cookie(harEntry(second, 'GET /keys', noKeys), session)

test.each<[string, readonly object[], number, string?]>([
  [
    'a session opens a route that takes a key',
    [whoamiEntry(0), listsKeys(1), cookie(whoamiEntry(2), 'session=s1'), whoamiEntry(3)],
    ...([1, 'AUTH-SESSION-whoami'] as const),
  ],
  [
    'a session opens one in a recording that may have left out the key',
    [whoamiEntry(0), listsKeys(1), cookie(whoamiEntry(2), 'session=s1')],
    ...([3, 'AUTH-SESSION-whoami'] as const),
  ],
  [
    'a session opens one in front of which something may add a key',
    [listsKeys(1), cookie(whoamiEntry(2), 'session=s1')],
    0,
  ],
  [
    'a session is refused by one',
    [whoamiEntry(0), listsKeys(1), cookie(whoamiEntry(2, unauthorizedAnswer), 'session=s1'), whoamiEntry(3)],
    0,
  ],
  [
    'a key opens a route that takes a session',
    [listsKeys(0), whoamiEntry(1), harEntry(2, 'GET /keys', noKeys), listsKeys(3)],
    ...([1, 'AUTH-KEY-listKeys'] as const),
  ],
  [
    'a key opens one where no session is recorded',
    [whoamiEntry(1), harEntry(2, 'GET /keys', noKeys), whoamiEntry(3)],
    0,
  ],
  [
    'a page keeps a key beside its session',
    [whoamiEntry(1), listsKeys(2, `key=${testRecordingKey}; session=s1`)],
    0,
  ],
  [
    'a key is a session as well, or one text stands for both',
    [whoamiEntry(1), listsKeys(2, `session=${testRecordingKey}`)],
    ...([3, 'AUTH-AS-KEY'] as const),
  ],
  [
    'a key opens a route under another scheme',
    [whoamiEntry(1), harEntryWithCredential(whoamiEntry(2), `Token ${testRecordingKey}`)],
    ...([1, 'AUTH-SCHEME'] as const),
  ],
  [
    'a request without a key has a percent sign that encodes nothing',
    [
      whoamiEntry(1),
      harEntryWithHeader(whoamiEntry(2, unauthorizedAnswer), 'X-Note', '100% sure'),
      whoamiEntry(3),
    ],
    0,
  ],
  [
    'a key opens a route in another header',
    [whoamiEntry(1), harEntryWithHeader(whoamiEntry(2), 'X-API-Key', testRecordingKey), whoamiEntry(3)],
    ...([1, 'AUTH-HEADER'] as const),
  ],
])('%s', async (_, given, expected, id) => {
  const { code, out } = await runJudgeOnRecording(harOfEntries(given), '--side service')
  expect([code, id === undefined || out.includes(`MUST ${id}`)]).toEqual([expected, true])
})

test('a finding names the entries, and whose credentials repeat them', async () => {
  const bolt = 'Bearer wak_live_of_bolt'
  const given = harOfEntries([
    whoamiEntry(1),
    harEntryWithCredential(whoamiEntry(2, whoamiAnswerOf('org_2', 'Bolt')), bolt),
    entryListingTaskTwice(3, bolt),
  ])
  const { out, report } = await runJudgeOnRecording(given, '--side service')
  expect(out).toContain('  Entry 3      GET https://staging.example/api/cli/tasks -> 200')
  expect(out).toContain('Bearer $WORK_AGENT_OTHER_API_KEY')
  expect(out.match(/^In a curl line, .*$/gm)).toEqual([
    'In a curl line, $WORK_AGENT_OTHER_API_KEY stands for the credential of that request, which is of another organization than the first one seen ($WORK_AGENT_API_KEY): set it yourself.',
  ])
  const broken = report.service.requirements.find(({ id }: { id: string }) => id === 'LIST-IDS-UNIQUE')
  expect(broken.evidence.map(({ number }: { number: number }) => number)).toEqual([3])
})

test.each([
  '',
  'Bearer [redacted]',
])('clients of several organizations whose keys are "%s" are not judged as one', async (credential) => {
  const lists = [1, 2, 3].flatMap((second) => [
    whoamiEntry(second * 10, whoamiAnswerOf(`org_${second}`, 'Other')),
    harEntry(second * 10 + 1, 'GET /tasks', recordedSuccess({ items: [], credits: 3 })),
  ])
  const recorded = [...taskEntries().slice(0, 3), ...lists].map((one) =>
    harEntryWithCredential(one, credential),
  )
  const { code, out } = await runJudgeOnRecording(harOfEntries(recorded), '--side client')
  expect([code, out.includes('polls-task-by-id')]).toEqual([0, false])
  expect(out).toContain('Nothing was judged of the client.')
  expect(out).toContain('show several organizations and the recording has no keys: 9 requests.')
})
