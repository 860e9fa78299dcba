/** The service is unavailable for a while (§7.3). */
import type { Scenario } from './scenario.ts'

export const temporaryOutage: Scenario = {
  id: 'temporary-outage',
  title: 'A short outage',
  shows:
    'Two requests are answered, the next three are 503 unavailable, then all is well. A good client tries again shortly, with a pause in between.',
  options: { seed: 'temporary-outage', fault: 'unavailable;after=2;times=3' },
  expects: ['retries-503', 'pauses-after-503'],
}
