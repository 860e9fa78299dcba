/** The JSON report and its schema, and what it shows of the exchanges and of the states that were set up for them. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { defects } from '#proof/defects/index.ts'
import { tryMutations } from '#proof/trial.ts'
import { renderHtml } from '#reporting/render/html.ts'
import { renderText } from '#reporting/render/text.ts'
import { catalogue } from '../catalogue/index.ts'
import type { ProviderStateEvent, RequestEvent } from '../model/event.ts'
import { reportLeniently, runSuiteOnMock } from '../testing/run.ts'
import { providerStatesInForce, sharedFixtureTexts } from './arranged.ts'
import { presentConformance, renderConformance } from './presentation.ts'
import { type ConformanceReport, reportSchemaText } from './report.ts'
import { namedSecretsOfRun } from './secrets.ts'
import { sampleReport } from './testing/sample.ts'

const validate = new Ajv2020({ validateFormats: false, strict: true }).compile(JSON.parse(reportSchemaText()))

/** The JSON format of a report, read again. */
const read = (report: ConformanceReport) => JSON.parse(renderConformance(report, 'json'))

/** The reasons why a report does not match the schema; empty if it does. */
function misfits(report: unknown): unknown[] {
  validate(report)
  return validate.errors ?? []
}

test('the report of a run fits the schema and has each requirement of the catalogue once', async () => {
  const given = { extended: 'on', maxCredits: 20 } as const
  const { run, target, settings } = await runSuiteOnMock(given, { options: { variant: 'second' } })
  const report = read(reportLeniently(run, namedSecretsOfRun(settings, run.secrets)))
  expect(misfits(report)).toEqual([])
  expect(report.requirements.map(({ id }: { id: string }) => id)).toEqual(catalogue.map(({ id }) => id))
  expect(report).toMatchObject({
    schema_version: 1,
    target: { base_url: target.baseUrl, variant: 'second', extended: 'offered' },
    outcome: 'passed',
    left: [],
    // Prerequisites are only named in a run of selected requirements.
    took_along: [],
  })
  const counted = Object.values(report.totals as Record<string, number>).reduce((a, b) => a + b, 0)
  expect(counted).toBe(catalogue.length)
})

test('a report with every outcome and every odd character fits the schema', () => {
  expect(misfits(read(sampleReport()))).toEqual([])
})

test('the schema refuses what is not in it', () => {
  for (const change of [{ extra: 1 }, { totals: { passed: 1 } }, { outcome: 'fine' }])
    expect(misfits({ ...sampleReport(), ...change })).not.toEqual([])
})

const at = (seq: number) => ({ seq, ms: seq * 10 })

const request = (seq: number, operation: RequestEvent['operation'], tenant = 'main'): RequestEvent => {
  return { kind: 'request', id: seq, operation, tenant, sent: at(seq), answer: null }
}

const state = (seq: number, name: string, params = {}, action: ProviderStateEvent['action'] = 'setup') => {
  const event = { kind: 'arranged', id: -seq, tenant: 'main', state: name, action } as const
  return { ...event, params: { org_id: 'o', ...params }, sent: at(seq), received: at(seq) }
}

const statesOf = (number: number, ...history: (RequestEvent | ProviderStateEvent)[]) =>
  providerStatesInForce({ number }, history)

test('a state is named until it is torn down, without the organization', () => {
  const limit = { limit: 1, window_s: 60 }
  const history = [
    state(1, 'rate_limit', limit),
    request(3, 'listTasks'),
    state(4, 'rate_limit', limit, 'teardown'),
    request(5, 'listTasks'),
  ]
  expect(statesOf(3, ...history)).toEqual([{ state: 'rate_limit', params: limit, before_ms: 20 }])
  expect(statesOf(5, ...history)).toEqual([])
})

test('a balance is named up to the first paid request, which may change it', () => {
  const history = [state(1, 'credits', { credits: 1 }), request(2, 'runTask'), request(3, 'runTask')]
  expect(statesOf(2, ...history)).toHaveLength(1)
  expect(statesOf(3, ...history)).toEqual([])
})

test('a state says nothing of other operations, other organizations and later times', () => {
  expect(statesOf(3, state(1, 'next_run_fails'), request(3, 'runTask'))).toHaveLength(1)
  const busy = state(1, 'agent_busy', { duration_ms: 30 })
  expect(statesOf(3, busy, request(3, 'runTask'))).toHaveLength(1)
  expect(statesOf(9, busy, request(9, 'runTask'))).toEqual([])
  expect(statesOf(3, busy, request(3, 'listTasks'))).toEqual([])
  expect(statesOf(3, busy, request(3, 'runTask', 'other'))).toEqual([])
})

