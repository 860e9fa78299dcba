/** A run gives each requirement one result, whatever happens on the way. */
import { expect, test } from 'vitest'
import { totalsOf } from '#reporting/outcome.ts'
import { catalogue } from '../catalogue/index.ts'
import { NotApplicable, NotExercised, Violation } from '../client/check-errors.ts'
import { newTask } from '../evidence/resources.ts'
import { declare, must, type Probe, type Traits } from '../harness/requirement.ts'
import { settingsWith } from '../harness/terms.ts'
import { createReport } from '../report/report.ts'
import { secretsOf } from '../report/secrets.ts'
import { embeddedMock } from '../targets/in-process.ts'
import { fakeTarget, json, lost } from '../testing/fake-target.ts'
import { middleware } from '../testing/middleware.ts'
import { preflight } from './preflight.ts'
import { runSuite } from './run.ts'

const settings = settingsWith({ apiKey: 'key' })
const ids = catalogue.map(({ id }) => id)

/** The result of one check. */
async function resultOf(check: Probe['check'], traits: Traits = {}, level: 'MUST' | 'SHOULD' = 'MUST') {
  const requirement = declare(level)('ONE', '§1', null, traits).states('It is so.').check(check)
  const run = await runSuite({ target: fakeTarget(() => json(200)), settings, requirements: [requirement] })
  return run.results[0]
}

test('every id of the catalogue has one result, in order, even if all but one are left out', async () => {
  const { target, access } = embeddedMock()
  const run = await runSuite({ target, settings: settingsWith({ ...access, only: ['AUTH-MISSING-whoami'] }) })
  expect(run.results.map(({ requirement }) => requirement.id)).toEqual(ids)
  expect(totalsOf(run.results)).toMatchObject({ passed: 1, not_exercised: ids.length - 1 })
})

test('a history holds the text of a body that is too deep to walk through', async () => {
  const { target, access } = embeddedMock()
  const only = ['DEEP-BODY-createTask']
  const { history } = await runSuite({ target, settings: settingsWith({ ...access, only }) })
  const long = history.filter((event) => JSON.stringify(event).length > 10_000)
  expect(long.length).toBeGreaterThan(0)
  for (const event of long) expect(event).toMatchObject({ body: expect.stringContaining('[[[') })
})

test('what a check throws decides its outcome', async () => {
  const violation = () => Promise.reject(new Violation('a', 'b'))
  expect(await resultOf(async () => undefined)).toMatchObject({ outcome: 'passed' })
  expect(await resultOf(async () => 'as seen')).toMatchObject({ outcome: 'passed', reason: 'as seen' })
  expect(await resultOf(violation)).toMatchObject({ outcome: 'failed', expected: 'a', actual: 'b' })
  expect(await resultOf(violation, {}, 'SHOULD')).toMatchObject({ outcome: 'warned' })
  expect(await resultOf(() => Promise.reject(new NotExercised('why', '--flag')))).toMatchObject({
    outcome: 'not_exercised',
    reason: 'why',
    supply: '--flag',
  })
  expect(await resultOf(() => Promise.reject(new NotApplicable('none')))).toMatchObject({
    outcome: 'not_applicable',
  })
  expect(await resultOf(() => Promise.reject(new TypeError('oops')))).toMatchObject({
    outcome: 'harness_error',
    reason: 'error in the suite: oops',
  })
})

test('the model judges by the times that the run allows, and only what it found something to judge of is met', async () => {
  const outcomes = async (consistency: number) => {
    const { target, access } = embeddedMock()
    const requirements = ['LIST-PROMPT', 'TASK-LISTED'].map((id) =>
      must(id, '§4', 'listTasks')
        .states(`${id} holds.`)
        .judged(async (t) => {
          await newTask(t)
          await t.call('listTasks')
        }),
    )
    const settings = settingsWith({ ...access, consistency, concurrency: 1 })
    return (await runSuite({ target, settings, requirements })).results.map(({ outcome }) => outcome)
  }
  expect(await outcomes(0)).toEqual(['not_exercised', 'passed'])
  expect(await outcomes(60_000)).toEqual(['passed', 'not_exercised'])
})

test('a violation that others may have caused counts only if it is repeated', async () => {
  let times = 0
  const once = async () => {
    if (times++ === 0) throw new Violation('a', 'b')
  }
  expect(await resultOf(once, { quiet: true })).toMatchObject({
    outcome: 'passed',
    reason: expect.stringContaining('somebody else used the organization'),
  })
  const always = () => Promise.reject(new Violation('a', 'b'))
  expect(await resultOf(always, { quiet: true })).toMatchObject({ outcome: 'failed' })
})

