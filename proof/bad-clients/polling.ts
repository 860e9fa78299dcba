/** Clients that poll a task badly, or end by a list of statuses. */
import type { BadClient } from './bad-client.ts'
import { type Connection, type Flaw, isLook, misreads, onAnswer, repeats, statusOf } from './flaws.ts'

/** Sleeps for a short time only after a look at a task, ms. */
const pollsEvery =
  (ms: number): Flaw =>
  (connection: Connection) => {
    let looked = false
    return {
      ...onAnswer(async (answer) => {
        looked = isLook(answer)
        return answer.response
      })(connection),
      sleep: (usual) => connection.sleep(looked ? ms : usual),
    }
  }

/** Decides by a status alone, in place of `finished`. */
const decidesBy = (isFinal: (status: string) => boolean): Flaw =>
  misreads(isLook, ({ task }) => ({ finished: isFinal(statusOf(task)) }))

/** A long list of final statuses. */
const finalStatuses =
  'completed, failed, cancelled, succeeded, done, DONE, ERROR, error, delivered, gave_up'.split(', ')

export const polling: readonly BadClient[] = [
  {
    id: 'knows-statuses',
    flaw: decidesBy((status) => !['pending', 'queued', 'in_progress'].includes(status)),
    breaks: 'reads-finished',
    scenario: 'strict-client',
  },
  {
    id: 'knows-running-words',
    flaw: decidesBy((status) => !/pending|queue|wait|progress|run|work|new/i.test(status)),
    breaks: 'reads-finished',
    scenario: 'unknown-statuses',
  },
  {
    id: 'polls-for-ever',
    flaw: onAnswer(async (look, { sleep }) => {
      for (let times = 0; times < 4 && isLook(look) && look.body.finished; times++) {
        await sleep(1_000)
        await look.repeat()
      }
      return look.response
    }),
    breaks: 'stops-polling',
    scenario: 'slow-run',
  },
  {
    id: 'knows-final-statuses',
    flaw: repeats(
      (look) =>
        isLook(look) && look.body.finished === true && !finalStatuses.includes(statusOf(look.body.task)),
      1_000,
      5,
    ),
    breaks: 'reads-finished',
    scenario: 'unknown-statuses',
  },
  {
    id: 'waits-for-completed-or-failed',
    flaw: decidesBy((status) => ['completed', 'failed'].includes(status)),
    breaks: 'reads-finished',
    scenario: 'unknown-statuses',
  },
  {
    id: 'knows-final-words',
    flaw: decidesBy((status) => /complet|fail|cancel|done|error|succe/i.test(status)),
    breaks: 'reads-finished',
    scenario: 'unknown-statuses',
  },
  { id: 'polls-without-pause', flaw: pollsEvery(150), breaks: 'polls-sanely', scenario: 'slow-run' },
  { id: 'polls-in-ms', flaw: pollsEvery(30), breaks: 'polls-sanely', scenario: 'run-fails-and-refunds' },
]
