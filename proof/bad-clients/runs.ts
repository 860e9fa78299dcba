/** Clients that do not do what follows after a run was accepted. */
import type { BadClient } from './bad-client.ts'
import { type Flaw, finished, follows, isError, isRun, misreads, repeats, statusOf } from './flaws.ts'

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

export const runs: readonly BadClient[] = [
  {
    id: 'repeats-busy-run',
    flaw: repeats(isError('busy'), 1_000),
    breaks: 'waits-when-busy',
    scenario: 'busy-then-starts',
  },
  {
    id: 'runs-again-when-idle',
    flaw: repeats(isError('busy'), 8_000, 1),
    breaks: 'waits-when-busy',
    scenario: 'busy-then-starts',
  },
  { id: 'polls-the-list', flaw: pollsTheList, breaks: 'polls-task-by-id', scenario: 'slow-run' },
  {
    id: 'fires-and-forgets',
    flaw: follows(async () => finished()),
    breaks: 'follows-runs',
    scenario: 'run-fails-and-refunds',
  },
  {
    id: 'polls-five-times',
    flaw: follows(async (_, ask, url, count) => (count > 5 ? finished() : ask(url))),
    breaks: 'follows-runs',
    scenario: 'slow-run',
  },
  {
    id: 'ends-with-an-error-after-five-polls',
    flaw: follows(async (_, ask, url, count) =>
      count > 5
        ? Response.json({ error: 'given_up', message: 'It takes too long.' }, { status: 400 })
        : ask(url),
    ),
    breaks: 'follows-runs',
    alsoBreaks: 'finishes-work',
    scenario: 'slow-run',
  },
  {
    id: 'takes-busy-for-a-failure',
    flaw: misreads(isError('busy'), () => ({ error: 'given_up' })),
    breaks: 'waits-when-busy',
    scenario: 'busy-then-starts',
  },
  { id: 'reads-status-409', flaw: readsStatus, breaks: 'branches-on-error', scenario: 'two-conflicts' },
]
