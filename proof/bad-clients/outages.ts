/** Clients that do not get through a 503. */
import type { BadClient } from './bad-client.ts'
import { isError, misreads, repeats } from './flaws.ts'

const isUnavailable = isError('unavailable')

export const outages: readonly BadClient[] = [
  {
    id: 'gives-up-at-503',
    flaw: misreads(isUnavailable, () => ({ error: 'given_up' })),
    breaks: 'retries-503',
    scenario: 'temporary-outage',
  },
  {
    id: 'takes-503-for-empty',
    flaw: misreads(
      (answer) => isUnavailable(answer) && answer.method === 'GET' && /\/(tasks|leads)$/.test(answer.url),
      () => ({ items: [], prospects: [] }),
      200,
    ),
    breaks: 'retries-503',
    scenario: 'temporary-outage',
  },
  {
    id: 'hammers-at-503',
    flaw: repeats(isUnavailable, 5, 19),
    breaks: 'pauses-after-503',
    scenario: 'temporary-outage',
  },
  {
    id: 'backs-off-in-ms',
    flaw: repeats(isUnavailable, (_, times) => 2 ** times, 6),
    breaks: 'pauses-after-503',
    scenario: 'temporary-outage',
  },
]
