/** A refusal shows something only beside an accepted twin: each check that is refused has seen one accepted. */
import { expect, test } from 'vitest'
import { type OperationId, routeOf } from '#contract/operation.ts'
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { isProbe, type Probe } from '../harness/requirement.ts'
import { settingsWith } from '../harness/settings.ts'
import { judge } from '../runner/run.ts'
import { embeddedMock } from '../targets/in-process.ts'
import { catalogue } from './index.ts'

/** It only looks whether routes are there, and means its requests to be refused. */
const withoutTwin = ['EXTENDED-OFFERED']

/** A twin costs a credit, or needs a state; whoever is refused without one is judged all the same. */
function hasTwin(operation: OperationId): boolean {
  return routeOf(operation).cost === 0 && operation !== 'readNotification'
}

/** What a check exchanges when nothing else has been judged before it, and what it came to. */
async function judgeAlone(probe: Probe): Promise<{ outcome: string | undefined; exchanges: Exchange[] }> {
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
  const { verdicts } = await judge({ target, settings, requirements: [watched] })
  return { outcome: verdicts[0]?.outcome, exchanges }
}

const isRefused = ({ status }: Exchange) => status >= 400 && status < 500 && status !== 429

test.each(
  catalogue.filter(isProbe).filter(({ id }) => !withoutTwin.includes(id)),
)('$id sees a free operation accepted beside its refusal', async (probe) => {
  const { outcome, exchanges } = await judgeAlone(probe)
  expect(['passed', 'not_applicable']).toContain(outcome)
  const accepted = new Set(exchanges.filter(isAccepted).map(({ operation }) => operation))
  const alone = exchanges.filter(
    (one) => isRefused(one) && hasTwin(one.operation) && !accepted.has(one.operation),
  )
  expect(alone.map(({ operation, status }) => `${status} of ${operation}`)).toEqual([])
})
