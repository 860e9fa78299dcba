/** Each check alone: it is exercised, spends no more credits than planned, and shows that what it refuses is valid. */
import { expect, test } from 'vitest'
import { type OperationId, routeOf } from '#contract/operation.ts'
import { sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { type Exchange, hasSuccessStatus } from '#traffic/exchange.ts'
import { catalogue } from '../catalogue/index.ts'
import { type Check, isCheck } from '../harness/requirement.ts'
import { settingsWithDefaults } from '../harness/terms.ts'
import type { Middleware } from '../testing/middleware.ts'
import { runSuiteOnMock } from '../testing/run.ts'
import { maxAttemptCredits, maxPlannedCredits } from './planned-credits.ts'
import { adaptRequirementsToSettings } from './selection.ts'

const checks = catalogue.filter(isCheck)

/** Runs one check alone: its outcome and traffic, what it spent and what was planned. */
async function runOnly(check: Check, between?: Middleware) {
  const exchanges: Exchange[] = []
  const watched: Check = {
    ...check,
    async run(t) {
      const note = await check.run(t)
      exchanges.push(...t.recorder.exchanges)
      return note
    },
  }
  const requirements = catalogue.map((one) => (one === check ? watched : one))
  const given = { extended: 'on', maxCredits: 20, only: [check.id] } as const
  const { run, settings } = await runSuiteOnMock(given, { requirements, ...(between && { between }) })
  const { outcome } = run.results.find(({ requirement }) => requirement.id === check.id) ?? {}
  return { outcome, exchanges, spent: run.credits.spent, planned: maxPlannedCredits(settings, catalogue) }
}

/** True if a refusal needs a positive control: not if its operation costs a credit or needs a provider state. */
const needsControl = ({ operation, status }: Exchange) =>
  status >= 400 &&
  status < 500 &&
  status !== 429 &&
  routeOf(operation).cost === 0 &&
  operation !== 'readNotification'

/** The operations that were refused and never accepted. */
function withoutControl(exchanges: readonly Exchange[]): OperationId[] {
  const accepted = new Set(exchanges.filter(hasSuccessStatus).map(({ operation }) => operation))
  return exchanges.filter(needsControl).flatMap(({ operation }) => (accepted.has(operation) ? [] : operation))
}

test.each(
  sampleUnlessExhaustive(checks, 8),
)('$id alone is exercised within its plan, and shows that what it refuses is valid', async (check) => {
  const { outcome, exchanges, spent, planned } = await runOnly(check)
  expect(['passed', 'not_applicable']).toContain(outcome)
  expect(spent).toBeLessThanOrEqual(maxAttemptCredits(check))
  expect(spent).toBeLessThanOrEqual(planned)
  // The run only tests whether routes exist, with requests that are meant to be refused.
  if (check.id !== 'EXTENDED-OFFERED') expect(withoutControl(exchanges)).toEqual([])
})

test.each(
  sampleUnlessExhaustive(
    checks.filter(({ runsInsteadOfState }) => runsInsteadOfState > 0),
    3,
  ),
)('$id is exercised without provider states, within its plan', async ({ id }) => {
  const given = { maxCredits: 20, statesUrl: undefined, only: [id] }
  const { run, settings } = await runSuiteOnMock(given)
  expect(run.results.find(({ requirement }) => requirement.id === id)?.outcome).toBe('passed')
  expect(run.credits.spent).toBeGreaterThan(0)
  expect(run.credits.spent).toBeLessThanOrEqual(
    maxPlannedCredits(settings, adaptRequirementsToSettings(catalogue, settings)),
  )
})

test.each(
  sampleUnlessExhaustive(
    checks.filter((check) => maxAttemptCredits(check) > 0),
    4,
  ),
)('$id alone spends no more than planned if balances are wrong', async (check) => {
  let readings = 0
  const { spent, planned } = await runOnly(check, async ({ path }, next) => {
    const response = await next()
    if (!path.endsWith('/whoami') || !response.ok) return response
    const whoami = (await response.json()) as { credits: number }
    return Response.json({ ...whoami, credits: whoami.credits - (readings++ % 7) / 7 })
  })
  expect(spent).toBeLessThanOrEqual(planned)
})

test('a selection of several requirements is planned as their sum, up to what is allowed', () => {
  const given = settingsWithDefaults({ apiKey: 'key', statesUrl: 'http://states.test', maxCredits: 20 })
  const planned = (...only: string[]) => maxPlannedCredits({ ...given, only }, catalogue)
  expect(planned('RUN-ENDS')).toBe(1)
  expect(planned('RUN-ENDS', 'RUN-TASK-ID')).toBe(2)
  expect(planned('CREDITS-REFUND')).toBe(5)
  expect(planned('AUTH-MISSING-*')).toBe(0)
  expect(maxPlannedCredits({ ...given, maxCredits: 3, only: ['CREDITS-REFUND'] }, catalogue)).toBe(3)
  expect(maxPlannedCredits({ ...given, readOnly: true }, catalogue)).toBe(0)
})
