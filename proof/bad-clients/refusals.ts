/** Clients that do not take no for an answer. */
import type { BadClient } from './bad-client.ts'
import { type Flaw, isError, misreads, onAnswer, repeats } from './flaws.ts'

/** Sends each request without a credential first. */
const waitsToBeAsked: Flaw = ({ fetch }) => ({
  async fetch(url, init) {
    const { authorization: _, ...headers } = init.headers as Record<string, string>
    const answer = await fetch(url, { ...init, headers })
    return answer.status === 401 ? fetch(url, init) : answer
  },
})

export const refusals: readonly BadClient[] = [
  {
    id: 'repeats-refused',
    flaw: repeats(isError('not_found'), 1_000),
    breaks: 'no-refused-repeat',
    scenario: 'no-extended-routes',
  },
  {
    id: 'repeats-refused-and-gives-up',
    flaw: onAnswer(async (answer) => {
      if (!isError('not_found')(answer)) return answer.response
      await answer.repeat()
      return Response.json({ error: 'given_up', message: 'There are no leads.' }, { status: 400 })
    }),
    breaks: 'no-refused-repeat',
    alsoBreaks: 'finishes-work',
    scenario: 'no-extended-routes',
  },
  {
    id: 'repeats-rejected-task',
    flaw: repeats(
      ({ url, response }) => url.endsWith('/tasks') && [400, 422].includes(response.status),
      1_000,
    ),
    breaks: 'no-refused-repeat',
    scenario: 'rejected-task',
  },
  {
    id: 'repeats-401',
    flaw: repeats(isError('unauthorized'), 1_000),
    breaks: 'stops-at-401',
    scenario: 'deleted-key',
  },
  {
    id: 'goes-on-after-401',
    flaw: misreads(
      isError('unauthorized'),
      () => ({ items: [], prospects: [], task: { id: 'none' }, finished: true }),
      200,
    ),
    breaks: 'stops-at-401',
    // It claims success.
    alsoBreaks: 'finishes-work',
    scenario: 'deleted-key',
  },
  { id: 'waits-to-be-asked', flaw: waitsToBeAsked, breaks: 'stops-at-401', scenario: 'slow-run' },
]
