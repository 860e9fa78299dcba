/** Under every fault: each careless client leaves exactly its effect, and the reference client none. */
import { test } from 'vitest'
import type { ClientReport } from '#client-tests/client-report.ts'
import { effects } from '#client-tests/every-fault/effects.ts'
import { isBroken } from '#client-tests/every-fault/judge-trial.ts'
import { carelessClients, oneTaskClient } from './careless-clients.ts'

import { tryFaults } from './testing/try-faults.ts'

const broken = ({ rules }: ClientReport) => rules.filter(isBroken).map(({ id }) => id)

/** What is wrong in a report, run by run. */
const wrong = ({ matrix }: ClientReport) =>
  [...(matrix?.cells ?? []), ...(matrix?.others ?? [])].flatMap(({ id, violations }) =>
    violations.map((one) => `${id}: ${one.id}: ${one.what}`),
  )

/** A sample in the gate, 500 in `npm run proof`. */
const pairs = process.env.MODE === 'whole' ? 500 : 60

test.concurrent('the reference client is clean under every fault at every request, and under pairs of them', async ({
  expect,
}) => {
  const report = await tryFaults(oneTaskClient(), { every: true, pairs })
  expect(wrong(report)).toEqual([])
  const idle = report.matrix?.cells.filter(({ outcome }) => outcome === 'not_exercised')
  expect([report.outcome, idle, report.matrix?.others.length]).toEqual(['passed', [], pairs])
})

test.concurrent.for(carelessClients)('$id breaks $breaks and nothing else', async ({
  flaw,
  hidesErrors,
  breaks,
}, { expect }) => {
  const report = await tryFaults(oneTaskClient(flaw, hidesErrors), { every: true })
  expect(broken(report), wrong(report).join('\n')).toEqual([breaks])
})

test('each effect has a client that breaks it', ({ expect }) => {
  expect(carelessClients.map(({ breaks }) => breaks).sort()).toEqual(effects.map(({ id }) => id).sort())
})
