/** Responses while a provider state makes the service unavailable. */
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
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
    const requests: [FreeOperation, CallOptions][] = []
    for (const operation of operations) {
      const control = await positiveControl(t, operation).catch(() => undefined)
      if (control && isAccepted(control)) requests.push([operation, await validRequests[operation](t)])
    }
    return t.during('unavailable', {}, async () => {
      const answers: Exchange[] = []
      for (const [operation, options] of requests)
        answers.push(await t.call(operation, { ...options, takes: [503] }))
      return answers
    })
  })

/** The error to throw if the state has no effect. */
export const outageFault = () => providerFault('the state "unavailable" makes nothing unavailable')
