/** §8.2: the way to the service, where something may stand in front of it. */
import { NotExercised, Violation } from '../client/check-errors.ts'
import { spentOf } from '../fixtures/credits.ts'
import { describeForwarder, isServiceAnswer, lostRun } from '../fixtures/lost-run.ts'
import { isRunAccepted, ordinaryRun } from '../fixtures/runs.ts'
import { must, type Requirement } from '../harness/requirement.ts'

/** Requirements on what stands between client and service, which must not repeat paid requests. */
export const path: Requirement[] = [
  must('PATH-RUN-ONCE', '§8.2', 'runTask', {
    cost: 1,
    sharedCredits: 1,
    needs: ['state:answer_lost'],
  })
    .states('A run request whose answer is lost reaches the service once: no gateway sends it again.')
    .check(async (t) => {
      const { answer, end, spent } = await lostRun(t)
      if (!answer || !isServiceAnswer(answer)) {
        if (answer && answer.status < 500)
          throw new NotExercised(`the run was answered ${describeForwarder(answer)}`)
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
        `${describeForwarder(answer)}: something in front of the service sent the request again, and the balance fell by ${spent}`,
        answer,
      )
      if (!isRunAccepted(answer)) throw gateway
      // One that was answered at the first time costs what runs cost.
      const { before, after } = await ordinaryRun(t)
      if (spent > Math.max(1, spentOf(before, after))) throw gateway
      throw t.states.giveUp('answer_lost', 'with "answer_lost" the run was answered as usual')
    }),
]
