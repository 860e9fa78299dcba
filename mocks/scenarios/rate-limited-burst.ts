/** A burst exceeds the rate limit (§8.1); `Retry-After` in seconds. */
import { scenario } from './scenario.ts'

export const rateLimitedBurst = scenario({
  id: 'rate-limited-burst',
  title: 'Rate limited, Retry-After in seconds',
  shows:
    'Four requests per window of 3 seconds succeed; further ones return 429 rate_limited. A good client waits for the seconds in Retry-After before it retries.',
  options: { seed: 'rate-limited-burst', rateLimit: '4/3s' },
  expects: ['waits-retry-after'],
  checkOptions: { rateLimit: '2/2s' },
})
