/** Under every fault: each careless client leaves exactly its effect, and the reference client none. */
import { afterAll, beforeAll, test, vi } from 'vitest'
import type { ClientReport } from '#client-tests/client-report.ts'
import { effects } from '#client-tests/every-fault/effects.ts'
import { isBroken } from '#client-tests/every-fault/judge-trial.ts'
import { isWhole, sample } from '#mocks/testing/sample.ts'
import { carelessClients, impatient, oneTaskClient } from './careless-clients.ts'
import { tryFaults } from './testing/try-faults.ts'

// A slow answer takes no real time: a timer ends as soon as nothing else is left to do.
beforeAll(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync'),
)
afterAll(() => void vi.useRealTimers())

const broken = ({ rules }: ClientReport) => rules.filter(isBroken).map(({ id }) => id)

/** What is wrong in a report, run by run. */
const wrong = ({ matrix }: ClientReport) =>
  [...(matrix?.cells ?? []), ...(matrix?.others ?? [])].flatMap(({ id, violations }) =>
    violations.map((one) => `${id}: ${one.id}: ${one.what}`),
  )

const pairs = isWhole ? 500 : 30

test('the reference client is clean under every fault at every request, and under pairs of them', async ({
  expect,
}) => {
  const report = await tryFaults(oneTaskClient(), { every: true, pairs })
  expect(wrong(report)).toEqual([])
  const idle = report.matrix?.cells.filter(({ outcome }) => outcome === 'not_exercised')
  expect([report.outcome, idle, report.matrix?.others.length]).toEqual(['passed', [], pairs])
})

test('a client that gives up slow answers and looks again is met by them, and is clean', async ({
  expect,
}) => {
  const report = await tryFaults(oneTaskClient(impatient), { every: true })
  expect(wrong(report)).toEqual([])
  const slow = report.matrix?.cells.filter(({ fault }) => fault === 'slow')
  expect(new Set(slow?.map(({ outcome }) => outcome))).toEqual(new Set(['passed']))
})

test.for(sample(carelessClients, 2))('$id breaks $breaks and nothing else', async ({
  flaw,
  hidesErrors,
  breaks,
}, { expect }) => {
  const report = await tryFaults(oneTaskClient(flaw, hidesErrors), { every: true })
  expect(broken(report), wrong(report).join('\n')).toEqual([breaks])
})

test('a client that gives up while its run goes on reports work as failed that is done in the end', async ({
  expect,
}) => {
  const { flaw } = carelessClients.find(({ id }) => id === 'gives-up-at-lost-look') ?? {}
  const { matrix } = await tryFaults(oneTaskClient(flaw), { rules: ['getTask=reset;times=1'] })
  expect(matrix?.others[0]?.violations).toEqual([
    { id: 'reports-done-work', what: 'ended with an error although its run went on, and did its work' },
  ])
})

test('each effect has a client that breaks it', ({ expect }) => {
  const broken = new Set(carelessClients.map(({ breaks }) => breaks))
  expect([...broken].sort()).toEqual(effects.map(({ id }) => id).sort())
})
