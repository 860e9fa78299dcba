/** A burst meets the rate limit (§8.1); `Retry-After` as an HTTP date. */
import type { Scenario } from './scenario.ts'

export const rateLimitedBurstDate: Scenario = {
  id: 'rate-limited-burst-date',
  title: 'Rate limited, Retry-After as a date',
  shows:
    'Four requests are answered in a window of 3 seconds, the next ones 429 rate_limited. Retry-After is an HTTP date (RFC 9110 §10.2.3). A good client waits until then before it asks again.',
  options: { seed: 'rate-limited-burst-date', rateLimit: '4/3s', retryAfter: 'date' },
  expects: ['waits-retry-after-date'],
}
