/** Side effects of the suite stay within its credits, its settings and its own resources. */
import { expect, test } from 'vitest'
import { variants } from '#contract/route.ts'
import { collectionsOf } from '#fixtures/collections.ts'
import type { Mock } from '#mocks/app.ts'
import { sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { outcomeCountsOf } from '#reporting/outcome.ts'
import { taskTextsResemblingOtherTypes } from '../fixtures/texts.ts'
import type { SuiteRun } from '../harness/outcome.ts'
import { type SuiteSettings, settingsWithDefaults } from '../harness/terms.ts'
import { createEmbeddedMock } from '../targets/in-process.ts'
import { lostRequestError } from '../testing/fake-target.ts'
import { type Middleware, withMiddleware } from '../testing/middleware.ts'
import { idsWithOutcome } from '../testing/run.ts'
import { runSuite } from './run.ts'

interface Seen {
  readonly mock: Mock
  readonly run: SuiteRun
  /** Requests as they left the suite. */
  readonly requests: { method: string; path: string; headers: Readonly<Record<string, string>> }[]
  /** Credits spent according to the ledgers of the mock. */
  readonly gone: number
}

/** Runs the suite against a mock; returns the requests and the cost according to the ledgers of the mock. */
async function observe(
  settings: Partial<SuiteSettings>,
  options: Parameters<typeof createEmbeddedMock>[0] = {},
  between: Middleware = (_, next) => next(),
): Promise<Seen> {
  const { mock, target, access } = createEmbeddedMock(options)
  const requests: Seen['requests'] = []
  const ask = async (path: string, key?: string) => {
    const headers: HeadersInit = key === undefined ? {} : { authorization: `Bearer ${key}` }
    return (await mock.fetch(new Request(`http://mock.test${path}`, { headers }))).json()
  }
  const goneByLedgers = async () => {
    const { ledgers } = (await ask('/__admin/ledger')) as { ledgers: { spent: number; reserved: number }[] }
    return ledgers.reduce((sum, { spent, reserved }) => sum + spent + reserved, 0)
  }
  for (const key of [access.apiKey, access.otherApiKey]) await ask('/api/cli/whoami', key)
  const before = await goneByLedgers()
  const counting = withMiddleware(target, (...given) => {
    requests.push(given[0])
    return between(...given)
  })
  const run = await runSuite({ target: counting, settings: settingsWithDefaults({ ...access, ...settings }) })
  return { mock, run, requests, gone: (await goneByLedgers()) - before }
}

const red = (run: SuiteRun) => idsWithOutcome(run, 'failed', 'warned')

const limits = [0, 1, 2, 3, 5, 8, 20].map((credits, i) => [credits, variants[i % 2]] as const)

test.each(
  sampleUnlessExhaustive(limits, 4),
)('with %i credits allowed it spends no more, according to the ledgers (%s)', async (maxCredits, variant) => {
  const { run, gone } = await observe({ maxCredits }, { variant })
  // Credits that a state gave for what is spent at once are given back, and are none of the organization's.
  const { given = 0, ...credits } = run.credits
  expect(gone - given).toBeLessThanOrEqual(maxCredits)
  expect(credits).toEqual({ limit: maxCredits, spent: expect.any(Number), perhaps: 0 })
  expect(run.credits.spent).toBeGreaterThanOrEqual(gone - given)
  expect(run.credits.spent).toBeLessThanOrEqual(maxCredits)
  expect(red(run)).toEqual([])
})

const textsOf = async (mock: Mock) => {
  const { tasks, documents } = await collectionsOf(mock)
  return [
    tasks.all().map(({ text }) => text),
    documents.all().map(({ title, content_md, summary }) => `${title} ${content_md} ${summary}`),
  ]
}

test('all of it needs at most 20 credits, names itself in every request, and in everything that it creates but a task that reads 0', async () => {
  const settings = { maxCredits: 1_000, extended: 'on', userAgent: 'suite/1', runId: 'run-42' } as const
  const { mock, run, requests, gone } = await observe(settings)
  expect(gone).toBeGreaterThan(3)
  expect(run.credits.spent).toBeLessThanOrEqual(20)
  expect(outcomeCountsOf(run.results).not_exercised).toBe(0)
  expect([...new Set(requests.map(({ headers }) => headers['user-agent']))]).toEqual(['suite/1'])
  const ids = requests.map(({ headers }) => headers['x-request-id'])
  expect(ids.every((id) => id?.startsWith('run-42-'))).toBe(true)
  expect(new Set(ids).size).toBe(requests.length)
  const before = await textsOf(createEmbeddedMock().mock)
  for (const [i, all] of (await textsOf(mock)).entries()) {
    const made = all.slice(before[i]?.length)
    expect(made.length).toBeGreaterThan(5)
    expect(made.filter((one) => !one.includes('run-42'))).toEqual(
      i === 0 ? Object.values(taskTextsResemblingOtherTypes) : [],
    )
  }
})

test('with readOnly it sends only GET requests and sets up no state', async () => {
  const { run, requests } = await observe({ readOnly: true, maxCredits: 20, probeRateLimit: 5 })
  expect([...new Set(requests.map(({ method }) => method))]).toEqual(['GET'])
  expect(run.created).toEqual([])
  expect(outcomeCountsOf(run.results).passed).toBeGreaterThan(50)
  expect(red(run)).toEqual([])
})

test('without provider states it marks only notifications that came since its first list', async () => {
  const before = (await collectionsOf(createEmbeddedMock().mock)).notifications.all()
  const { mock, run } = await observe({ maxCredits: 20, statesUrl: undefined })
  const after = (await collectionsOf(mock)).notifications.all()
  expect(after.slice(0, before.length).map(({ read }) => read)).toEqual(before.map(({ read }) => read))
  expect(after.slice(before.length).some(({ read }) => read)).toBe(true)
  expect(red(run)).toEqual([])
})

// The proof has services with higher limits.
test('a low rate limit slows it down but fails nothing', async () => {
  const options = { rateLimit: '3/30s', retryAfter: 'date' } as const
  const { run } = await observe({ maxCredits: 20, extended: 'on' }, options)
  expect(red(run)).toEqual([])
  expect(outcomeCountsOf(run.results).harness_error).toBe(0)
})

test('what a gateway answers to paid requests costs nothing, and what was lost is known by the next balance', async () => {
  const { run, gone } = await observe({ maxCredits: 20 }, { fault: 'runTask=bad_gateway' })
  const { given = 0, ...credits } = run.credits
  expect(credits).toEqual({ limit: 20, spent: gone - given, perhaps: 0 })
  expect(gone).toBeGreaterThan(0)
  const reasons = run.results.map(({ reason = '' }) => reason)
  expect(reasons.filter((one) => one.includes('it may spend'))).toEqual([])
})

test('a paid request whose answer was lost is never sent again, and counts as spent', async () => {
  const runs: string[] = []
  const { run, gone } = await observe({ maxCredits: 20 }, {}, async ({ path, method }, next) => {
    const response = await next()
    if (method !== 'POST' || !/\/run$|\/generate$/.test(path) || response.status >= 300) return response
    runs.push(path)
    throw lostRequestError()
  })
  const tasks = runs.filter((path) => path.endsWith('/run'))
  expect(tasks.length).toBeGreaterThan(0)
  expect(new Set(tasks).size).toBe(tasks.length)
  const { given = 0, spent } = run.credits
  expect(spent).toBeGreaterThanOrEqual(gone - given)
  expect(gone - given).toBeLessThanOrEqual(20)
  expect(idsWithOutcome(run, 'not_exercised')).toContain('RUN-ACCEPTED')
})
