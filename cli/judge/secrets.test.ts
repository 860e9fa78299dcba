/** No report on a recording shows a secret that was sent in it, in whatever header. */
import { expect, test } from 'vitest'
import {
  harEntry,
  harOfEntries,
  recordedRefusal,
  recordedSuccess,
  runJudgeOnRecording,
} from './testing/entries.ts'

const secret = 'Tr4ub4dor-and-3'
const task = { id: 't1', text: 'Say hello', description: null, status: 'new' }

/** A task that is lost after its creation, by requests with some more headers; an error repeats a text. */
const lostTask = (headers: Readonly<Record<string, string>>, repeated = secret) =>
  [
    harEntry(1, 'POST /tasks', recordedSuccess({ task, credits: 3 }), { text: task.text }),
    harEntry(2, 'GET /tasks/t1', { ...recordedRefusal(404, `not_found ${repeated}`) }),
  ].map((one) => ({ ...one, request: { ...one.request, headers: headersOf(one.request, headers) } }))

const headersOf = (
  { headers }: ReturnType<typeof harEntry>['request'],
  more: Readonly<Record<string, string>>,
) => [
  ...headers.filter(() => !('Authorization' in more)),
  ...Object.entries(more).map(([name, value]) => ({ name, value })),
]

const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['Authorization', secret],
  ['Authorization', `Basic ${base64(`bob:${secret}`)}`],
  ['Authorization', `Token ${secret}`],
  ['Proxy-Authorization', `Basic ${base64(`bob:${secret}`)}`],
  ['X-Api-Key', secret],
  ['X-Auth-Token', secret],
  ['X-CSRF-Token', secret],
  ['X-Session', secret],
  ['X-Amz-Security-Token', secret],
  ['CF-Access-Client-Secret', secret],
  ['Cookie', `theme=dark; session=${secret}`],
])('%s: %s is in no report', async (name, value) => {
  for (const format of ['html', 'md', 'junit', 'text']) {
    const { out, texts } = await runJudgeOnRecording(harOfEntries(lostTask({ [name]: value })), '', format)
    expect(out).toContain('curl -i')
    for (const text of texts)
      expect([text.includes(secret), text.includes(base64(`bob:${secret}`))]).toEqual([false, false])
  }
})

test.each([
  ['Cookie', 'lang=task; consent=true; theme=readable', 'failed'],
  ['Authorization', 'Bearer [task redacted]', 'suspected'],
])('a word in %s: %s is no secret', async (name, value, outcome) => {
  const { out } = await runJudgeOnRecording(harOfEntries(lostTask({ [name]: value }, '[task redacted]')))
  expect(out).toContain('ERROR-CODE-404, expected error: not_found, got 404 not_found [task redacted]')
  expect(out).toMatch(new RegExp(`^${outcome} +MUST TASK-READABLE`, 'm'))
})
