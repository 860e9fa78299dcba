/** A burst meets the rate limit (§8.1); `Retry-After` in seconds. */
import type { Scenario } from './scenario.ts'

export const rateLimitedBurst: Scenario = {
  id: 'rate-limited-burst',
  title: 'Rate limited, Retry-After in seconds',
  shows:
    'Four requests are answered in a window of 3 seconds, the next ones 429 rate_limited. A good client waits as many seconds as Retry-After says before it asks again.',
  options: { seed: 'rate-limited-burst', rateLimit: '4/3s' },
  expects: ['waits-retry-after'],
}
