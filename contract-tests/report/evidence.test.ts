/** The evidence of a violation shows what decided it, and how it was sent. */
import { expect, test } from 'vitest'
import { defects } from '#proof/defects/index.ts'
import { tryMutations } from '#proof/trial.ts'
import { renderHtml } from '#reporting/render/html.ts'
import { renderText } from '#reporting/render/text.ts'
import { reportOf } from '../testing/run.ts'
import { presentConformance } from './presentation.ts'

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
  const report = reportOf(run)
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
  expect(evidence.at(-1)?.after_wait_ms).toBe(50)
  expect(text).toMatch(/Waited +[\d.]+ s after the answer above/)
  expect(text).toMatch(/Headers +Retry-After: 0, X-Request-Id: log-7/)
  expect(html).toContain('Retry-After: 0; X-Request-Id: log-7')
})

test('EXTENDED-OFFERED names every route that is missing', async () => {
  const { result } = await reportOn('EXTENDED-OFFERED')
  expect(result?.actual).toMatch(/^404 for \w+/)
})