test('a failing generation is named of the one that failed, not of one beside it', () => {
  const answered = (seq: number, status: number): RequestEvent => {
    return { ...request(seq, 'generateCreative'), answer: { status, received: at(4) } }
  }
  const history = [state(1, 'next_creative_fails'), answered(2, 503), answered(3, 200)]
  expect(statesOf(2, ...history)).toHaveLength(1)
  expect(statesOf(3, ...history)).toEqual([])
})

test('the cost of a run takes a failing run along, and says what both cost: a refunded credit is not spent', async () => {
  const { run } = await runSuiteOnMock({ only: ['CREDITS-RUN-COSTS-ONE'], maxCredits: 20 })
  const report = reportLeniently(run)
  expect(report.took_along).toEqual(['a run', 'a failing run'])
  expect(report.credits.spent).toBe(1)
  expect(presentConformance(report).notes).toContain(
    'Prerequisite requests: a run, a failing run; 1 Work Credit in all.',
  )
})

test('what is shared only to compare is not mentioned', () => {
  const evidence = new Map([
    ['other org', new Set([''])],
    ['positive control', new Set(['whoami', 'getTask'])],
  ])
  expect(sharedFixtureTexts(evidence)).toEqual(['valid requests of whoami, getTask'])
})

/** The report on a service with a defect that breaks a requirement, tried alone. */
async function reportOn(id: string, only: readonly string[] = [id], named?: string) {
  const defect = defects.find((one) => one.breaks.join() === id && (named === undefined || one.id === named))
  if (!defect) throw new Error(`no defect breaks ${id} alone`)
  const requestIds = (): ReturnType<typeof defect.mutate> => ({
    async middleware({ request }, next) {
      const response = await next(request)
      const headers = new Headers(response.headers)
      headers.set('x-request-id', 'log-7')
      return new Response(response.body, { status: response.status, headers })
    },
  })
  const { run } = await tryMutations([defect.mutate(), requestIds()], 'first', { extended: 'on', only })
  const report = reportLeniently(run)
  const result = report.requirements.find((one) => one.id === id)
  const presented = presentConformance(report)
  const evidence = result?.evidence ?? []
  return { result, evidence, text: renderText(presented), html: renderHtml(presented) }
}

const statusesOf = (evidence: Awaited<ReturnType<typeof reportOn>>['evidence'], operation: string) =>
  evidence.filter((one) => one.operation === operation).map(({ response }) => response.status)

test('CREDITS-ATOMIC shows the runs that raced, as requests sent at once', async () => {
  const { evidence, text, html } = await reportOn('CREDITS-ATOMIC')
  const raced = evidence.filter(({ operation }) => operation === 'runTask')
  expect(raced.length).toBeGreaterThan(2)
  expect(new Set(raced.map(({ together }) => together))).toEqual(new Set([raced[0]?.together]))
  expect(raced[0]?.together).toBeDefined()
  expect(raced[0]?.arranged?.map(({ state }) => state)).toContain('credits')
  expect(text).toContain(`At once      ${raced.length} requests`)
  expect(text).toMatch(/All at once +curl -i -X POST .+ & curl -i .+ & wait/)
  expect(html).toContain(`1 of ${raced.length} sent at once`)
})

test('RUN-TWICE shows the run that was refused beside those that were not', async () => {
  const { evidence } = await reportOn('RUN-TWICE', ['RUN-TWICE', 'CREDITS-RUN-COSTS-ONE'])
  const runs = evidence.filter(({ operation }) => operation === 'runTask')
  const isRefused = ({ response }: (typeof runs)[number]) => response.body.includes('"invalid_request"')
  expect(runs.filter(isRefused)).toHaveLength(1)
  expect(runs.length).toBeGreaterThan(1)
})

test('NOTIFICATION-READ-AGAIN shows both markings', async () => {
  const { evidence } = await reportOn('NOTIFICATION-READ-AGAIN')
  expect(statusesOf(evidence, 'readNotification')).toHaveLength(2)
})

test('LIMIT-WAITED-OUT shows the first 429, its Retry-After, the wait, and the request ids of the service', async () => {
  const { evidence, text, html } = await reportOn('LIMIT-WAITED-OUT', undefined, 'limit-retry-after-short')
  expect(statusesOf(evidence, 'whoami').slice(-2)).toEqual([429, 429])
  expect(evidence.at(-1)?.after_wait_ms).toBe(1_050)
  expect(text).toMatch(/Waited +[\d.]+ s after the answer above/)
  expect(text).toMatch(/Headers +Retry-After: 1, X-Request-Id: log-7/)
  expect(html).toContain('Retry-After: 1; X-Request-Id: log-7')
})

test('EXTENDED-OFFERED names every route that is missing', async () => {
  const { result } = await reportOn('EXTENDED-OFFERED')
  expect(result?.actual).toMatch(/^404 for \w+/)
})
