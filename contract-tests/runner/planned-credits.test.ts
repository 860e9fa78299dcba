/** No run spends more credits than were planned, whichever requirements are selected. */
import { expect, test } from 'vitest'
import { catalogue } from '../catalogue/index.ts'
import { isProbe } from '../harness/requirement.ts'
import { settingsWith } from '../harness/terms.ts'
import { embeddedMock } from '../targets/in-process.ts'
import { type Between, middleware } from '../testing/middleware.ts'
import { costOfAttempt, plannedCredits } from './planned-credits.ts'
import { runSuite } from './run.ts'

const probes = catalogue.filter(isProbe)

/** Runs one requirement alone: its outcome, what it spent and what was planned. */
async function runOnly(id: string, between: Between = (_, next) => next()) {
  const { target, access } = embeddedMock()
  const settings = settingsWith({ ...access, extended: 'on', maxCredits: 20, only: [id] })
  const run = await runSuite({ target: middleware(target, between), settings })
  const { outcome } = run.results.find(({ requirement }) => requirement.id === id) ?? {}
  return { outcome, spent: run.credits.spent, planned: plannedCredits(settings, catalogue) }
}

test.each(
  probes.map((probe) => [probe.id, probe] as const),
)('%s alone is exercised by one attempt and spends no more than planned', async (id, probe) => {
  const { outcome, spent, planned } = await runOnly(id)
  expect(['passed', 'not_applicable']).toContain(outcome)
  expect(spent).toBeLessThanOrEqual(costOfAttempt(probe))
  expect(spent).toBeLessThanOrEqual(planned)
})

test.each(
  probes.filter((probe) => costOfAttempt(probe) > 0).map(({ id }) => id),
)('%s alone spends no more than planned if balances are wrong', async (id) => {
  let readings = 0
  const { spent, planned } = await runOnly(id, async ({ path }, next) => {
    const response = await next()
    if (!path.endsWith('/whoami') || !response.ok) return response
    const whoami = (await response.json()) as { credits: number }
    return Response.json({ ...whoami, credits: whoami.credits - (readings++ % 7) / 7 })
  })
  expect(spent).toBeLessThanOrEqual(planned)
})

test('a selection of several requirements is planned as their sum, up to what is allowed', () => {
  const given = settingsWith({ apiKey: 'key', statesUrl: 'http://states.test', maxCredits: 20 })
  const planned = (...only: string[]) => plannedCredits({ ...given, only }, catalogue)
  expect(planned('RUN-ENDS')).toBe(1)
  expect(planned('RUN-ENDS', 'RUN-TASK-ID')).toBe(2)
  expect(planned('CREDITS-REFUND')).toBe(5)
  expect(planned('AUTH-MISSING-*')).toBe(0)
  expect(plannedCredits({ ...given, maxCredits: 3, only: ['CREDITS-REFUND'] }, catalogue)).toBe(3)
  expect(plannedCredits({ ...given, readOnly: true }, catalogue)).toBe(0)
})
