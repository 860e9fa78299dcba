/** Limits that are low, told as dates, or counted in another way. */
import type { Alteration } from '../alterations/alteration.ts'
import { rateLimit } from '../gates.ts'
import type { Gate } from '../service.ts'
import type { Variation } from './variation.ts'

const limiting = (other: Gate): Alteration => ({
  rules: (rules) => ({ ...rules, gates: rules.gates.map((one) => (one === rateLimit ? other : one)) }),
})

export const limits: readonly Variation[] = [
  {
    id: 'limit-low',
    title: 'A key is good for 20 requests a second.',
    allowed: 'api.md §8.4: numeric rate limit thresholds and window: not shown.',
    group: 'limit',
    alter: () => ({ options: { rateLimit: '20/1s' } }),
  },
  {
    id: 'limit-low-dates',
    title: 'A key is good for 20 requests in two seconds, and Retry-After is a date.',
    allowed: 'decisions.md, Limits: Retry-After must be either form of RFC 9110.',
    group: 'limit',
    alter: () => ({ options: { rateLimit: '20/2s', retryAfter: 'date' } }),
  },
  {
    id: 'limit-dates',
    title: 'Retry-After is an HTTP date.',
    allowed: 'decisions.md, Limits: Retry-After must be either form of RFC 9110.',
    group: 'limit',
    alter: () => ({ options: { retryAfter: 'date' } }),
  },
  {
    id: 'limit-for-each-route',
    title: 'Each route counts the requests of a key for itself.',
    allowed: 'api.md §8.1: every route is rate-limited per key.',
    group: 'limit',
    alter: () =>
      limiting((visit) => {
        const credential = `${visit.principal.credential} ${visit.operation}`
        return rateLimit({ ...visit, principal: { ...visit.principal, credential } })
      }),
  },
  {
    id: 'limit-not-exact',
    title: 'The counter lets every third request pass uncounted.',
    allowed: 'api.md §8.4: numeric rate limit thresholds and window: not shown.',
    group: 'limit',
    alter() {
      let asked = 0
      return limiting((visit) => (++asked % 3 === 0 ? undefined : rateLimit(visit)))
    },
  },
]
