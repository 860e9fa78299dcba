/** Before a run: the service answers like this API and accepts the key; proof/inputs/ has the inputs that do not work. */
import { expect, test } from 'vitest'
import { type SuiteSettings, settingsWithDefaults } from '../harness/terms.ts'
import { createEmbeddedMock } from '../targets/in-process.ts'
import { createFakeTarget, errorAnswer, jsonAnswer, lostRequestError } from '../testing/fake-target.ts'
import { withMiddleware } from '../testing/middleware.ts'
import { preflightProblem } from './preflight.ts'

const settings = settingsWithDefaults({ apiKey: 'key', runId: 'run-1', userAgent: 'suite/1' })

test.each([
  ...[402, 429, 500, 503].map((status) => [status, jsonAnswer(status)] as const),
  ...[400, 403, 418].map((status) => [status, errorAnswer(status, 'odd')] as const),
])('a service that answers %i, some with an error of this API, can be tested', async (_, answer) => {
  const target = createFakeTarget(() => answer.clone())
  expect(await preflightProblem(target, settings)).toBeUndefined()
})

test.each<[string, Response]>([
  ['refuses the key', errorAnswer(401, 'unauthorized')],
  ['does not know it', errorAnswer(404, 'not_found')],
  ['answers without a field', jsonAnswer(200)],
  ['answers HTML', new Response('<!doctype html>')],
])('a service that %s on one route only can be tested', async (_, answer) => {
  const target = createFakeTarget(({ path }) =>
    path.endsWith('/whoami') ? answer.clone() : jsonAnswer(200, { items: [] }),
  )
  expect(await preflightProblem(target, settings)).toBeUndefined()
})

test('a service whose answers have none of the fields can be tested if other paths answer otherwise', async () => {
  const target = createFakeTarget(({ path }) =>
    /whoami|tasks/.test(path) ? jsonAnswer(200, { data: {} }) : jsonAnswer(404),
  )
  expect(await preflightProblem(target, settings)).toBeUndefined()
})

test('a service that stops to answer is told with the request that it did not answer', async () => {
  const target = createFakeTarget(({ headers }) => {
    if (headers.authorization === 'Bearer other') throw new TypeError('fetch failed')
    return jsonAnswer(200, { items: [] })
  })
  const given = settingsWithDefaults({ apiKey: 'key', otherApiKey: 'other', outage: 0 })
  expect(await preflightProblem(target, given)).toMatch(
    / did not answer GET \/base\/api\/cli\/\w+ before the run: /,
  )
})

test.each<[string, Error | Response, number]>([
  ['a dropped connection', lostRequestError(), 500],
  ['a gateway', new Response('Bad Gateway', { status: 502 }), 500],
  ['a rate limit', jsonAnswer(429, {}, { 'retry-after': '7' }), 7_000],
])('%s is waited out', async (_, first, wait) => {
  const target = createFakeTarget(() => {
    if (target.slept.length > 0) return jsonAnswer(200, { org: {} })
    if (first instanceof Error) throw first
    return first
  })
  expect(await preflightProblem(target, settings)).toBeUndefined()
  expect(target.slept).toEqual([wait])
})

test.each(['POST', 'DELETE'])('a connection that is dropped at a %s of a key leaves none', async (method) => {
  const { mock, target, access } = createEmbeddedMock()
  let isDropped = false
  const dropping = withMiddleware(target, async (request, next) => {
    const response = await next()
    if (isDropped || request.method !== method || !request.path.startsWith('/api/cli/keys')) return response
    isDropped = true
    throw lostRequestError()
  })
  expect(
    await preflightProblem(dropping, settingsWithDefaults({ ...access, statesUrl: undefined })),
  ).toBeUndefined()
  const headers = { cookie: access.sessionCookie ?? '' }
  const { keys } = await (await mock.fetch(new Request('http://mock.test/api/cli/keys', { headers }))).json()
  expect([isDropped, keys.length]).toEqual([true, 1])
})

test('a service that refuses connections for a while after it has answered is waited for', async () => {
  const target = createFakeTarget(({ path }) => {
    if (path.endsWith('/whoami') && target.sent.length > 2 && target.now() < 3_000)
      throw lostRequestError('ECONNREFUSED')
    return jsonAnswer(200, path.endsWith('/keys') ? { keys: [] } : { org: { id: 'org' } })
  })
  expect(await preflightProblem(target, { ...settings, otherApiKey: 'other' })).toContain('both')
  expect(target.now()).toBeGreaterThanOrEqual(3_000)
})

