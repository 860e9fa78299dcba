/** Recordings for tests, and what `judge` says of them. */
import { createTestFolder } from '../../testing/folder.ts'
import { runCliInProcess } from '../../testing/in-process.ts'

/** An answer with a status and JSON, as a HAR has it. */
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
/** A 200 with JSON, as a HAR has it. */
export const recordedSuccess = (json: unknown) => recordedAnswer(200, json)
/** An error answer of the API, as a HAR has it. */
export const recordedRefusal = (status: number, error: string, headers?: Readonly<Record<string, string>>) =>
  recordedAnswer(status, { error, message: 'No.' }, headers)

/** The key with which the requests of test recordings are sent. */
export const testRecordingKey = 'wak_live_of_nobody_else'

/** When recordings begin. */
const beginning = Date.UTC(2026, 2, 1, 12, 0, 0, 250)

/** An entry of a HAR: a call such as `GET /whoami` and its answer; `second`: when it was sent. */
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

/** A request with other headers. */
export const withHeader = (one: ReturnType<typeof harEntry>, name: string, value: string) => ({
  ...one,
  request: { ...one.request, headers: value === '' ? [] : [{ name, value }] },
})
/** A request with another credential; '': none. */
export const withCredential = (one: ReturnType<typeof harEntry>, value: string) =>
  withHeader(one, 'Authorization', value)

/** The answer of whoami to a key of an organization. */
export const orgOf = (id: string, name: string, credits = 3) =>
  recordedSuccess({ org: { id, name }, plan: 'pro', credits })
/** The organization of most test recordings. */
export const org = orgOf('org_1', 'Acme')
/** A request for whoami. */
export const whoami = (second: number, response: object = org) => harEntry(second, 'GET /whoami', response)

/** A list in which one task stands twice, read with a credential. */
export function listWithTaskTwice(second: number, credential: string) {
  const task = { id: 't1', text: 'Say hello', description: null, status: 'new' }
  const items = recordedSuccess({ items: [task, task], credits: 3 })
  return withCredential(harEntry(second, 'GET /tasks', items), credential)
}

/** A key that a test recording creates. */
export const keyCreatedInRecording = 'wak_live_made_in_the_recording'

/** A 401. */
export const unauthorized = recordedRefusal(401, 'unauthorized')

/** An entry of a test recording in short, as `taskEntries` returns it. */
export type TestEntry = ReturnType<typeof harEntry<ReturnType<typeof recordedAnswer>>>

/** Entries for a task that is created, run and polled until it has ended; `spent`: what the run costs, credits. */
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

/** A HAR with the given entries. */
export const harOfEntries = (list: readonly object[]) => JSON.stringify({ log: { entries: list } })

/** Runs `judge` on a recording, with a JSON report and one in another format; the verdict is the first line. */
export async function judgeEntries(content: string | Uint8Array, flags = '', other = 'html') {
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
