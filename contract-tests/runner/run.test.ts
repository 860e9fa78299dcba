/** A run gives each requirement one result, whatever happens on the way. */

import { expect, test } from 'vitest'
import { outcomeCountsOf } from '#reporting/outcome.ts'
import { catalogue } from '../catalogue/index.ts'
import { NotApplicable, NotExercised, Violation } from '../client/check-errors.ts'
import { createTask } from '../fixtures/resources.ts'
import { type Check, type CheckTraits, declareRequirement, must } from '../harness/requirement.ts'
import { settingsWithDefaults } from '../harness/terms.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import { namedSecretsOfRun } from '../report/secrets.ts'
import { createEmbeddedMock } from '../targets/in-process.ts'
import { createFakeTarget, jsonAnswer } from '../testing/fake-target.ts'
import { type Middleware, withMiddleware } from '../testing/middleware.ts'
import { idsWithOutcome, reportLeniently, runSuiteOnMock } from '../testing/run.ts'
import { preflightProblem } from './preflight.ts'
import { runSuite } from './run.ts'

const settings = settingsWithDefaults({ apiKey: 'key' })
const ids = catalogue.map(({ id }) => id)

/** The result of one check. */
async function resultOf(check: Check['run'], traits: CheckTraits = {}, level: 'MUST' | 'SHOULD' = 'MUST') {
  const requirement = declareRequirement(level)('ONE' as RequirementId, '§1', null, traits)
    .tests('service-purpose')
    .states('It is so.')
    .experiment('comparison', check)
  const run = await runSuite({
    target: createFakeTarget(() => jsonAnswer(200)),
    settings,
    requirements: [requirement],
  })
  return run.results[0]
}

test('every id of the catalogue has one result, in order, even if all but one are left out', async () => {
  const { run } = await runSuiteOnMock({ only: ['AUTH-MISSING-whoami'] })
  expect(run.results.map(({ requirement }) => requirement.id)).toEqual(ids)
  expect(outcomeCountsOf(run.results)).toMatchObject({ passed: 1, not_exercised: ids.length - 1 })
})

test('the states of one organization are at fault in nothing where no second one is given', async () => {
  const alone = { otherApiKey: undefined, otherSessionCookie: undefined }
  const { run } = await runSuiteOnMock({ maxCredits: 20, ...alone })
  expect(run.results.filter(({ reason }) => reason?.includes('at fault'))).toEqual([])
  expect(idsWithOutcome(run, 'failed', 'warned')).toEqual([])
})

test('a history holds the text of a body that is too deep to walk through', async () => {
  const { run } = await runSuiteOnMock({ only: ['DEEP-BODY-createTask'] })
  const long = run.history.filter((event) => JSON.stringify(event).length > 10_000)
  expect(long.length).toBeGreaterThan(0)
  for (const event of long) expect(event).toMatchObject({ body: expect.stringContaining('[[[') })
})

test('a check that throws nothing passes', async () => {
  expect(await resultOf(async () => undefined)).toMatchObject({ outcome: 'passed' })
  expect(await resultOf(async () => 'as seen')).toMatchObject({ outcome: 'passed', reason: 'as seen' })
})

const violation = new Violation('a', 'b')

test.each<[Error, 'MUST' | 'SHOULD', object]>([
  [violation, 'MUST', { outcome: 'failed', expected: 'a', actual: 'b' }],
  [violation, 'SHOULD', { outcome: 'warned' }],
  [new NotExercised('why', '--flag'), 'MUST', { outcome: 'not_exercised', reason: 'why', supply: '--flag' }],
  [new NotApplicable('none'), 'MUST', { outcome: 'not_applicable' }],
  [new TypeError('oops'), 'MUST', { outcome: 'harness_error', reason: 'error in the suite: oops' }],
])('a check that throws %s of a %s decides its outcome: %j', async (thrown, level, expected) => {
  expect(await resultOf(() => Promise.reject(thrown), {}, level)).toMatchObject(expected)
})

test('the model judges by the times that the run allows, and only what it found something to judge of is met', async () => {
  const outcomes = async (consistency: number) => {
    const requirements = (['LIST-PROMPT', 'TASK-LISTED'] as const).map((id) =>
      must(id, '§4', 'listTasks')
        .tests('list-tasks')
        .states(`${id} holds.`)
        .judged(async (t) => {
          await createTask(t)
          await t.call('listTasks')
        }),
    )
    const { run } = await runSuiteOnMock({ consistency, concurrency: 1 }, { requirements })
    return run.results.map(({ outcome }) => outcome)
  }
  expect(await outcomes(0)).toEqual(['not_exercised', 'passed'])
  expect(await outcomes(60_000)).toEqual(['passed', 'passed'])
})

test('an interrupted run sends no more requests and reports the interruption', async () => {
  const controller = new AbortController()
  const paths: string[] = []
  const between: Middleware = (request, next) => {
    paths.push(`${request.method} ${request.path}`)
    if (paths.length === 50) controller.abort()
    return next()
  }
  const { signal } = controller
  const { run } = await runSuiteOnMock({ maxCredits: 20, concurrency: 1 }, { between, signal })
  expect(run.results).toHaveLength(ids.length)
  expect(run.results.filter(({ reason }) => reason === 'the run was interrupted').length).toBeGreaterThan(100)
  expect(paths.slice(50).filter((path) => !path.includes('/api/cli/keys'))).toEqual([])
  expect(run.harnessErrors).toEqual([])
})

test('progress is called once for each selected requirement, and with the waits that the service requests', async () => {
  const selected = ids.filter((id) => id.startsWith('AUTH-'))
  const reported: string[] = []
  const waits: number[] = []
  await runSuiteOnMock(
    { only: ['AUTH-*'] },
    {
      options: { rateLimit: '5/10s' },
      progress: ({ requirement }, done, of) => {
        reported.push(requirement.id)
        expect([done, of]).toEqual([reported.length, selected.length])
      },
      onWait: (ms) => waits.push(ms),
    },
  )
  expect(reported.toSorted()).toEqual(selected.toSorted())
  expect(Math.max(...waits)).toBeGreaterThan(1_000)
})

test('headers for a gateway reach the service and the states endpoint, and no output', async () => {
  const { target, access } = createEmbeddedMock()
  const settings = settingsWithDefaults({
    ...access,
    headers: { 'x-gateway': 'Bearer Qm7Wn2Kd9' },
    statesHeaders: { 'x-door': 'Vb4Xc8Lp1' },
    only: ['ACCEPTS-whoami', 'NOTIFICATION-READ-OK', 'SHAPE-whoami'],
  })
  const missing: string[] = []
  const guarded = withMiddleware(target, async ({ url, headers }, next) => {
    const [name, other] = url === access.statesUrl ? ['x-door', 'x-gateway'] : ['x-gateway', 'x-door']
    if (headers[name] === undefined || headers[other] !== undefined) missing.push(url)
    const response = await next()
    if (!url.endsWith('/whoami')) return response
    return Response.json({ ...((await response.json()) as object), plan: null, echo: headers })
  })
  expect(await preflightProblem(guarded, settings)).toBeUndefined()
  const run = await runSuite({ target: guarded, settings })
  expect(missing).toEqual([])
  expect(run.results.filter(({ outcome }) => outcome === 'passed')).toHaveLength(2)
  const text = JSON.stringify(reportLeniently(run, namedSecretsOfRun(settings, run.secrets)))
  expect(text).toContain('$WORK_AGENT_HEADER')
  expect(text).not.toMatch(/Qm7Wn2Kd9|Vb4Xc8Lp1/)
})