test('two keys that a cache mixes up for a second are no fault of theirs', async () => {
  let kept = { at: Number.NEGATIVE_INFINITY, id: '' }
  const target = createFakeTarget(({ path, headers }) => {
    if (!path.endsWith('/whoami')) return jsonAnswer(200, { items: [] })
    if (target.now() > kept.at + 1_000) kept = { at: target.now(), id: headers.authorization ?? '' }
    return jsonAnswer(200, { org: { id: kept.id } })
  })
  expect(await preflightProblem(target, { ...settings, otherApiKey: 'other' })).toBeUndefined()
})

test('a balance that a cache shows for some seconds is left to the checks', async () => {
  let [kept, credits] = [{ until: 0, credits: 0 }, 9]
  const target = createFakeTarget(({ path, body }) => {
    if (path !== '/states') {
      if (target.now() >= kept.until) kept = { until: target.now() + 4_000, credits }
      return jsonAnswer(200, { org: { id: 'org' }, credits: kept.credits })
    }
    const { state, action, params } = JSON.parse(String(body))
    if (action === 'setup' && state === 'credits') credits = params.credits
    return jsonAnswer(state === 'credits' ? 200 : 404)
  })
  const statesUrl = `${target.baseUrl}/states`
  expect(await preflightProblem(target, { ...settings, statesUrl })).toBeUndefined()
})

test('two keys that a connection mixes up are no fault of theirs', async () => {
  let first: string | undefined
  const target = createFakeTarget(({ path, headers: { authorization = '' }, fresh }) => {
    if (!path.endsWith('/whoami')) return jsonAnswer(200, { items: [] })
    first ??= authorization
    return jsonAnswer(200, { org: { id: fresh ? authorization : first } })
  })
  expect(await preflightProblem(target, { ...settings, otherApiKey: 'other' })).toBeUndefined()
})

test('it sends only GET requests if only a key is given, and identifies itself', async () => {
  const target = createFakeTarget(() => errorAnswer(401, 'unauthorized'))
  await preflightProblem(target, settings)
  expect(
    target.sent.map(({ method, headers }) => [method, headers['user-agent'], headers['x-request-id']]),
  ).toEqual([
    ['GET', 'suite/1', 'run-1-preflight-1'],
    ['GET', 'suite/1', 'run-1-preflight-2'],
  ])
})

/** The requests of a preflight of the mock, and what it says. */
async function preflightOfMock(given: Partial<SuiteSettings>, options = {}) {
  const { mock, target, access } = createEmbeddedMock(options)
  const requests: string[] = []
  const counting = withMiddleware(target, ({ method, path }, next) => {
    requests.push(`${method} ${path}`)
    return next()
  })
  const problem = await preflightProblem(
    counting,
    settingsWithDefaults({ ...access, maxCredits: 20, ...given }),
  )
  return { mock, access, requests, problem }
}

test('everything that the mock gives out can be used; nothing is spent and nothing stays', async () => {
  const { mock, access, requests, problem } = await preflightOfMock({})
  expect(problem).toBeUndefined()
  expect(requests.length).toBeLessThan(40)
  const read = async (path: string, headers: HeadersInit) =>
    (await mock.fetch(new Request(`http://mock.test${path}`, { headers }))).json()
  expect(await read('/api/cli/whoami', { authorization: `Bearer ${access.apiKey}` })).toMatchObject({
    credits: 40,
  })
  const { keys } = (await read('/api/cli/keys', { cookie: access.sessionCookie ?? '' })) as { keys: object[] }
  expect(keys).toHaveLength(1)
})

test('a read-only run proves its inputs by reading', async () => {
  const { requests, problem } = await preflightOfMock({ readOnly: true })
  expect(problem).toBeUndefined()
  expect(requests.filter((one) => !one.startsWith('GET '))).toEqual([])
})

test('inputs that no selected requirement needs are not used', async () => {
  const given = { only: ['ACCEPTS-whoami'], otherApiKey: 'wrong', statesUrl: 'http://nowhere.test' }
  const { requests, problem } = await preflightOfMock(given)
  expect([problem, requests]).toEqual([undefined, ['GET /api/cli/whoami']])
})

test('a service that reports one organization for two is left to the suite', async () => {
  const { target, access } = createEmbeddedMock()
  const one = withMiddleware(target, async ({ path }, next) => {
    const response = await next()
    if (path !== '/api/cli/whoami' || !response.ok) return response
    const body = (await response.json()) as { org: object }
    return Response.json({ ...body, org: { ...body.org, id: 'org_1' } })
  })
  expect(
    await preflightProblem(one, settingsWithDefaults({ ...access, statesUrl: undefined })),
  ).toBeUndefined()
})
