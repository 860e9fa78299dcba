/** HAR 1.2: every required field, with its type. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { curl, listening } from '../testing/listening.ts'
import { frozenMock, noon } from '../testing/mock.ts'

const pairs = z.array(z.strictObject({ name: z.string(), value: z.string() }))
const size = z.int().min(-1)

/** Fields that start with an underscore are custom. */
const own = { _id: z.string(), _operation: z.string().nullable(), _organization: z.string().nullable() }

const har = z.strictObject({
  log: z.strictObject({
    version: z.literal('1.2'),
    creator: z.strictObject({ name: z.string().min(1), version: z.string().min(1) }),
    entries: z.array(
      z.strictObject({
        ...own,
        _error: z.string().optional(),
        startedDateTime: z.iso.datetime({ offset: true }),
        time: z.number().min(0),
        request: z.strictObject({
          method: z.string().min(1),
          url: z.url(),
          httpVersion: z.string().min(1),
          cookies: z.array(z.unknown()),
          headers: pairs,
          queryString: pairs,
          postData: z.strictObject({ mimeType: z.string(), text: z.string() }).optional(),
          headersSize: size,
          bodySize: size,
        }),
        response: z.strictObject({
          status: z.int().min(0).max(599),
          statusText: z.string(),
          httpVersion: z.string().min(1),
          cookies: z.array(z.unknown()),
          headers: pairs,
          content: z.strictObject({ size: size, mimeType: z.string(), text: z.string() }),
          redirectURL: z.string(),
          headersSize: size,
          bodySize: size,
        }),
        cache: z.strictObject({}),
        timings: z.strictObject({ send: z.literal(0), wait: z.number().min(0), receive: z.literal(0) }),
        comment: z.string(),
      }),
    ),
  }),
})

async function seen() {
  const mock = frozenMock()
  const { url, send } = await listening(mock)
  const key = mock.credentials().apiKey
  await send('POST', '/api/cli/tasks', { key, body: { text: 'Grüße' } })
  await send('GET', '/api/cli/documents?folder_id=a%20b&all=1', { key })
  await send('GET', '/api/cli/whoami', { key, headers: { prefer: 'fault=reset' } })
  await send('GET', '/api/cli/nope?q')
  await curl(`${url}/api/cli/tasks`, '-H', `Authorization: Bearer ${key}`, '-d', '{"text":"from curl"}')
  return { mock, url, read: har.parse(mock.journal.har()).log.entries }
}

test('a file contains all fields of HAR and no unknown ones', async () => {
  const { mock, url, read } = await seen()
  expect(read).toHaveLength(5)
  const downloaded = await fetch(`${url}/__admin/requests.har`)
  expect(downloaded.headers.get('content-disposition')).toBe('attachment; filename="work-agent-mock.har"')
  expect(await downloaded.json()).toEqual(mock.journal.har())
  expect(mock.journal.har({ method: 'POST' }).log.entries).toEqual([read[0], read[4]])
})

test('a file contains requests and responses as they were sent', async () => {
  const { read } = await seen()
  expect(read[0]).toMatchObject({
    startedDateTime: new Date(noon).toISOString(),
    _operation: 'createTask',
    request: {
      method: 'POST',
      postData: { mimeType: 'application/json', text: '{"text":"Grüße"}' },
      bodySize: 18,
    },
    response: { status: 200, content: { mimeType: 'application/json' } },
  })
  expect(read[1]?.request.queryString).toEqual([
    { name: 'folder_id', value: 'a b' },
    { name: 'all', value: '1' },
  ])
  expect(read[4]?.request.postData?.mimeType).toBe('application/x-www-form-urlencoded')
})

test('a request without a response has status 0 and a reason', async () => {
  const { read } = await seen()
  expect(read[2]).toMatchObject({
    _error: 'the mock was asked for "reset"',
    comment: 'prefer; fault=reset; connection: reset',
    response: { status: 0, headers: [], content: { size: 0, text: '' }, bodySize: -1 },
  })
})

test('an empty journal produces a valid file', () => {
  expect(har.parse(frozenMock().journal.har()).log.entries).toEqual([])
})
