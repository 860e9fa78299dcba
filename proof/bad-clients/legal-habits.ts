/** Habits of clients that are unusual and break no rule. */
import {
  addedHeadersFlaw,
  answerFlaw,
  type ConnectionFlaw,
  changedIdsFlaw,
  createErrorCodePredicate,
  isRunRequest,
  isTaskPoll,
  misreadAnswerFlaw,
  pollingFlaw,
  repeatedRequestFlaw,
  requestFlaw,
  taskStatusText,
} from './flaws.ts'

/** Percent-encodes every byte. */
const encodeAll = (id: string) =>
  [...Buffer.from(id)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/**
 * Flaws that only look like mistakes: unusual habits of clients that come close to violating a rule and violate none.
 */
export const legalHabitFlaws: Readonly<Record<string, ConnectionFlaw>> = {
  'ends with an error after a failed run': misreadAnswerFlaw(
    (answer) =>
      isTaskPoll(answer) && answer.body.finished === true && taskStatusText(answer.body.task) === 'failed',
    () => ({ error: 'run_failed' }),
    500,
  ),
  'prints the first characters of the key': requestFlaw((url, init, { apiKey, say }) => {
    say(`${apiKey.slice(0, 8)}…`)
    return [url, init]
  }),
  'looks once more at a finished task': answerFlaw(async (look) =>
    isTaskPoll(look) && look.body.finished ? (await look.repeat()).response : look.response,
  ),
  'percent-encodes every byte of an id': changedIdsFlaw(encodeAll),
  'names the character set of its bodies': addedHeadersFlaw(
    (_, { body }): Record<string, string> =>
      body ? { 'content-type': 'Application/JSON; charset=utf-8' } : {},
  ),
  'asks with HEAD after each creation': ({ fetch }) => ({
    async fetch(url, init) {
      const answer = await fetch(url, init)
      if (answer.ok && url.endsWith('/tasks') && init.body)
        await fetch(url, { headers: init.headers ?? {}, method: 'HEAD' }).catch(() => 0)
      return answer
    },
  }),
  'polls every ten seconds': ({ sleep }) => ({ sleep: (ms) => sleep(ms === 1_000 ? 10_000 : ms) }),
  'reads the list before each poll': pollingFlaw(async (_, ask, url) => {
    await ask(url.replace(/\/[^/]+$/, ''))
    return ask(url)
  }),
  'waits longer than it is told': repeatedRequestFlaw(
    createErrorCodePredicate('rate_limited'),
    () => 10_000,
    3,
  ),
  'asks for the keys first, which takes a session': ({ fetch, baseUrl, apiKey }) => {
    let asked: Promise<unknown> | undefined
    const headers = { authorization: `Bearer ${apiKey}` }
    return {
      async fetch(url, init) {
        asked ??= fetch(`${baseUrl}/api/cli/keys`, { method: 'GET', headers }).catch(() => 0)
        await asked
        return fetch(url, init)
      },
    }
  },
  'reads the balance after each run': answerFlaw(async (answer, { fetch, baseUrl, apiKey }) => {
    const headers = { authorization: `Bearer ${apiKey}` }
    if (isRunRequest(answer))
      await fetch(`${baseUrl}/api/cli/whoami`, { method: 'GET', headers }).catch(() => 0)
    return answer.response
  }),
}
