/** Responses while a provider state makes the service unavailable. */
import { isAccepted } from '#traffic/exchange.ts'
import type { CallOptions } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import { type FreeOperation, freeKeyOperations } from '../harness/operation-groups.ts'
import { providerFault } from '../harness/provider-states.ts'
import { positiveControl, validRequests } from './valid-requests.ts'

/** Every free key operation that needs no notification. */
const operations = freeKeyOperations.filter((operation) => operation !== 'readNotification')

/** The responses during an outage of the operations that are accepted otherwise. */
export const outage = (t: TestContext) =>
  t.evidence('outage', async () => {
    const prepared = operations.map(async (operation): Promise<[FreeOperation, CallOptions] | undefined> => {
      const control = await positiveControl(t, operation).catch(() => undefined)
      return control && isAccepted(control) ? [operation, await validRequests[operation](t)] : undefined
    })
    const requests = (await Promise.all(prepared)).filter((one) => one !== undefined)
    return t.during('unavailable', {}, async () => {
      const send = ([operation, options]: (typeof requests)[number]) =>
        t.call(operation, { ...options, takes: [503] })
      return Promise.all(requests.map(send))
    })
  })

/** The error to throw if the state has no effect. */
export const outageFault = () => providerFault('the state "unavailable" makes nothing unavailable')
