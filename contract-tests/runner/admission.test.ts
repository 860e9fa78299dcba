/** A valid request that is refused or answered 5xx is a violation wherever it is seen. */
import { expect, test } from 'vitest'
import { reportFormats } from '#reporting/formats.ts'
import { settingsWithDefaults } from '../harness/terms.ts'
import { renderConformance } from '../report/presentation.ts'
import { explore } from '../search/explore.ts'
import { createEmbeddedMock } from '../targets/in-process.ts'
import { type Middleware, withMiddleware } from '../testing/middleware.ts'
import { idsWithOutcome, lenientConditions, reportLeniently, runSuiteOnMock } from '../testing/run.ts'
import { judgeRecordedHistory } from './history.ts'
import { concludeSuiteRun } from './outcome-of-run.ts'

/** Answers every n-th request that would be accepted with 500. */
const everyOther = (n: number, method: string, path: RegExp): Middleware => {
  let count = 0
  return async (request, next) => {
    const response = await next()
    const isMeant = request.method === method && path.test(request.path) && response.ok
    if (!isMeant || ++count % n !== 0) return response
    return Response.json({ error: 'internal_error', message: 'No.' }, { status: 500 })
  }
}

const now = Date.UTC(2026, 2, 2, 9)

async function verdict(between: Middleware, only: readonly string[]) {
  const { run } = await runSuiteOnMock({ runId: 'verify-admission', only }, { options: { now }, between })
  return concludeSuiteRun(run, lenientConditions)
}

test('it counts although --only selects something that needs it', async () => {
  const { run, judgement } = await verdict(everyOther(1, 'POST', /keys$/), ['KEY-LISTED'])
  expect([judgement.outcome, idsWithOutcome(run, 'failed')]).toEqual(['failed', ['ACCEPTS-createKey']])
})

/** A service that takes requests without a key for those of its first organization. */
const openTo =
  (key: string): Middleware =>
  (request, next) =>
    request.headers.authorization || request.headers.cookie
      ? next()
      : next({ authorization: `Bearer ${key}` })

/** A service that creates a task of whatever body it gets. */
const takesAny: Middleware = async ({ method, path, body }, next) => {
  const response = await next()
  if (method !== 'POST' || !path.endsWith('/tasks') || response.status !== 400 || body === undefined)
    return response
  const task = { id: 'task_of_anything', text: '', status: 'pending', description: null, created_at: null }
  return Response.json({ task }, { status: 201 })
}

test.each<[string, string, (key: string) => Middleware]>([
  ['answers some requests 500', 'ACCEPTS-createTask', () => everyOther(6, 'POST', /tasks$/)],
  ['takes requests without a key', 'AUTH-MISSING-', openTo],
  ['takes any body', 'INPUT-MISSING-createTask', () => takesAny],
])('the search finds that a service %s, and so does the judge of its history', async (_, prefix, between) => {
  const { target, access } = createEmbeddedMock({ now })
  const settings = settingsWithDefaults({ ...access, runId: 'verify-search' })
  const service = withMiddleware(target, between(access.apiKey))
  const found = await explore(settings, service, { until: { steps: 150 }, seed: 4, clients: 4 })
  const ids = found.findings.map(({ violation }) => violation.requirement)
  const id = ids.find((one) => one.startsWith(prefix))
  expect(id).toBeDefined()
  expect(idsWithOutcome(judgeRecordedHistory(found.history, 'history', settings), 'failed')).toContain(id)
})

test('every format counts the answers by their status', async () => {
  const { run } = await verdict(everyOther(2, 'GET', /whoami$/), ['ACCEPTS-*', 'AUTH-MISSING-whoami'])
  const report = reportLeniently(run)
  expect(Object.keys(report.answers)).toEqual(expect.arrayContaining(['200', '401', '500']))
  const sent = Object.values(report.answers).reduce((sum, one) => sum + one, 0)
  expect(sent).toBe(run.history.filter((event) => event.kind === 'request').length)
  for (const format of reportFormats) {
    const text = renderConformance(report, format)
    const count = report.answers[500]
    expect(text, format).toMatch(
      { json: `"500": ${count}`, junit: `name="answers_500" value="${count}"` }[format as string] ??
        `${count} of 500`,
    )
  }
})
