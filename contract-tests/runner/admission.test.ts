/** A valid request that is refused or answered 5xx is a violation wherever it is seen. */
import { expect, test } from 'vitest'
import { formats } from '#reporting/formats.ts'
import { type Settings, settingsWith } from '../harness/terms.ts'
import { renderConformance } from '../report/presentation.ts'
import { explore } from '../search/explore.ts'
import { triedResults, withExploration } from '../search/results.ts'
import { embeddedMock } from '../targets/in-process.ts'
import { type Between, middleware } from '../testing/middleware.ts'
import { idsOf, plain, reportOf, runOnMock } from '../testing/run.ts'
import { judgeHistory } from './history.ts'
import { conclude } from './outcome-of-run.ts'

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

/** What shows it with few requests. */
const only = ['ACCEPTS-*', 'KEY-*', 'TASK-*', 'RUN-*', 'BUSY-*', 'LIMIT-*']

const now = Date.UTC(2026, 2, 2, 9)

async function verdict(between: Between, given: Partial<Settings> = {}) {
  const settings = { maxCredits: 20, runId: 'verify-admission', only, ...given }
  const tried = await runOnMock(settings, { options: { now }, between })
  const { run, judgement } = conclude(tried.run, plain)
  return { run, outcome: judgement.outcome, red: idsOf(run, 'failed') }
}

// The proof has services that answer 500 to every valid request of an operation, to some, or after a 429.
test.each([
  ['every ninth list of tasks with 404', everyOther(9, 'GET', /tasks$/, () => answer(404, 'not_found'))],
  ['every list of tasks with 503', everyOther(1, 'GET', /tasks$/, () => answer(503, 'unavailable'))],
])('a service that answers %s fails', async (_, between) => {
  const { outcome, red } = await verdict(between)
  expect(outcome).toBe('failed')
  expect(red).toContain('ACCEPTS-listTasks')
})

test('it counts although --only selects something that needs it', async () => {
  const { outcome, red } = await verdict(everyOther(1, 'POST', /keys$/), { only: ['KEY-LISTED'] })
  expect([outcome, red]).toEqual(['failed', ['ACCEPTS-createKey']])
})

/** What the search finds of a service, and what the judge of its history fails. */
async function searched(between: (key: string) => Between, steps: number) {
  const { target, access } = embeddedMock({ now })
  const settings = settingsWith({ ...access, runId: 'verify-search' })
  const service = middleware(target, between(access.apiKey))
  const found = await explore(settings, service, { until: { steps }, seed: 3, clients: 4 })
  const ids = found.findings.map(({ violation }) => violation.requirement)
  return { found, ids, judged: idsOf(judgeHistory(found.history, 'history', settings), 'failed') }
}

test('the search and the judge of its history find it', async () => {
  const { found, ids, judged } = await searched(() => everyOther(6, 'POST', /tasks$/), 300)
  expect([ids, judged]).toEqual([['ACCEPTS-createTask'], ['ACCEPTS-createTask']])
  const { run } = await verdict((_, next) => next(), { only: ['ACCEPTS-createTask'] })
  const requirements = run.results.map(({ requirement }) => requirement)
  const nothing = { ...run, results: triedResults(requirements, new Set(), () => undefined) }
  const [result] = withExploration(nothing, found, () => undefined).results
  expect(result).toMatchObject({ outcome: 'failed', actual: '500 internal_error' })
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
  const { ids, judged } = await searched(between, 2_000)
  const id = ids.find((one) => one.startsWith(prefix))
  expect(id).toBeDefined()
  expect(judged).toContain(id)
})

test('every format counts the answers by their status', async () => {
  const given = { only: ['ACCEPTS-*', 'AUTH-MISSING-whoami'] }
  const { run } = await verdict(everyOther(2, 'GET', /whoami$/), given)
  const report = reportOf(run)
  expect(Object.keys(report.answers)).toEqual(expect.arrayContaining(['200', '401', '500']))
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
