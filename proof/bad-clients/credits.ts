/** Clients that pay when they should not. */
import type { BadClient } from './bad-client.ts'
import { isError, isRun, misreads, onAnswer, repeats } from './flaws.ts'

/** Sends a paid request again whose answer was lost, after a pause in ms. */
const repeatsLostRun =
  (pause: number): BadClient['flaw'] =>
  ({ fetch, sleep }) => ({
    fetch: (url, init) =>
      fetch(url, init).catch(async (error) => {
        if (!isRun({ url })) throw error
        await sleep(pause)
        return fetch(url, init)
      }),
  })

/** Believes the balance that it read first, whatever was spent since. */
const keepsBalance: BadClient['flaw'] = (connection) => {
  let balance = 0
  return onAnswer(async (answer, { sleep }) => {
    if (answer.url.endsWith('/whoami')) balance = Number(answer.body.credits)
    if (!isError('no_credits')(answer) || balance < 1) return answer.response
    await sleep(1_000)
    return (await answer.repeat()).response
  })(connection)
}

export const credits: readonly BadClient[] = [
  {
    id: 'retries-after-402',
    flaw: repeats(isError('no_credits'), 1_000),
    breaks: 'stops-at-402',
    scenario: 'out-of-credits',
  },
  {
    id: 'goes-on-after-402',
    flaw: misreads(isError('no_credits'), () => ({ error: 'invalid_request' })),
    breaks: 'stops-at-402',
    scenario: 'top-up-and-recover',
  },
  { id: 'keeps-first-balance', flaw: keepsBalance, breaks: 'stops-at-402', scenario: 'out-of-credits' },
  {
    id: 'repeats-lost-run',
    flaw: repeatsLostRun(0),
    breaks: 'no-blind-repeat',
    // It takes the conflict with its own run, or the 402 after it paid twice, for the end.
    alsoBreaks: 'finishes-work',
    scenario: 'lost-answer',
  },
  {
    id: 'repeats-lost-run-later',
    flaw: repeatsLostRun(5_000),
    breaks: 'no-blind-repeat',
    alsoBreaks: 'finishes-work',
    scenario: 'lost-answer',
  },
]
