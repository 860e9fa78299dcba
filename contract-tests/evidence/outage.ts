/** Responses while a provider state makes the service unavailable. */
import { isAccepted } from '#traffic/exchange.ts'
import type { CallOptions } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import { type FreeOperation, freeKeyOperations } from '../harness/operation-groups.ts'
import { providerFault } from '../harness/provider-states.ts'
import { concludeRun, endIfTaken, readyRun } from './refused-runs.ts'
import { positiveControl, validRequests } from './valid-requests.ts'

/** Every free key operation that needs no notification. */
const operations = freeKeyOperations.filter((operation) => operation !== 'readNotification')

/** The responses during an outage of the operations that are accepted otherwise, and to a run. */
export const outage = (t: TestContext) =>
  t.evidence('outage', async () => {
    const prepared = operations.map(async (operation): Promise<[FreeOperation, CallOptions] | undefined> => {
      const control = await positiveControl(t, operation).catch(() => undefined)
      return control && isAccepted(control) ? [operation, await validRequests[operation](t)] : undefined
    })
    const requests = (await Promise.all(prepared)).filter((one) => one !== undefined)
    const ready = t.run.wants('UNAVAILABLE-RUN') ? await readyRun(t).catch(() => undefined) : undefined
    const { answers, refused } = await t.during('unavailable', {}, async () => {
      const send = ([operation, options]: (typeof requests)[number]) =>
        t.call(operation, { ...options, takes })
      return {
        answers: await Promise.all(requests.map(send)),
        refused: ready && (await t.call('runTask', { id: ready.id, takes })),
      }
    })
    if (ready && refused) await endIfTaken(t, ready.id, refused)
    return { answers, ready, refused }
  })

/** The run that was requested during the outage, some time later; undefined if it could not be prepared. */
export const runDuringOutage = (t: TestContext) =>
  t.evidence('run during outage', async () => {
    const { ready, refused } = await outage(t)
    return ready && refused && (await concludeRun(t, ready, refused).catch(() => undefined))
  })

const takes = [503] as const

/** Continues only if some route answers again: if all stay unavailable, the state was not torn down. */
export async function assumeTornDown(t: TestContext): Promise<void> {
  for (const operation of ['listTasks', 'listDocuments'] as const)
    if ((await t.call(operation, { takes })).status !== 503) return
  const what = 'after the teardown of the state "unavailable", key routes still answer 503'
  for (const { states } of t.all) states.giveUp('unavailable', what)
  throw providerFault(what)
}

/** The error to throw if the state has no effect. */
export const outageFault = () => providerFault('the state "unavailable" makes nothing unavailable')
