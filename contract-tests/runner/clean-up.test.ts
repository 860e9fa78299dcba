/** After a run the keys that it created are deleted, and all others remain. */
import { expect, test } from 'vitest'
import { type SuiteSettings, settingsWithDefaults } from '../harness/terms.ts'
import { createEmbeddedMock } from '../targets/in-process.ts'
import { lostRequestError } from '../testing/fake-target.ts'
import { type Middleware, withMiddleware } from '../testing/middleware.ts'
import { runSuite } from './run.ts'

/** Runs the suite against a mock with other keys; returns the keys before and after. */
async function keysAround(
  between: Middleware = (_, next) => next(),
  more: Partial<SuiteSettings> = {},
  signal?: AbortSignal,
) {
  const { mock, target, access } = createEmbeddedMock()
  const ask = async (method: string, name?: string) => {
    const init = { method, headers: { cookie: access.sessionCookie ?? '' } }
    const body = name === undefined ? {} : { body: JSON.stringify({ name }) }
    return (await mock.fetch(new Request('http://m/api/cli/keys', { ...init, ...body }))).json()
  }
  const list = async () => {
    const { keys } = (await ask('GET')) as { keys: { id: string; name: string }[] }
    return keys.map(({ name }) => name)
  }
  for (const name of ['Mine', 'Key (verify-other-1)']) await ask('POST', name)
  const before = await list()
  const run = await runSuite({
    target: withMiddleware(target, between),
    settings: settingsWithDefaults({ ...access, only: ['KEY-*'], ...more }),
    ...(signal ? { signal } : {}),
  })
  return { before, after: await list(), run }
}

const isKeys = (path: string) => path.startsWith('/api/cli/keys')

/** Refuses every key that was created. */
const refusing: Middleware = async ({ headers }, next) =>
  headers.authorization?.includes('wak_live_')
    ? new Response('{"error":"unauthorized","message":"-"}', { status: 401 })
    : next()

/** Loses the answer to every other creation of a key. */
function losing(): Middleware {
  let creations = 0
  return async ({ path, method }, next) => {
    const response = await next()
    if (isKeys(path) && method === 'POST' && creations++ % 2 === 0) throw lostRequestError()
    return response
  }
}

test.each<[string, Middleware | undefined, boolean]>([
  ['', undefined, false],
  [', even if checks fail', refusing, true],
  [', those whose creation was answered to nobody too', losing(), false],
])('all keys of the run are deleted, and no others%s', async (_, between, isRed) => {
  const { before, after, run } = await keysAround(between)
  expect(run.created.filter(({ operation }) => operation === 'createKey').length).toBeGreaterThan(3)
  expect(run.results.some(({ outcome }) => outcome === 'failed')).toBe(isRed)
  expect(after).toEqual(before)
  expect(run.left).toEqual([])
})

test('they are deleted after an interruption, waiting out rate limits', async () => {
  const controller = new AbortController()
  let limited = 0
  const { before, after, run } = await keysAround(
    async ({ path, method }, next) => {
      if (controller.signal.aborted && limited++ < 3)
        return new Response('{"error":"rate_limited","message":"-"}', {
          status: 429,
          headers: { 'retry-after': '1' },
        })
      const response = await next()
      if (isKeys(path) && method === 'POST') controller.abort()
      return response
    },
    {},
    controller.signal,
  )
  expect(limited).toBeGreaterThan(3)
  expect(after).toEqual(before)
  expect(run.left).toEqual([])
})

test('a key that cannot be deleted is reported by its id', async () => {
  const { after, before, run } = await keysAround(async ({ path, method }, next) =>
    isKeys(path) && method === 'DELETE' ? new Response('{}', { status: 500 }) : next(),
  )
  expect(after.length).toBeGreaterThan(before.length)
  expect(run.left).toHaveLength(after.length - before.length)
  expect(run.left[0]).toMatch(/^key_/)
})

test('a run that creates no key sends no key request', async () => {
  const requests: string[] = []
  await keysAround(
    ({ path, method }, next) => {
      requests.push(`${method} ${path}`)
      return next()
    },
    { only: ['ACCEPTS-whoami'] },
  )
  expect([...new Set(requests)]).toEqual(['GET /api/cli/whoami'])
})
