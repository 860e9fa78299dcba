/** Recordings of pages: service workers, caches, clocks, and bodies and recordings in files. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestFolder } from '../testing/folder.ts'
import { runCliInProcess } from '../testing/in-process.ts'
import {
  harEntry,
  harOfEntries,
  recordedRefusal,
  recordedSuccess,
  runJudgeOnRecording,
  type TestEntry,
  taskEntries,
} from './testing/entries.ts'
import { zipArchiveOf } from './testing/zip.ts'

interface Result {
  readonly id: string
  readonly outcome: string
}

const passedIn = (report: { readonly service: { readonly requirements: readonly Result[] } }) =>
  report.service.requirements.flatMap(({ id, outcome }) => (outcome === 'passed' ? id : []))

/** The exit code, and what the service has met. */
async function judged(list: readonly object[] | Uint8Array) {
  const { code, report } = await runJudgeOnRecording(
    list instanceof Uint8Array ? list : harOfEntries(list),
    '--quiet',
  )
  return { code, passed: passedIn(report), requests: report.service.requests }
}

const later = (one: TestEntry, ms: number) => ({
  ...one,
  startedDateTime: new Date(Date.parse(one.startedDateTime) + ms).toISOString(),
})
const longer = (one: TestEntry, more: object = {}) => ({ ...one, time: 40, ...more })

/** A page whose requests a service worker passes on, recorded for the page and for the worker. */
const twice: Readonly<Record<string, (one: TestEntry) => object[]>> = {
  'the panel of a browser': (one) => [longer(one, { _fetchedViaServiceWorker: true }), later(one, 4)],
  'the panel of a browser, the worker first': (one) => [
    later(one, 4),
    longer(one, { _fetchedViaServiceWorker: true }),
  ],
  'a test tool, which has bodies for the page only': (one) => [
    longer(one, { response: { ...one.response, _transferSize: 0 } }),
    {
      ...later(one, 7),
      _serviceWorkerRef: 'worker@1',
      response: { ...one.response, bodySize: 99, content: { size: 0, text: '' } },
    },
  ],
  'a test tool that counts no bytes': (one) => [
    longer(one),
    {
      ...later(one, 7),
      _serviceWorkerRef: 'worker@1',
      response: { ...one.response, content: { size: -1, text: '' } },
    },
  ],
  'a browser that names the way of each': (one) => [
    longer(one, { _fetchType: 'Service Worker' }),
    later(one, 4),
  ],
}

test.each(
  Object.entries(twice),
)('one request is judged, where %s records it for the page and for its worker', async (_, both) => {
  expect(await judged(taskEntries().flatMap(both))).toEqual(await judged(taskEntries()))
})

test('what two exports both hold is one request', async () => {
  const [first, ...others] = taskEntries()
  expect(await judged([first, ...others, ...others] as TestEntry[])).toEqual(await judged(taskEntries()))
})

test('two requests of a page are two, also where they agree', async () => {
  const [first, creation, ...others] = taskEntries() as [TestEntry, TestEntry, ...TestEntry[]]
  const { out } = await runJudgeOnRecording(
    harOfEntries([first, longer(creation), later(creation, 4), ...others]),
    '--side service',
  )
  expect(out).toContain('failed  MUST TASK-UNIQUE')
})

test('a page that only reads through its worker is judged by what it got', async () => {
  const marked = taskEntries().map((one) => ({ ...one, _fetchedViaServiceWorker: true }))
  expect(await judged(marked)).toEqual(await judged(taskEntries()))
})

test.each([
  ['_fromCache', { _fromCache: 'disk' }, {}],
  ['_fetchType', { _fetchType: 'Memory Cache' }, {}],
  ['_transferSize', {}, { _transferSize: 0 }],
  [
    '_serviceWorkerResponseSource',
    { _fetchedViaServiceWorker: true },
    { _serviceWorkerResponseSource: 'cache-storage' },
  ],
])('an answer that %s marks as from a cache says nothing of the service', async (_, marks, ofResponse) => {
  const task = { id: 't1', text: 'Say hello', description: null, status: 'in_progress' }
  const stale = harEntry(9, 'GET /tasks/t1', { ...recordedSuccess({ task, finished: false }), ...ofResponse })
  const [, , , after] = taskEntries() as [TestEntry, TestEntry, TestEntry, TestEntry]
  const old = { ...longer(after, marks), response: { ...taskEntries(5)[3]?.response, ...ofResponse } }
  expect(await judged([...taskEntries(), { ...stale, ...marks }, old])).toEqual(await judged(taskEntries()))
})

const limited = recordedRefusal(429, 'rate_limited', { 'Retry-After': '2' })
const running = recordedSuccess({ taskId: 't1', status: 'in_progress', finished: false })
const polled = recordedSuccess({
  task: { id: 't1', text: 'x', description: null, status: 'in_progress' },
  finished: false,
})