test('if the service becomes unreachable, the rest is not exercised and no more requests are sent', async () => {
  const { target, access } = embeddedMock()
  let answered = 0
  let requests = 0
  const dying = middleware(target, async (_, next) => {
    requests++
    if (answered >= 100) throw lost()
    answered++
    return next()
  })
  const run = await runSuite({ target: dying, settings: settingsWith({ ...access, maxCredits: 20 }) })
  const totals = totalsOf(run.results)
  expect(run.unreachable).toMatch(
    /^http:\/\/embedded-mock\.invalid stopped answering after [A-Z]+ \/api\/cli\/\S+ at \d+\.\d s$/,
  )
  expect(run.results).toHaveLength(ids.length)
  expect(totals).toMatchObject({ failed: 0, warned: 0, harness_error: 0 })
  expect(totals.passed).toBeGreaterThan(0)
  const before = requests
  await new Promise((resolve) => setImmediate(resolve))
  expect(requests).toBe(before)
})

test('an interrupted run sends no more requests and reports the interruption', async () => {
  const { target, access } = embeddedMock()
  const controller = new AbortController()
  const paths: string[] = []
  const counting = middleware(target, (request, next) => {
    paths.push(`${request.method} ${request.path}`)
    if (paths.length === 50) controller.abort()
    return next()
  })
  const run = await runSuite({
    target: counting,
    settings: settingsWith({ ...access, maxCredits: 20, concurrency: 1 }),
    signal: controller.signal,
  })
  expect(run.results).toHaveLength(ids.length)
  expect(run.results.filter(({ reason }) => reason === 'the run was interrupted').length).toBeGreaterThan(100)
  expect(paths.slice(50).filter((path) => !path.includes('/api/cli/keys'))).toEqual([])
})

test('progress is called once for each selected requirement, and with the waits that the service requests', async () => {
  const { target, access } = embeddedMock({ rateLimit: '5/10s' })
  const selected = ids.filter((id) => id.startsWith('AUTH-'))
  const reported: string[] = []
  const waits: number[] = []
  await runSuite({
    target,
    settings: settingsWith({ ...access, only: ['AUTH-*'] }),
    progress: ({ requirement }, done, of) => {
      reported.push(requirement.id)
      expect([done, of]).toEqual([reported.length, selected.length])
    },
    onWait: (ms) => waits.push(ms),
  })
  expect(reported.toSorted()).toEqual(selected.toSorted())
  expect(Math.max(...waits)).toBeGreaterThan(1_000)
})

test('observations read the traffic of the whole run', async () => {
  const seen: number[] = []
  const requirements = [
    must('SEEN', '§1', null)
      .states('It was seen.')
      .observe(({ exchanges }) => {
        seen.push(exchanges.length)
      }),
    must('ASK', '§1', 'whoami')
      .states('It answers.')
      .check(async (t) => void (await t.call('whoami'))),
  ]
  await runSuite({ target: fakeTarget(() => json(200)), settings, requirements })
  expect(seen).toEqual([1])
})

test('headers for a gateway reach the service and the states endpoint, and no output', async () => {
  const { target, access } = embeddedMock()
  const settings = settingsWith({
    ...access,
    headers: { 'x-gateway': 'Bearer Qm7Wn2Kd9' },
    statesHeaders: { 'x-door': 'Vb4Xc8Lp1' },
    only: ['ACCEPTS-whoami', 'NOTIFICATION-READ-OK', 'SHAPE-whoami'],
  })
  const missing: string[] = []
  const guarded = middleware(target, async ({ url, headers }, next) => {
    const [name, other] = url === access.statesUrl ? ['x-door', 'x-gateway'] : ['x-gateway', 'x-door']
    if (headers[name] === undefined || headers[other] !== undefined) missing.push(url)
    const response = await next()
    if (!url.endsWith('/whoami')) return response
    return Response.json({ ...((await response.json()) as object), plan: null, echo: headers })
  })
  expect(await preflight(guarded, settings)).toBeUndefined()
  const run = await runSuite({ target: guarded, settings })
  expect(missing).toEqual([])
  expect(run.results.filter(({ outcome }) => outcome === 'passed')).toHaveLength(2)
  const judgement = { outcome: 'failed', strict: false, problems: [] } as const
  const report = createReport(
    run,
    judgement,
    { name: 'suite', version: '1' },
    secretsOf(settings, run.secrets),
  )
  const text = JSON.stringify(report)
  expect(text).toContain('$WORK_AGENT_HEADER')
  expect(text).not.toMatch(/Qm7Wn2Kd9|Vb4Xc8Lp1/)
})
