/** §8.2: proxies and gateways between the client and the service. */
import { isRunAccepted } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/check-errors.ts'
import type { CallOptions } from '../client/client.ts'
import { readTask } from '../fixtures/awaited-runs.ts'
import { creditsSpentBetween } from '../fixtures/credits.ts'
import { runCostBounds } from '../fixtures/failed-runs.ts'
import { describeAnswerWithProxies, isAnsweredByService, runWithLostAnswer } from '../fixtures/lost-run.ts'
import { ordinaryRun } from '../fixtures/runs.ts'
import { expectSpent } from '../fixtures/spending.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted } from '../harness/expect.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'

/** The credits that a run costs whose answer arrives: one, unless the service charges more for all. */
async function usualRunCost(t: TestContext): Promise<number> {
  const { before, after } = await ordinaryRun(t)
  return Math.max(1, creditsSpentBetween(before, after))
}

/** Requirements on proxies between client and service: they must not repeat paid requests. */
export const proxyRequirements: Requirement[] = [
  must('PATH-RUN-ONCE', '§8.2', 'runTask', {
    cost: 1,
    sharedCredits: 1,
    needs: ['state:answer_lost'],
  })
    .tests('prices')
    .states('A run request whose answer is lost reaches the service once: no gateway sends it again.')
    .experiment('connection', async (t) => {
      const { answer, end, spent } = await runWithLostAnswer(t)
      if (!answer || !isAnsweredByService(answer)) {
        if (answer && answer.status < 500)
          throw new NotExercised(`the run was answered ${describeAnswerWithProxies(answer)}`)
        // The state may close too early, and a network may lose the request itself.
        if (!end && spent === 0)
          throw new NotExercised(
            'no answer came, and the run did not take effect',
            'the state "answer_lost", once more',
          )
        return
      }
      const gateway = new Violation(
        'no answer, or an error of the gateway: the service closed the connection once the run was accepted',
        `${describeAnswerWithProxies(answer)}: something in front of the service sent the request again, and the balance fell by ${spent}`,
        answer,
      )
      if (!isRunAccepted(answer)) throw gateway
      // One that was answered at the first time costs what runs cost.
      if (spent > (await usualRunCost(t))) throw gateway
      throw t.states.giveUp('answer_lost', 'with "answer_lost" the run was answered as usual')
    }),

  must('CREDITS-LOST-ANSWER', '§1, §3.2, §8.2', 'runTask', {
    retryOnViolation: true,
    cost: 1,
    sharedCredits: 1,
    needs: ['state:answer_lost'],
  })
    .tests('billing-unavoidable', 'run-reserves', 'prices')
    .states('A run whose answer is lost costs one credit, unless it fails or does not take effect.')
    .experiment('balance', async (t) => {
      const { id, answer, end, before, after, spent } = await runWithLostAnswer(t)
      if (answer && answer.status < 500)
        throw new NotExercised(`the run was answered ${describeAnswerWithProxies(answer)}`)
      if (spent > 0) {
        // A run that a gateway sent again violates PATH-RUN-ONCE.
        if (answer || spent <= 1) return
        const wanted = { least: 1, most: await usualRunCost(t) }
        const { exchange } = await readTask(t, id)
        return expectSpent(t, wanted, { before, after }, 'by a run whose answer was lost', exchange)
      }
      if (!end) throw new NotExercised('the run did not take effect')
      const wanted = await runCostBounds(t, [end])
      await expectSpent(t, wanted, { before, after }, 'by a run whose answer was lost', end.exchange)
    }),

  should('PATH-NO-LENGTH', '§4', 'readNotification', { writes: true })
    .tests('request-framing')
    .states('A request without a body is accepted without a Content-Length, too.')
    .experiment('connection', async (t) => {
      const options: CallOptions = { id: 'no-such-notification', invented: 'alike' }
      const bare = await t.call('readNotification', { ...options, headers: { 'content-length': '' } })
      if (bare.status !== 400 && bare.status !== 411) return
      const usual = await t.call('readNotification', options)
      if (usual.status === bare.status) return
      throw new Violation(
        `${usual.status}, as with "Content-Length: 0"`,
        describeAnswerWithProxies(bare),
        usual,
        bare,
      )
    }),

  should('PATH-SLOW-BODY', '§4', 'createTask', { exclusive: true, writes: true, needs: ['other_key'] })
    .tests('request-framing')
    .states('Other organizations are answered while the body of a request arrives slowly.')
    .experiment('connection', async (t) => {
      const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
      const body = { text: `${t.name('Slow')} ${'Slowly. '.repeat(8)}` }
      const slow = t.call('createTask', { body, secondHalf: isOver }).catch((error: Error) => error)
      // Its first half is there by then.
      await t.target.sleep(untilThere)
      const answered = new AbortController()
      const asked = t.other.call('whoami', { takes: [429, 503] }).finally(() => answered.abort())
      await Promise.race([asked, t.target.sleep(mostHeld, answered.signal)])
      const isHeld = !answered.signal.aborted
      const heldUntil = t.target.now()
      end()
      const [answer, created] = await Promise.all([asked, slow])
      if (created instanceof Error) throw created
      assumeAccepted(created)
      if (!isHeld) return
      // The client waits as an answer has asked it to.
      const sentAt = t.recorder.sentFor(answer)?.sent.ms ?? heldUntil
      if (heldUntil - sentAt < mostHeld / 2) throw new NotExercised('a limit held the other request back')
      const expected = 'an answer before the second half of the body of another request is sent'
      throw new Violation(expected, `none within ${mostHeld} ms, and one after it was sent`, created, answer)
    }),
]

/** ms after which the first half of a body has arrived. */
const untilThere = 100
/** ms within which any service answers that is not held up. */
const mostHeld = 3_000
