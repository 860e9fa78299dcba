/** Copies of a request that restore the state before it get the same answer from an empty mock. */
import { execFile } from 'node:child_process'
import { stripTypeScriptTypes } from 'node:module'
import { promisify } from 'node:util'
import type { Entry } from 'har-format'
import { expect, test } from 'vitest'
import type { Har } from '#traffic/har.ts'
import { createMock } from '../../index.ts'
import type { MockOptions } from '../../scenarios/index.ts'
import { checkedClientOf } from '../../testing/client.ts'
import { createControlClient } from '../../testing/control.ts'
import { listenUntilTestEnd } from '../../testing/listening.ts'

interface Situation {
  readonly options?: MockOptions
  /** Makes requests, of which the last one is copied. */
  readonly lived: (client: ReturnType<typeof checkedClientOf>) => Promise<unknown>
  readonly answers: readonly [status: number, error: string | null]
}

/** history.test restores every other kind of state: a copy needs only bring one along. */
const situations: Readonly<Record<string, Situation>> = {
  'a task with odd characters that was run': {
    lived: async ({ call, newTask }) => {
      const id = await newTask(`it's \`\${1}\` "\\" \u2028`)
      await call('runTask', { id })
      await call('getTask', { id })
    },
    answers: [200, null],
  },
  'the second of three faults': {
    options: { fault: 'listTasks=503;times=2;after=1' },
    lived: async ({ call }) => {
      for (let n = 0; n < 3; n++) await call('listTasks')
    },
    answers: [503, 'unavailable'],
  },
  'an answer that was lost': {
    options: { fault: 'runTask=lost reset' },
    lived: async ({ call, newTask }) => call('runTask', { id: await newTask() }),
    answers: [0, null],
  },
  'a document that is gone': {
    lived: ({ call }) => call('getDocument', { id: 'gone' }),
    answers: [404, 'not_found'],
  },
}

const shell = promisify(execFile)

const statusesIn = (printed: string) =>
  [...printed.matchAll(/^HTTP\/1.1 (\d+)/gm)].map(([, status]) => Number(status))

test.each(Object.entries(situations))('%s', async (_, { options, lived, answers: [status, error] }) => {
  const mock = createMock({ seed: 'first', ...options })
  // A lost answer rejects.
  await lived(checkedClientOf(mock)).catch(() => undefined)
  const number = mock.journal.count()
  const { copy, request } = await createControlClient(mock).done(`GET /requests/${number}`, {
    query: '?restore=true',
  })
  expect([request.status, request.error]).toEqual([status, error])
  const { origin } = new URL(request.request.url)
  const apiKey = mock.credentials().apiKey
  expect(JSON.stringify(copy)).not.toContain(apiKey)
  const emptyMock = async () => {
    const empty = createMock({ seed: 'another', credits: 77 })
    const { url } = await listenUntilTestEnd(empty)
    const last = () => {
      const [entry] = empty.journal.entries().slice(-1)
      return [entry?.status, entry?.error, entry?.answer.body]
    }
    return { url, last }
  }
  const same = [status, error, expect.stringContaining('')]
  const expected = request.operation === 'getTask' ? [status, error, request.answer.body] : same

  const ofCurl = await emptyMock()
  const line = copy.curl.replaceAll(origin, ofCurl.url)
  const { stdout } = await shell('sh', ['-c', line], {
    env: { ...process.env, NO_PROXY: '*', WORK_AGENT_API_KEY: apiKey },
  }).catch((failed: { stdout: string }) => failed)
  expect(statusesIn(stdout)).toEqual(status ? [status] : [])
  expect(ofCurl.last()).toEqual(expected)

  const ofTest = await emptyMock()
  const code = stripTypeScriptTypes(copy.typescript).replace(/^import.*$/m, '')
  const env = { WORK_AGENT_BASE_URL: ofTest.url, WORK_AGENT_API_KEY: apiKey }
  const started: Promise<unknown>[] = []
  new Function('expect', 'test', 'process', code)(
    expect,
    (_name: string, body: () => Promise<unknown>) => started.push(body()),
    { env },
  )
  await Promise.all(started)
  expect(ofTest.last()).toEqual(expected)

  const ofHar = await emptyMock()
  const { log } = JSON.parse(copy.har) as Har
  for (const { request: sent } of log.entries as Entry[])
    await fetch(sent.url.replace(origin, ofHar.url), {
      method: sent.method,
      headers: Object.fromEntries(
        sent.headers.map(({ name, value }) => [name, value.replace('[redacted]', apiKey)]),
      ),
      body: sent.postData?.text ?? null,
    }).catch(() => undefined)
  expect(ofHar.last()).toEqual(expected)
})
