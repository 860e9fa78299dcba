/** Something in front of the service answers in its place: it is named once, and nothing else is accused. */
import { expect, test } from 'vitest'
import { outcomeCountsOf } from '#reporting/outcome.ts'
import { renderConformance } from '../report/presentation.ts'
import { lostRequestError } from '../testing/fake-target.ts'
import type { Middleware } from '../testing/middleware.ts'
import { idsWithOutcome, reportLeniently, runSuiteOnMock } from '../testing/run.ts'

const page = (status: number) =>
  new Response('<html><body><h1>Request forbidden by administrative rules.</h1></body></html>', {
    status,
    headers: { 'content-type': 'text/html' },
  })

/** Refuses every request of the API after the first `most`. */
const refusesAfter = (most: number, status: number): Middleware => {
  let count = 0
  return async ({ path }, next) => (path.startsWith('/api/cli/') && ++count > most ? page(status) : next())
}

test.each([
  [403, ['ERROR-STATUS']],
  [429, ['ANSWER-JSON', 'LIMIT-RETRY-AFTER']],
  [503, ['ANSWER-JSON']],
])('what answers %i in its place is the first line, and accuses nothing else than its form', async (status, accused) => {
  const { run } = await runSuiteOnMock(
    { maxCredits: 20, outage: 500 },
    { between: refusesAfter(150, status) },
  )
  expect(idsWithOutcome(run, 'failed', 'warned')).toEqual(accused)
  expect(outcomeCountsOf(run.results).not_exercised).toBeGreaterThan(50)
  const report = reportLeniently(run)
  for (const format of ['text', 'md', 'html'] as const)
    expect(renderConformance(report, format)).toMatch(
      new RegExp(`\\d+ of \\d+ answers are ${status} text/html: something in front of the service`),
    )
  expect(renderConformance(report, 'text')).toMatch(/^\d+ of \d+ answers are/)
})

test('keys are deleted in the end although a limit in front of the service has refused it', async () => {
  let count = 0
  let last = Number.NEGATIVE_INFINITY
  // As a limiter that counts what it refuses: it lets nothing pass until nothing came for ten seconds.
  const limits: Middleware = async ({ path }, next, { now }) => {
    if (!path.startsWith('/api/cli/')) return next()
    const isQuiet = now() > last + 10_000
    last = now()
    return ++count > 60 && !isQuiet ? page(403) : next()
  }
  const { run } = await runSuiteOnMock({ only: ['KEY-*'] }, { between: limits })
  expect(run.created.some(({ operation }) => operation === 'createKey')).toBe(true)
  expect(run.left).toEqual([])
})

test.each([
  [500, ['ANSWER-NO-500', 'ANSWER-JSON']],
  [502, []],
])('answers to runs that a gateway loses and replaces by %i convict nobody, except by their form', async (status, accused) => {
  let count = 0
  const loses: Middleware = async ({ path }, next) => {
    const answer = await next()
    return path.endsWith('/run') && answer.ok && ++count % 3 === 0 ? page(status) : answer
  }
  const { run } = await runSuiteOnMock({ extended: 'on', maxCredits: 60 }, { between: loses })
  expect(count).toBeGreaterThan(5)
  expect(idsWithOutcome(run, 'failed')).toEqual(accused)
})

test('a generation at zero balance that something in front answers is not called a route that is not offered', async () => {
  const gives: Middleware = async ({ path }, next) =>
    path.endsWith('/creative/generate') ? page(503) : next()
  const only = ['NO-CREDITS-CREATIVE']
  const { run } = await runSuiteOnMock({ extended: 'on', only, maxCredits: 20 }, { between: gives })
  const [result] = run.results.filter(({ requirement }) => only.includes(requirement.id))
  expect(result?.outcome).toBe('not_exercised')
  expect(result?.reason).toMatch(/^generateCreative was not accepted \(503 /)
})

test('an image URL of a host that nobody reaches is a warning that shows it and names the Host header', async () => {
  const gives: Middleware = async ({ url, path }, next) => {
    if (url.startsWith('http://upstream-block/')) throw lostRequestError()
    const answer = await next()
    if (!path.endsWith('/creative/generate')) return answer
    const text = await answer.text()
    return new Response(text.replace(/"url":"http:\/\/[^/]+/, '"url":"http://upstream-block'), answer)
  }
  const { run } = await runSuiteOnMock(
    { extended: 'on', only: ['CREATIVE-*'], maxCredits: 20 },
    { between: gives },
  )
  expect(idsWithOutcome(run, 'failed', 'warned')).toEqual(['CREATIVE-REACHABLE'])
  const shown = renderConformance(reportLeniently(run), 'text')
  expect(shown).toContain('http://upstream-block/')
  expect(shown).toContain('Host header')
})
