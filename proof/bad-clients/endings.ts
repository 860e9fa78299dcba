/** Clients that do not end, or end badly. */
import { type BadClient, clientsThatBreak } from './bad-client.ts'
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

const hidden = { hidesErrors: true } as const

export const endings: readonly BadClient[] = [
  ...clientsThatBreak('ends-in-time', 'lost-answer', { 'waits-for-ever': waitsForEver }),
  ...clientsThatBreak('ends-in-time', 'out-of-credits', { 'waits-for-credits': waitsForCredits }),
  ...clientsThatBreak('finishes-work', 'rate-limited-burst', { 'crashes-at-429': givesUpAt429 }),
  ...clientsThatBreak('finishes-work', 'rate-limited-burst', { 'hides-errors': givesUpAt429 }, hidden),
  ...clientsThatBreak('finishes-work', 'out-of-credits', { 'claims-success': () => ({}) }, hidden),
  ...clientsThatBreak('finishes-work', 'no-extended-routes', { 'needs-leads': needsLeads }),
  ...clientsThatBreak(
    'finishes-work',
    'no-extended-routes',
    { 'does-nothing-without-leads': needsLeads },
    hidden,
  ),
  ...clientsThatBreak('finishes-work', 'empty-organization', { 'reads-first-item': readsFirstItem }),
]
