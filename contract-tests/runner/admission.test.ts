/** A valid request that is refused or answered 5xx is a violation wherever it is seen. */
import { expect, test } from 'vitest'
import { formats } from '#reporting/formats.ts'
import { resultsOf, type SuiteRun } from '../harness/outcome.ts'
import { type Settings, settingsWith } from '../harness/terms.ts'
import { renderConformance } from '../report/presentation.ts'
import { createReport } from '../report/report.ts'
import { explore } from '../search/explore.ts'
import { triedResults, withExploration } from '../search/results.ts'
import { embeddedMock } from '../targets/in-process.ts'
import { type Between, middleware } from '../testing/middleware.ts'
import { judgeHistory } from './history.ts'
import { conclude, nothingExpected } from './outcome-of-run.ts'
import { runSuite } from './run.ts'

const answer = (status: number, error: string) => Response.json({ error, message: 'No.' }, { status })
const broken = () => answer(500, 'internal_error')

/** Answers every n-th request that would be accepted with something else. */
const everyOther = (n: number, method: string, path: RegExp, instead = broken): Between => {
  let count = 0
  return async (request, next) => {
    const response = await next()
    const isMeant = request.method === method && path.test(request.path) && response.ok
    return isMeant && ++count % n === 0 ? instead() : response
  }
}

/** Refuses a valid key once after each 429. */
function refusingAfterLimit(): Between {
  let isLimited = false
  return async ({ headers }, next) => {
    if (isLimited && headers.authorization) {
      isLimited = false
      return answer(401, 'unauthorized')
    }
    const response = await next()
    isLimited ||= response.status === 429
    return response
  }
}

/** What shows it with few requests. */
const only = ['ACCEPTS-*', 'KEY-*', 'TASK-*', 'RUN-*', 'BUSY-*', 'LIMIT-*']

const conditions = { strict: false, requireComplete: false, expected: nothingExpected, skip: [] }

async function verdict(between: Between, given: Partial<Settings> = {}, options = {}) {
  const { target, access } = embeddedMock({ now: Date.UTC(2026, 2, 2, 9), ...options })
  const settings = settingsWith({ ...access, maxCredits: 20, runId: 'verify-admission', only, ...given })
  const run = await runSuite({ target: middleware(target, between), settings })
  const concluded = conclude(run, conditions)
  const red = resultsOf(concluded.run, 'failed').map(({ requirement }) => requirement.id)
  return { ...concluded, red, settings, target }
}

test.each<[string, string, () => Between]>([
  ['every creation of a key', 'ACCEPTS-createKey', () => everyOther(1, 'POST', /keys$/)],
  ['every fifth creation of a key', 'ACCEPTS-createKey', () => everyOther(5, 'POST', /keys$/)],
  ['every seventh creation of a task', 'ACCEPTS-createTask', () => everyOther(7, 'POST', /tasks$/)],
  ['every third run', 'RUN-ACCEPTED', () => everyOther(3, 'POST', /run$/)],
  [
    'every ninth list of tasks, with 404',
    'ACCEPTS-listTasks',
    () => everyOther(9, 'GET', /tasks$/, () => answer(404, 'not_found')),
  ],
])('a service that refuses %s fails with %s', async (_, id, between) => {
  const { judgement, red } = await verdict(between())
  expect(judgement.outcome).toBe('failed')
  expect(red).toContain(id)
})

test('a service that refuses a valid key once after each 429 fails', async () => {
  const { judgement, red } = await verdict(refusingAfterLimit(), {}, { rateLimit: '20/1s' })
  expect(judgement.outcome).toBe('failed')
  expect(red.some((id) => id.startsWith('ACCEPTS-'))).toBe(true)
})

test('it counts although --only selects something that needs it', async () => {
  const { judgement, red } = await verdict(everyOther(1, 'POST', /keys$/), { only: ['KEY-LISTED'] })
  expect([judgement.outcome, red]).toEqual(['failed', ['ACCEPTS-createKey']])
})

