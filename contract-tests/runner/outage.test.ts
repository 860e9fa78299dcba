/** A service that is away for a while is accused of nothing, and one that stops answering ends the run. */
import { expect, test } from 'vitest'
import { resultsOf } from '../harness/outcome.ts'
import { settingsWith } from '../harness/terms.ts'
import { embeddedMock } from '../targets/in-process.ts'
import { lost } from '../testing/fake-target.ts'
import { type Between, middleware } from '../testing/middleware.ts'
import { runSuite } from './run.ts'

const now = Date.UTC(2026, 2, 2, 9)

async function runWith(between: (now: () => number) => Between, timeout = 10_000) {
  const { target, access } = embeddedMock({ now })
  const settings = settingsWith({
    ...access,
    maxCredits: 20,
    timeout,
    runTimeout: 6 * timeout,
    runId: 'verify-outage',
  })
  return runSuite({ target: middleware(target, between(target.now)), settings })
}

const gateway = () => new Response('<h1>502 Bad Gateway</h1>', { status: 502 })
const refused = () => {
  throw lost()
}

test.each([
  ['refuses connections', 40, refused],
  ['refuses connections', 250, refused],
  ['refuses connections', 420, refused],
  ['is behind a gateway', 120, gateway],
  ['is behind a gateway', 420, gateway],
])('a service that %s for a second after %i requests is accused of nothing', async (_, after, away) => {
  let count = 0
  let until: number | undefined
  const run = await runWith((clock) => async ({ path }, next) => {
    if (path.startsWith('/api/cli/') && ++count === after) until = clock() + 1_000
    return until !== undefined && clock() < until && path.startsWith('/api/cli/') ? away() : next()
  })
  expect(
    resultsOf(run, 'failed', 'warned').map(({ requirement, actual }) => [requirement.id, actual]),
  ).toEqual([])
  expect(run.unreachable).toBeUndefined()
})

test('a service that hangs ends the run with the last request that it answered, and is accused of nothing', async () => {
  let count = 0
  const run = await runWith(
    () =>
      ({ signal }, next) => {
        if (++count < 200) return next()
        return new Promise((_, reject) => {
          signal?.throwIfAborted()
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
      },
    200,
  )
  expect(run.unreachable).toMatch(
    / stopped answering after (?:GET|POST|DELETE) \/api\/cli\/\S+ at \d+\.\d s$/,
  )
  expect(resultsOf(run, 'failed', 'warned')).toEqual([])
  expect(count).toBeLessThan(260)
})
