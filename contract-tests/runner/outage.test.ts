/** A service that is away for a while is accused of nothing, and one that stops answering ends the run. */
import { expect, test } from 'vitest'
import { sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { outcomeCountsOf } from '#reporting/outcome.ts'
import { catalogue } from '../catalogue/index.ts'
import { resultsWithOutcome } from '../harness/outcome.ts'
import { lostRequestError } from '../testing/fake-target.ts'
import type { Middleware } from '../testing/middleware.ts'
import { runSuiteOnMock } from '../testing/run.ts'

async function runWith(between: Middleware, timeout = 10_000) {
  const settings = { maxCredits: 20, timeout, runTimeout: 6 * timeout, runId: 'verify-outage' }
  return (await runSuiteOnMock(settings, { options: { now: Date.UTC(2026, 2, 2, 9) }, between })).run
}

const gateway = () => new Response('<h1>502 Bad Gateway</h1>', { status: 502 })
const refused = () => {
  throw lostRequestError()
}

const outages = [
  ['refuses connections', 250, refused],
  ['refuses connections', 40, refused],
  ['refuses connections', 420, refused],
  ['is behind a gateway', 120, gateway],
  ['is behind a gateway', 420, gateway],
] as const

test.each(
  sampleUnlessExhaustive(outages, 3),
)('a service that %s for a second after %i requests is accused of nothing', async (_, after, away) => {
  let count = 0
  let until: number | undefined
  const run = await runWith(async ({ path }, next, { now }) => {
    if (path.startsWith('/api/cli/') && ++count === after) until = now() + 1_000
    return until !== undefined && now() < until && path.startsWith('/api/cli/') ? away() : next()
  })
  expect(
    resultsWithOutcome(run, 'failed', 'warned').map(({ requirement, actual }) => [requirement.id, actual]),
  ).toEqual([])
  expect(run.unreachable).toBeUndefined()
})

const hangs: Middleware = ({ signal }) =>
  new Promise((_, reject) => {
    signal?.throwIfAborted()
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

test.each<[string, Middleware, number]>([
  ['hangs', hangs, 260],
  ['closes its connections', refused, 600],
])('a service that %s ends the run, which names the last that it answered, accuses it of nothing and begins nothing else', async (_, away, most) => {
  let count = 0
  const timeout = 200
  /** When each request was first sent, by what it asks for, ms. */
  const begun = new Map<string, number>()
  const run = await runWith((request, next, clock) => {
    const { method, path } = request
    if (++count < 200) return next()
    const asked = `${method} ${path}`
    // At last the clean-up asks at the base URL whether it can begin.
    if (path !== '' && !begun.has(asked)) begun.set(asked, clock.now())
    return away(request, next, clock)
  }, timeout)
  expect(run.unreachable).toMatch(
    /^http:\/\/embedded-mock\.invalid stopped answering after (?:GET|POST|DELETE) \/api\/cli\/\S+ at \d+\.\d s$/,
  )
  const totals = outcomeCountsOf(run.results)
  expect(totals).toMatchObject({ failed: 0, warned: 0, harness_error: 0 })
  expect(totals.passed).toBeGreaterThan(0)
  expect(run.results).toHaveLength(catalogue.length)
  expect(count).toBeLessThan(most)
  const [stopped = 0] = begun.values()
  // A check that was waiting when the service went away may ask once more when its wait is over.
  expect([...begun].filter(([, at]) => at > stopped + 5 * timeout)).toEqual([])
})

test('a service that answers everything with 500 ends the run, which is red', async () => {
  let count = 0
  const run = await runWith(async ({ path }, next) =>
    path.startsWith('/api/cli/') && ++count > 200
      ? Response.json({ error: 'internal_error', message: 'Sorry.' }, { status: 500 })
      : next(),
  )
  expect(run.unreachable).toMatch(/^the last 40 answers are errors of the service, the last one 500: /)
  expect(outcomeCountsOf(run.results).failed).toBeGreaterThan(0)
  expect(count).toBeLessThan(300)
})

test.each([
  ['authorization', '--api-key', 150],
  ['cookie', '--session-cookie', 12],
] as const)('a credential in %s that expires ends the run, which names %s and accuses the service of nothing', async (header, flag, most) => {
  let [known, count] = ['', 0]
  const run = await runWith(async ({ headers }, next) => {
    known ||= headers[header] ?? ''
    if (known === '' || headers[header] !== known || ++count < most) return next()
    return Response.json({ error: 'unauthorized', message: 'The credential has expired.' }, { status: 401 })
  })
  expect(run.unreachable).toMatch(
    new RegExp(`^${flag}: accepted until request \\d+ and refused since \\(401\\): it expired, or`),
  )
  expect(outcomeCountsOf(run.results)).toMatchObject({ failed: 0, warned: 0, harness_error: 0 })
})

test('a limit that a state has set is torn down where the key expires beneath it', async () => {
  let expired: string | undefined
  const limits: unknown[] = []
  const run = await runWith(async ({ headers: { authorization }, body, signal }, next) => {
    if (authorization !== undefined && authorization === expired)
      return Response.json({ error: 'unauthorized', message: 'The key has expired.' }, { status: 401 })
    const answer = await next()
    if (answer.status === 429) expired ??= authorization
    if (String(body).includes('"rate_limit"') && !signal?.aborted)
      limits.push(JSON.parse(String(body)).action)
    return answer
  })
  expect(run.unreachable).toMatch(/^--other-api-key: accepted until request/)
  expect(limits).toEqual(['setup', 'teardown'])
})

test.each([
  [0, { outages: 1, limits: 2 }],
  [20, { outages: 2, limits: 2 }],
])('in a run that may spend %i credits, few outages and limits serve all checks', async (maxCredits, expected) => {
  let [outages, limits] = [0, 0]
  await runSuiteOnMock(
    { maxCredits, extended: 'on' },
    {
      between: ({ path, body }, next) => {
        const { state, action } = path.endsWith('/states') ? JSON.parse(String(body)) : {}
        if (action === 'setup' && state === 'unavailable') outages++
        if (action === 'setup' && state === 'rate_limit') limits++
        return next()
      },
    },
  )
  expect({ outages, limits }).toEqual(expected)
})
