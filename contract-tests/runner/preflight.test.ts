/** Before a run: the service answers and accepts the key. */
import { expect, test } from 'vitest'
import { settingsWith } from '../harness/settings.ts'
import { fakeTarget, json, lost, refusal } from '../testing/fake-target.ts'
import { preflight } from './preflight.ts'

const settings = settingsWith({ apiKey: 'key', runId: 'run-1', userAgent: 'suite/1' })

test.each([200, 402, 404, 429, 500, 503])('a service that answers %i can be tested', async (status) => {
  expect(
    await preflight(
      fakeTarget(() => json(status)),
      settings,
    ),
  ).toBeUndefined()
})

test('a service that refuses the key on one route only can be tested', async () => {
  const target = fakeTarget(({ path }) =>
    path.endsWith('/whoami') ? refusal(401, 'unauthorized') : json(200),
  )
  expect(await preflight(target, settings)).toBeUndefined()
})

test('a service that refuses the key everywhere is distinguished from an unreachable one', async () => {
  const refusing = fakeTarget(() => refusal(401, 'unauthorized'))
  expect(await preflight(refusing, settings)).toBe(
    'http://service.test/base refuses the API key (401 on whoami and on tasks)',
  )
  const gone = fakeTarget(() => {
    throw lost()
  })
  expect(await preflight(gone, settings)).toBe('http://service.test/base does not answer: ECONNRESET')
})

test('it sends only GET requests, and identifies itself', async () => {
  const target = fakeTarget(() => refusal(401, 'unauthorized'))
  await preflight(target, settings)
  expect(
    target.sent.map(({ method, headers }) => [method, headers['user-agent'], headers['x-request-id']]),
  ).toEqual([
    ['GET', 'suite/1', 'run-1-preflight-1'],
    ['GET', 'suite/1', 'run-1-preflight-2'],
  ])
})