/** A time without what is less than a second. */
const cut = (one: object, format: (seconds: string) => string) => {
  const { startedDateTime = '' } = one as Partial<TestEntry>
  return { ...one, startedDateTime: format(startedDateTime.slice(0, 19)) }
}

test.each([
  ['no fraction', (seconds: string) => `${seconds}Z`],
  ['zeros', (seconds: string) => `${seconds}.000Z`],
])('times cut to whole seconds, with %s, give no advice about pauses and accuse nobody', async (_, format) => {
  const run = harEntry(0, 'POST /tasks/t1/run', running)
  const polls = [0.1, 0.3, 0.55, 0.7].map((second) => harEntry(second, 'GET /tasks/t1', polled))
  const waits = [harEntry(1.5, 'GET /tasks', limited), harEntry(3.6, 'GET /tasks', limited)]
  const list = [run, ...polls, ...waits].map((one) => cut(one, format))
  const { code, report } = await runJudgeOnRecording(harOfEntries(list), '--side client')
  const outcomes = report.client.rules.flatMap(({ id, outcome }: Result) =>
    outcome === 'failed' || outcome === 'warned' || /^(polls-sanely|pauses-after-503)$/.test(id)
      ? [`${id} ${outcome}`]
      : [],
  )
  expect([code, outcomes.sort()]).toEqual([
    0,
    ['pauses-after-503 not_exercised', 'polls-sanely not_exercised'],
  ])
})

test('a client that repeats seconds too early is named by whole seconds too', async () => {
  const hasty = recordedRefusal(429, 'rate_limited', { 'Retry-After': '9' })
  const list = [1, 3, 14].map((second) =>
    cut(harEntry(second, 'GET /tasks', hasty), (seconds) => `${seconds}Z`),
  )
  const { out } = await runJudgeOnRecording(harOfEntries(list), '--side client')
  expect(out).toContain('failed  MUST waits-retry-after')
})

/** The story with its bodies in files, and these files. */
function apart() {
  const files = new Map<string, string>()
  const list = taskEntries().map((one, i) => {
    const [sent, name] = [one.request.postData, `${i}.json`]
    files.set(name, one.response.content.text)
    if (sent) files.set('sent.json', sent.text)
    return {
      ...one,
      request: {
        ...one.request,
        ...(sent && { postData: { mimeType: sent.mimeType, text: '', _file: 'sent.json' } }),
      },
      response: { ...one.response, content: { size: one.response.content.text.length, _file: name } },
    }
  })
  return { list, files }
}

test('bodies beside the recording are read, and of those that are not there it is said', async () => {
  const { list, files } = apart()
  const { write, file, json } = createTestFolder()
  const recording = write('recording.har', harOfEntries(list))
  for (const [name, text] of files) write(name, text)
  const run = () => runCliInProcess(`judge ${recording} --report json=${file('verdict.json')}`)
  const whole = await run()
  expect([whole.code, passedIn(json('verdict.json'))]).toEqual([0, (await judged(taskEntries())).passed])
  const other = createTestFolder().write('recording.har', harOfEntries(list))
  const { out } = await runCliInProcess(`judge ${other} --side client`)
  expect(out).toContain('Not beside the recording, which names them: 8 files with bodies, such as 0.json.')
})

test.each([
  '../secret.json',
  '/etc/hostname',
  'a/b.json',
  '..',
  '.hidden',
  '',
])('the name "%s" of a body is not followed', async (name) => {
  const { write } = createTestFolder()
  mkdirSync(join(write('secret.json', taskEntries()[0]?.response.content.text ?? ''), '../inner/a'), {
    recursive: true,
  })
  const [first] = taskEntries()
  const one = { ...first, response: { ...first?.response, content: { size: 9, _file: name } } }
  const { code, err } = await runCliInProcess(
    `judge ${write('inner/recording.har', harOfEntries([one]))} --side service`,
  )
  expect([code, err]).toEqual([3, expect.stringContaining('has a body, so nothing was judged')])
})

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

test.each<[string, () => Uint8Array]>([
  ['in UTF-16, as PowerShell writes it', () => utf16(harOfEntries(taskEntries()))],
  ['in UTF-16 with the other order of bytes', () => utf16(harOfEntries(taskEntries())).swap16()],
  ['with a byte order mark', () => Buffer.from(`\ufeff${harOfEntries(taskEntries())}`)],
  [
    'in an archive by Finder',
    () =>
      zipArchiveOf({
        'x.har': harOfEntries(taskEntries()),
        '__MACOSX/._x.har': '\u0000\u0005\u0016\u0007',
        '._x.har': '\u0000',
      }),
  ],
  ['in an archive under a name in capitals', () => zipArchiveOf({ 'Base.HAR': harOfEntries(taskEntries()) })],
])('a recording %s is read', async (_, content) => {
  expect(await judged(content())).toEqual(await judged(taskEntries()))
})