test('the search and the judge of its history find it', async () => {
  const { target, access } = embeddedMock({ now: Date.UTC(2026, 2, 2, 9) })
  const settings = settingsWith({ ...access, maxCredits: 8, runId: 'verify-search' })
  const service = middleware(target, everyOther(6, 'POST', /tasks$/))
  const found = await explore(settings, service, { until: { steps: 300 }, seed: 3, clients: 4 })
  expect(found.findings.map(({ violation }) => violation.requirement)).toEqual(['ACCEPTS-createTask'])
  const { run } = await verdict((_, next) => next(), { only: ['ACCEPTS-createTask'] })
  const nothing: SuiteRun = {
    ...run,
    results: triedResults(
      run.results.map((one) => one.requirement),
      new Set(),
      () => undefined,
    ),
  }
  const [result] = withExploration(nothing, found, () => undefined).results
  expect(result).toMatchObject({ outcome: 'failed', actual: '500 internal_error' })
  const judged = judgeHistory(found.history, 'history', settings)
  expect(resultsOf(judged, 'failed').map(({ requirement }) => requirement.id)).toEqual(['ACCEPTS-createTask'])
})

/** A service that takes requests without a key for those of its first organization. */
const openTo =
  (key: string): Between =>
  (request, next) =>
    request.headers.authorization || request.headers.cookie
      ? next()
      : next({ authorization: `Bearer ${key}` })

/** A service that creates a task of whatever body it gets. */
const takesAny: Between = async ({ method, path, body }, next) => {
  const response = await next()
  if (method !== 'POST' || !path.endsWith('/tasks') || response.status !== 400 || body === undefined)
    return response
  const task = { id: 'task_of_anything', text: '', status: 'pending', description: null, created_at: null }
  return Response.json({ task }, { status: 201 })
}

test.each<[string, string, (key: string) => Between]>([
  ['takes requests without a key', 'AUTH-MISSING-', openTo],
  ['takes any body', 'INPUT-MISSING-createTask', () => takesAny],
])('the search finds that a service %s, and so does the judge of its history', async (_, prefix, between) => {
  const { target, access } = embeddedMock({ now: Date.UTC(2026, 2, 2, 9) })
  const settings = settingsWith({ ...access, runId: 'verify-search' })
  const service = middleware(target, between(access.apiKey))
  const found = await explore(settings, service, { until: { steps: 2_000 }, seed: 3, clients: 4 })
  const id = found.findings
    .map(({ violation }) => violation.requirement)
    .find((one) => one.startsWith(prefix))
  expect(id).toBeDefined()
  const judged = judgeHistory(found.history, 'history', settings)
  expect(resultsOf(judged, 'failed').map(({ requirement }) => requirement.id)).toContain(id)
})

test('a gateway that answers in place of the service is not the service', async () => {
  const gateway = () => new Response('<h1>502 Bad Gateway</h1>', { status: 502 })
  const { run } = await verdict(everyOther(9, 'GET', /tasks$/, gateway))
  expect(resultsOf(run, 'failed')).toEqual([])
})

test('one 503 is a finding of advice, and one that stays is a violation', async () => {
  const unavailable = () => answer(503, 'unavailable')
  const once = await verdict(everyOther(4, 'GET', /tasks$/, unavailable))
  expect(once.red).toEqual([])
  expect(resultsOf(once.run, 'warned').map(({ requirement }) => requirement.id)).toEqual([
    'UNAVAILABLE-UNARRANGED',
  ])
  expect((await verdict(everyOther(1, 'GET', /tasks$/, unavailable))).red).toContain('ACCEPTS-listTasks')
})

test('every format counts the answers by their status', async () => {
  const { run, judgement } = await verdict(everyOther(2, 'GET', /whoami$/), {
    only: ['ACCEPTS-*', 'AUTH-MISSING-whoami'],
  })
  const report = createReport(run, judgement, { name: 'suite', version: '1' }, [])
  expect(report.answers).toMatchObject({
    200: expect.any(Number),
    401: expect.any(Number),
    500: expect.any(Number),
  })
  const sent = Object.values(report.answers).reduce((sum, one) => sum + one, 0)
  expect(sent).toBe(run.history.filter((event) => event.kind === 'request').length)
  for (const format of formats) {
    const text = renderConformance(report, format)
    const count = report.answers[500]
    expect(text, format).toMatch(
      { json: `"500": ${count}`, junit: `name="answers_500" value="${count}"` }[format as string] ??
        `${count} of 500`,
    )
  }
})
