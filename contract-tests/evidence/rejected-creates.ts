/** Requests to create something with bad input, and what the list and the balance show around them. */
import type { OperationId } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted } from '../harness/expect.ts'
import { assumeCreditsOfFree, betweenReadings } from './credits.ts'
import { requestKey } from './keys.ts'
import { outwaitRefusals } from './refusals.ts'
import { assumePositiveControl } from './valid-requests.ts'

const wrong = { not: 'a string' }

const creates = {
  createTask: {
    list: (t: TestContext) => t.call('listTasks'),
    bodies: [{}, { text: wrong }],
  },
  createDocument: {
    list: (t: TestContext) => t.call('listDocuments', { query: { all: '1' } }),
    bodies: [{}, { title: wrong }],
  },
} as const

/** Bad requests of an operation between two lists and two readings of the balance. */
export const rejectedCreates = (t: TestContext, operation: keyof typeof creates) =>
  t.evidence(`rejected ${operation}`, async () => {
    const { list, bodies } = creates[operation]
    await assumePositiveControl(t, operation)
    await assumeCreditsOfFree(t)
    const before = assumeAccepted(await list(t))
    const { made: answers, ...balance } = await betweenReadings(t, async () => {
      const made: Exchange[] = []
      for (const body of bodies) made.push(await t.call(operation, { body }))
      await outwaitRefusals(t, ...made)
      return made
    })
    return { answers, balance, before, after: assumeAccepted(await list(t)) }
  })

/** A bad request to create a key between two lists. */
export const rejectedKey = (t: TestContext) =>
  t.evidence('rejected createKey', async () => {
    await assumePositiveControl(t, 'createKey')
    const before = assumeAccepted(await t.session.call('listKeys'))
    const answer = await requestKey(t, { name: wrong })
    await outwaitRefusals(t, answer)
    return { answers: [answer], before, after: assumeAccepted(await t.session.call('listKeys')) }
  })

/** The response to a bad request that was sent for one of them; undefined: it has to be sent. */
export async function rejectionOf(
  t: TestContext,
  operation: OperationId,
  body: unknown,
): Promise<Exchange | undefined> {
  // What fails beside other checks is repeated alone, with a request of its own.
  if (!t.run.overlapped || !t.run.wants(`LEFTOVER-${operation}`)) return undefined
  const taken = await rejections[operation]?.(t).catch(() => undefined)
  return taken?.answers.find(({ requestBody }) => requestBody === JSON.stringify(body))
}

const rejections: Partial<
  Record<OperationId, (t: TestContext) => Promise<{ readonly answers: readonly Exchange[] }>>
> = {
  createTask: (t) => rejectedCreates(t, 'createTask'),
  createDocument: (t) => rejectedCreates(t, 'createDocument'),
  createKey: rejectedKey,
}
