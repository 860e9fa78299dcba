/** Recordings for tests, and what `judge` says of them. */
import { testFolder } from '../../testing/folder.ts'
import { runInProcess } from '../../testing/in-process.ts'

/** An answer. */
export const reply = (status: number, json: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers: Object.entries({ 'Content-Type': 'application/json', ...headers }).map(([name, value]) => ({
    name,
    value,
  })),
  content: { text: JSON.stringify(json) },
})
/** A success. */
export const answer = (json: unknown) => reply(200, json)
/** A refusal. */
export const refusal = (status: number, error: string, headers?: Readonly<Record<string, string>>) =>
  reply(status, { error, message: 'No.' }, headers)

/** The key that entries are sent with. */
export const secret = 'wak_live_of_nobody_else'

/** When recordings begin. */
const beginning = Date.UTC(2026, 2, 1, 12, 0, 0, 250)

/** One entry; `second`: when it was sent. */
export const entry = <R extends object>(second: number, call: string, response: R, body?: object) => ({
  startedDateTime: new Date(beginning + second * 1_000).toISOString(),
  time: 20,
  request: {
    method: call.split(' ')[0],
    url: `https://staging.example/api/cli${call.split(' ')[1]}`,
    headers: [{ name: 'Authorization', value: `Bearer ${secret}` }],
    ...(body && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
  },
  response,
})

/** An entry of a recording, in short, as `story` takes it. */
export type Entry = ReturnType<typeof entry<ReturnType<typeof reply>>>

/** A task that is created, run and read until it has ended; `spent`: what the run costs. */
export function taskStory(spent = 1): Entry[] {
  const task = (status: string) => ({ id: 't1', text: 'Say hello', description: null, status })
  const balance = (credits: number) => answer({ org: { id: 'org_1', name: 'Acme' }, plan: 'pro', credits })
  const look = (status: string, finished: boolean) => answer({ task: task(status), finished })
  return [
    entry(0, 'GET /whoami', balance(25)),
    entry(1, 'POST /tasks', answer({ task: task('pending'), credits: 25 }), { text: 'Say hello' }),
    entry(2, 'POST /tasks/t1/run', answer({ taskId: 't1', status: 'in_progress', finished: false })),
    entry(3, 'GET /whoami', balance(25 - spent)),
    entry(4, 'GET /tasks/t1', look('in_progress', false)),
    entry(7, 'GET /tasks/t1', look('completed', true)),
    entry(8, 'GET /whoami', balance(25 - spent)),
  ]
}

/** A HAR with these entries. */
export const harOfEntries = (list: readonly object[]) => JSON.stringify({ log: { entries: list } })

/** Judges a recording, with a report in a format beside the JSON; the verdict is the first line. */
export async function judge(content: string | Uint8Array, flags = '', other = 'html') {
  const { file, read, json, write } = testFolder()
  const reports = `json=${file('verdict.json')},${other}=${file(other)}`
  const ended = await runInProcess(`judge ${write('staging.har', content)} --report ${reports} ${flags}`)
  const [verdict] = ended.out.split('\n')
  return {
    ...ended,
    verdict,
    report: json('verdict.json'),
    texts: [ended.out, read('verdict.json'), read(other)],
  }
}
