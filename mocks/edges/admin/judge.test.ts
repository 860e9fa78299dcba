/** `POST /judge` and `POST /restore`: recordings as the page drops them. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createControlClient } from '../../testing/control.ts'
import { createFrozenMockWithClient } from '../../testing/mock.ts'

interface Har {
  readonly log: {
    readonly entries: readonly { readonly response: { readonly content: { readonly text: string } } }[]
  }
}

/** A recording of a task that ran, with the bodies of answers as `bodyOf` writes them. */
async function recordingWith(bodyOf: (text: string) => object, change = (text: string) => text) {
  const { mock, call } = createFrozenMockWithClient()
  const { body } = await call('createTask', { body: { text: 'Say hello' } })
  const { id } = body.task
  await call('runTask', { id })
  mock.clock.advance('1m')
  for (const _ of [1, 2]) await call('getTask', { id })
  const { log } = JSON.parse(JSON.stringify(mock.journal.har())) as Har
  const entries = log.entries.map((entry) => {
    const text = change(entry.response.content.text)
    return { ...entry, response: { ...entry.response, content: { ...bodyOf(text), size: text.length } } }
  })
  return { log: { ...log, entries } }
}

/** Has a mock judge a recording. */
async function judge(file: object) {
  const { mock } = createFrozenMockWithClient()
  const body = JSON.stringify({ file })
  const answer = await mock.fetch(new Request('http://mock.test/__admin/judge', { method: 'POST', body }))
  return { mock, status: answer.status, text: await answer.text() }
}

const plain = (text: string) => ({ text })
const gzipped = (text: string) => ({ text: gzipSync(text).toString('base64'), encoding: 'base64' })

test.each([
  ['plain', plain],
  ['gzipped', gzipped],
])('a recording with %s bodies is judged as HTML, and restored', async (_, bodyOf) => {
  const file = await recordingWith(bodyOf)
  const { mock, status, text } = await judge(file)
  expect([status, text]).toEqual([200, expect.stringContaining('The service broke nothing')])
  const { notes } = await createControlClient(mock).done('POST /restore', { body: { file } })
  expect(notes).toEqual([])
})

test('the judgement of a recording names who broke what', async () => {
  const file = await recordingWith(plain, (text) => text.replace('"finished":true', '"finished":"yes"'))
  const { text } = await judge(file)
  expect(text).toContain('<title>Recorded traffic: the service failed')
  expect(text).toContain('SHAPE-getTask')
})

test.each([
  [{ log: {} }, 'there is no log.entries'],
  [{ log: { entries: [] } }, 'Nothing in the recording is a request of this API'],
])('%o is refused, with what is wrong', async (file, problem) => {
  const { status, text } = await judge(file)
  expect([status, text]).toEqual([400, expect.stringContaining(problem)])
})
