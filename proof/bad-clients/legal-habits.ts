/** Habits of clients that are unusual and break no rule. */
import {
  addsHeaders,
  changesIds,
  type Flaw,
  isError,
  isRun,
  isTaskPoll,
  misreadsAnswers,
  onAnswer,
  onRequest,
  pollsDifferently,
  repeatsRequests,
  taskStatusText,
} from './flaws.ts'

/** Percent-encodes every byte. */
const encodeAll = (id: string) =>
  [...Buffer.from(id)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** Clients that come close to breaking a rule, and break none. */
export const legalHabits: Readonly<Record<string, Flaw>> = {
  'ends with an error after a failed run': misreadsAnswers(
    (answer) =>
      isTaskPoll(answer) && answer.body.finished === true && taskStatusText(answer.body.task) === 'failed',
    () => ({ error: 'run_failed' }),
    500,
  ),
  'prints the first characters of the key': onRequest((url, init, { apiKey, say }) => {
    say(`${apiKey.slice(0, 8)}…`)
    return [url, init]
  }),
  'looks once more at a finished task': onAnswer(async (look) =>
    isTaskPoll(look) && look.body.finished ? (await look.repeat()).response : look.response,
  ),
  'percent-encodes every byte of an id': changesIds(encodeAll),
  'names the character set of its bodies': addsHeaders(
    (_, { body }): Record<string, string> =>
      body ? { 'content-type': 'Application/JSON; charset=utf-8' } : {},
  ),
  'polls every ten seconds': ({ sleep }) => ({ sleep: (ms) => sleep(ms === 1_000 ? 10_000 : ms) }),
  'reads the list before each poll': pollsDifferently(async (_, ask, url) => {
    await ask(url.replace(/\/[^/]+$/, ''))
    return ask(url)
  }),
  'waits longer than it is told': repeatsRequests(isError('rate_limited'), () => 10_000, 3),
  'reads the balance after each run': onAnswer(async (answer, { fetch, baseUrl, apiKey }) => {
    const headers = { authorization: `Bearer ${apiKey}` }
    if (isRun(answer)) await fetch(`${baseUrl}/api/cli/whoami`, { method: 'GET', headers }).catch(() => 0)
    return answer.response
  }),
}
