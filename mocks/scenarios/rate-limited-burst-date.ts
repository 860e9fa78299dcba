/** A burst exceeds the rate limit (§8.1); `Retry-After` as an HTTP date. */
import { scenario } from './scenario.ts'

export const rateLimitedBurstDate = scenario({
  id: 'rate-limited-burst-date',
  title: 'Rate limited, Retry-After as a date',
  shows:
    'Four requests per window of 3 seconds succeed; further ones return 429 rate_limited. Retry-After is an HTTP date (RFC 9110 §10.2.3). A good client waits until that date before it retries.',
  options: { seed: 'rate-limited-burst-date', rateLimit: '4/3s', retryAfter: 'date' },
  expects: ['waits-retry-after-date'],
  checkOptions: { rateLimit: '2/2s' },
})
