/** A refusal shows something only if a valid request was accepted: each negative check has a positive control. */
import { expect, test } from 'vitest'
import { type OperationId, routeOf } from '#contract/operation.ts'
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { isProbe, type Probe } from '../harness/requirement.ts'
import { settingsWith } from '../harness/terms.ts'
import { runSuite } from '../runner/run.ts'
import { embeddedMock } from '../targets/in-process.ts'
import { catalogue } from './index.ts'

/** Only tests whether routes exist, with requests that are meant to be refused. */
const withoutPositiveControl = ['EXTENDED-OFFERED']

/** Whether an operation needs a positive control: not if it costs a credit or needs a provider state. */
function hasPositiveControl(operation: OperationId): boolean {
  return routeOf(operation).cost === 0 && operation !== 'readNotification'
}

/** Runs one check alone; returns its outcome and traffic. */
async function runAlone(probe: Probe): Promise<{ outcome: string | undefined; exchanges: Exchange[] }> {
  const { target, access } = embeddedMock()
  const exchanges: Exchange[] = []
  const watched: Probe = {
    ...probe,
    async check(t) {
      const note = await probe.check(t)
      exchanges.push(...t.recorder.exchanges)
      return note
    },
  }
  const settings = settingsWith({ ...access, extended: 'on', maxCredits: 20 })
  const { results } = await runSuite({ target, settings, requirements: [watched] })
  return { outcome: results[0]?.outcome, exchanges }
}

const isRefused = ({ status }: Exchange) => status >= 400 && status < 500 && status !== 429

test.each(
  catalogue.filter(isProbe).filter(({ id }) => !withoutPositiveControl.includes(id)),
)('$id has a positive control for each refused free operation', async (probe) => {
  const { outcome, exchanges } = await runAlone(probe)
  expect(['passed', 'not_applicable']).toContain(outcome)
  const accepted = new Set(exchanges.filter(isAccepted).map(({ operation }) => operation))
  const alone = exchanges.filter(
    (one) => isRefused(one) && hasPositiveControl(one.operation) && !accepted.has(one.operation),
  )
  expect(alone.map(({ operation, status }) => `${status} of ${operation}`)).toEqual([])
})
