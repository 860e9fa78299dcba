/** Recordings for tests, and what `judge` says of them. */
import { createTestFolder } from '../../testing/folder.ts'
import { runCliInProcess } from '../../testing/in-process.ts'

/** The HAR form of an answer with a status and a JSON body. */
export const recordedAnswer = (
  status: number,
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
) => ({
  status,
  headers: Object.entries({ 'Content-Type': 'application/json', ...headers }).map(([name, value]) => ({
    name,
    value,
  })),
  content: { text: JSON.stringify(json) },
})
/** The HAR form of a 200 with a JSON body. */
export const recordedSuccess = (json: unknown) => recordedAnswer(200, json)
/** The HAR form of an error answer of the API. */
export const recordedRefusal = (status: number, error: string, headers?: Readonly<Record<string, string>>) =>
  recordedAnswer(status, { error, message: 'No.' }, headers)

/** The key with which the requests of test recordings are sent. */
export const testRecordingKey = 'wak_live_of_nobody_else'

/** When recordings begin. */
const beginning = Date.UTC(2026, 2, 1, 12, 0, 0, 250)

/**
 * Creates an entry of a HAR: a request such as `GET /whoami` and its answer. `second`: when it was sent, seconds after
 * the start of the recording.
 */
export const harEntry = <R extends object>(second: number, call: string, response: R, body?: object) => ({
  startedDateTime: new Date(beginning + second * 1_000).toISOString(),
  time: 20,
  request: {
    method: call.split(' ')[0],
    url: `https://staging.example/api/cli${call.split(' ')[1]}`,
    headers: [{ name: 'Authorization', value: `Bearer ${testRecordingKey}` }],
    ...(body && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
  },
  response,
})

/** Copies a HAR entry, with this header as the only one of its request; an empty value: no header. */
export const harEntryWithHeader = (one: ReturnType<typeof harEntry>, name: string, value: string) => ({
  ...one,
  request: { ...one.request, headers: value === '' ? [] : [{ name, value }] },
})
/** Copies a HAR entry, with another credential in its request; an empty value: none. */
export const harEntryWithCredential = (one: ReturnType<typeof harEntry>, value: string) =>
  harEntryWithHeader(one, 'Authorization', value)

/** The HAR form of the `whoami` answer for an organization. */
export const whoamiAnswerOf = (id: string, name: string, credits = 3) =>
  recordedSuccess({ org: { id, name }, plan: 'pro', credits })
/** The HAR form of the `whoami` answer for Acme, the organization of most test recordings. */
export const acmeWhoamiAnswer = whoamiAnswerOf('org_1', 'Acme')
/** A HAR entry with a `whoami` request and its answer. */
export const whoamiEntry = (second: number, response: object = acmeWhoamiAnswer) =>
  harEntry(second, 'GET /whoami', response)

/** A HAR entry in which a list shows one task twice; `credential`: that of the request. */
export function entryListingTaskTwice(second: number, credential: string) {
  const task = { id: 't1', text: 'Say hello', description: null, status: 'new' }
  const items = recordedSuccess({ items: [task, task], credits: 3 })
  return harEntryWithCredential(harEntry(second, 'GET /tasks', items), credential)
}

/** A key that a test recording creates. */
export const keyCreatedInRecording = 'wak_live_made_in_the_recording'

/** The HAR form of a 401 answer. */
export const unauthorizedAnswer = recordedRefusal(401, 'unauthorized')

/** The type of a HAR entry of a test recording, as `taskEntries` returns them. */
export type TestEntry = ReturnType<typeof harEntry<ReturnType<typeof recordedAnswer>>>

/**
 * Creates HAR entries in which a task is created, run and polled until it has ended; `spent`: what the run costs,
 * credits.
 */
export function taskEntries(spent = 1): TestEntry[] {
  const task = (status: string) => ({ id: 't1', text: 'Say hello', description: null, status })
  const balance = (credits: number) =>
    recordedSuccess({ org: { id: 'org_1', name: 'Acme' }, plan: 'pro', credits })
  const look = (status: string, finished: boolean) => recordedSuccess({ task: task(status), finished })
  return [
    harEntry(0, 'GET /whoami', balance(25)),
    harEntry(1, 'POST /tasks', recordedSuccess({ task: task('pending'), credits: 25 }), {
      text: 'Say hello',
    }),
    harEntry(
      2,
      'POST /tasks/t1/run',
      recordedSuccess({ taskId: 't1', status: 'in_progress', finished: false }),
    ),
    harEntry(3, 'GET /whoami', balance(25 - spent)),
    harEntry(4, 'GET /tasks/t1', look('in_progress', false)),
    harEntry(7, 'GET /tasks/t1', look('completed', true)),
    harEntry(8, 'GET /whoami', balance(25 - spent)),
  ]
}

/** The task of most test recordings. */
export const sampleTask = { id: 't1', text: 'Say hello', description: null, status: 'new' }
/** A HAR entry in which a client creates a task. */
export const taskCreationEntry = harEntry(
  1,
  'POST /tasks',
  recordedSuccess({ task: sampleTask, credits: 3 }),
  {
    text: sampleTask.text,
  },
)
/**
 * HAR entries in which both sides are wrong: the client repeats at once after a 429, and the service sends `finished`
 * as a text.
 */
export const entriesOfBothAtFault = [
  taskCreationEntry,
  harEntry(2, 'GET /tasks/t1', recordedSuccess({ task: sampleTask, finished: 'no' })),
  harEntry(3, 'GET /tasks/t1', recordedRefusal(429, 'rate_limited', { 'Retry-After': '9' })),
  harEntry(4, 'GET /tasks/t1', recordedSuccess({ task: sampleTask, finished: false })),
]
/** The verdict that `judge` prints on `entriesOfBothAtFault`. */
export const verdictOnBothAtFault = 'The service broke 1 requirement; the client broke 1 rule.'

/** The JSON text of a HAR with the given entries. */
export const harOfEntries = (list: readonly object[]) => JSON.stringify({ log: { entries: list } })

/**
 * Runs `judge` on a recording with this content, and has it write a JSON report and one in the format `other`. Returns
 * what came of it; `verdict` is the first line that it prints.
 */
export async function runJudgeOnRecording(content: string | Uint8Array, flags = '', other = 'html') {
  const { file, read, json, write } = createTestFolder()
  const reports = `json=${file('verdict.json')},${other}=${file(other)}`
  const ended = await runCliInProcess(`judge ${write('staging.har', content)} --report ${reports} ${flags}`)
  const [verdict] = ended.out.split('\n')
  return {
    ...ended,
    verdict,
    report: json('verdict.json'),
    texts: [ended.out, read('verdict.json'), read(other)],
  }
}
