/** Clients that do not end, or end badly. */
import type { BadClient } from './bad-client.ts'
import { type Flaw, isError, misreads, onAnswer } from './flaws.ts'

/** Takes a rate limit for an error that no retry changes. */
const givesUpAt429 = misreads(isError('rate_limited'), () => ({ error: 'given_up' }))

/** Takes routes that are missing for an error. */
const needsLeads = misreads(isError('not_found'), () => ({ error: 'given_up' }))

const waitsForEver: Flaw = ({ fetch, sleep }) => ({
  fetch: async (url, init) => {
    try {
      return await fetch(url, init)
    } catch {
      for (;;) await sleep(60_000)
    }
  },
})

/** Waits until somebody adds credits, however long that takes. */
const waitsForCredits: Flaw = onAnswer(async (answer, { baseUrl, apiKey, fetch, sleep }) => {
  if (!isError('no_credits')(answer)) return answer.response
  const headers = { authorization: `Bearer ${apiKey}` }
  for (;;) {
    await sleep(60_000)
    const { credits } = await (await fetch(`${baseUrl}/api/cli/whoami`, { method: 'GET', headers })).json()
    if (credits >= 1) return (await answer.repeat()).response
  }
})

/** Expects that a list has a first item. */
const readsFirstItem: Flaw = misreads(
  ({ body }) => Array.isArray(body.items) && body.items.length === 0,
  () => ({ error: 'unexpected_answer' }),
  400,
)

export const endings: readonly BadClient[] = [
  { id: 'waits-for-ever', flaw: waitsForEver, breaks: 'ends-in-time', scenario: 'lost-answer' },
  { id: 'waits-for-credits', flaw: waitsForCredits, breaks: 'ends-in-time', scenario: 'out-of-credits' },
  { id: 'crashes-at-429', flaw: givesUpAt429, breaks: 'finishes-work', scenario: 'rate-limited-burst' },
  {
    id: 'hides-errors',
    flaw: givesUpAt429,
    hidesErrors: true,
    breaks: 'finishes-work',
    scenario: 'rate-limited-burst',
  },
  {
    id: 'claims-success',
    flaw: () => ({}),
    hidesErrors: true,
    breaks: 'finishes-work',
    scenario: 'out-of-credits',
  },
  { id: 'needs-leads', flaw: needsLeads, breaks: 'finishes-work', scenario: 'no-extended-routes' },
  {
    id: 'does-nothing-without-leads',
    flaw: needsLeads,
    hidesErrors: true,
    breaks: 'finishes-work',
    scenario: 'no-extended-routes',
  },
  { id: 'reads-first-item', flaw: readsFirstItem, breaks: 'finishes-work', scenario: 'empty-organization' },
]
