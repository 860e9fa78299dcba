/** Bad requests to create something, which several requirements share, and what they leave. */
import type { OperationId } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted } from '../harness/expect.ts'
import { assumeCreditsOfFree, betweenReadings } from './credits.ts'
import { refusedGeneration } from './generations.ts'
import { requestKey } from './keys.ts'
import { outwaitRefusals } from './refusals.ts'
import { firstOfAllDocuments, listAllDocuments } from './resources.ts'
import { assumePositiveControl, positiveControl } from './valid-requests.ts'

const wrong = { not: 'a string' }

const creates = {
  createTask: {
    first: (t: TestContext) => positiveControl(t, 'listTasks'),
    list: (t: TestContext) => t.call('listTasks'),
    bodies: [{}, { text: wrong }],
  },
  createDocument: {
    first: firstOfAllDocuments,
    list: listAllDocuments,
    bodies: [{}, { title: wrong }],
  },
} as const

/** Bad requests of an operation between two lists and two readings of the balance. */
export const rejectedCreates = (t: TestContext, operation: keyof typeof creates) =>
  t.evidence(`rejected ${operation}`, async () => {
    const { first, list, bodies } = creates[operation]
    await assumePositiveControl(t, operation)
    await assumeCreditsOfFree(t)
    const before = assumeAccepted(await (t.run.exclusive ? list(t) : first(t)))
    const { made: answers, ...balance } = await betweenReadings(t, async () => {
      const made: Exchange[] = []
      for (const body of bodies) made.push(await t.call(operation, { body }))
      await outwaitRefusals(t, ...made)
      return made
    })
    const listNow = async () => assumeAccepted(await list(t))
    return { answers, balance, before, after: await listNow(), listNow }
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
  if (t.run.exclusive) return undefined
  const answers = await answersTo(t, operation).catch(() => [])
  return answers.find(({ requestBody }) => requestBody === JSON.stringify(body))
}

/** The responses to bad requests of an operation that other requirements are about. */
async function answersTo(t: TestContext, operation: OperationId): Promise<readonly Exchange[]> {
  if (operation === 'generateCreative')
    return t.run.wants('CREATIVE-REFUSED-FREE') ? [(await refusedGeneration(t)).exchange] : []
  if (!t.run.wants(`LEFTOVER-${operation}`)) return []
  if (operation === 'createTask' || operation === 'createDocument')
    return (await rejectedCreates(t, operation)).answers
  return operation === 'createKey' ? (await rejectedKey(t)).answers : []
}
