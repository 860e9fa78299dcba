/** Clients that do not do what follows after a run was accepted, poll it badly, or end by a list of statuses. */
import { type BadClient, clientsThatBreak } from './bad-client.ts'
import {
  type Connection,
  type Flaw,
  finished,
  follows,
  isError,
  isLook,
  isRun,
  misreads,
  onAnswer,
  repeats,
  statusOf,
} from './flaws.ts'

/** Takes every 409 for an accepted run; gives up waiting after a while. */
const readsStatus: Flaw = (connection) => {
  const first = misreads(
    (answer) => isRun(answer) && answer.response.status === 409,
    () => ({ error: 'busy' }),
  )
  const patient = { ...connection, ...first(connection) }
  return follows(async (_, ask, url, count) => (count > 30 ? finished() : ask(url)))(patient)
}

const pollsTheList = follows(async (_, ask, url, count) => {
  const [, list = '', id = ''] = /^(.*\/tasks)\/([^/]+)$/.exec(url) ?? []
  const answer = await ask(list)
  if (!answer.ok) return answer
  const { items } = await answer.json()
  const task = items.find((one: { id: unknown }) => String(one.id) === decodeURIComponent(id))
  return count > 20 || ['completed', 'failed'].includes(statusOf(task))
    ? finished()
    : Response.json({ task, finished: false })
})

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

const familiarStatuses = ['pending', 'queued', 'in_progress', 'completed', 'failed']

export const runs: readonly BadClient[] = [
  ...clientsThatBreak('waits-when-busy', 'busy-then-starts', {
    'repeats-busy-run': repeats(isError('busy'), 1_000),
    'runs-again-when-idle': repeats(isError('busy'), 8_000, 1),
    'takes-busy-for-a-failure': misreads(isError('busy'), () => ({ error: 'given_up' })),
  }),
  ...clientsThatBreak('branches-on-error', 'two-conflicts', { 'reads-status-409': readsStatus }),
  ...clientsThatBreak('polls-task-by-id', 'slow-run', { 'polls-the-list': pollsTheList }),
  ...clientsThatBreak('follows-runs', 'run-fails-and-refunds', {
    'fires-and-forgets': follows(async () => finished()),
  }),
  ...clientsThatBreak('follows-runs', 'slow-run', {
    'polls-five-times': follows(async (_, ask, url, count) => (count > 5 ? finished() : ask(url))),
  }),
  ...clientsThatBreak(
    'follows-runs',
    'slow-run',
    {
      'ends-with-an-error-after-five-polls': follows(async (_, ask, url, count) =>
        count > 5
          ? Response.json({ error: 'given_up', message: 'It takes too long.' }, { status: 400 })
          : ask(url),
      ),
    },
    { alsoBreaks: 'finishes-work' },
  ),
  ...clientsThatBreak('reads-finished', 'strict-client', {
    'knows-statuses': decidesBy((status) => !['pending', 'queued', 'in_progress'].includes(status)),
  }),
  ...clientsThatBreak('reads-finished', 'unknown-statuses', {
    'knows-running-words': decidesBy((status) => !/pending|queue|wait|progress|run|work|new/i.test(status)),
    'knows-final-statuses': repeats(
      (look) =>
        isLook(look) && look.body.finished === true && !finalStatuses.includes(statusOf(look.body.task)),
      1_000,
      5,
    ),
    'ends-with-an-error-at-an-unknown-status': misreads(
      (look) => isLook(look) && !familiarStatuses.includes(statusOf(look.body.task)),
      () => ({ error: 'unknown_status' }),
      500,
    ),
    'waits-for-completed-or-failed': decidesBy((status) => ['completed', 'failed'].includes(status)),
    'knows-final-words': decidesBy((status) => /complet|fail|cancel|done|error|succe/i.test(status)),
  }),
  ...clientsThatBreak('stops-polling', 'slow-run', {
    'polls-for-ever': onAnswer(async (look, { sleep }) => {
      for (let times = 0; times < 4 && isLook(look) && look.body.finished; times++) {
        await sleep(1_000)
        await look.repeat()
      }
      return look.response
    }),
  }),
  ...clientsThatBreak('polls-sanely', 'slow-run', { 'polls-without-pause': pollsEvery(150) }),
  ...clientsThatBreak('polls-sanely', 'run-fails-and-refunds', { 'polls-in-ms': pollsEvery(30) }),
]
