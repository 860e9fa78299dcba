/** The service is temporarily unavailable (§7.3). */
import { scenario } from './scenario.ts'

export const temporaryOutage = scenario({
  id: 'temporary-outage',
  title: 'A short outage',
  shows:
    'Two requests succeed, the next three return 503 unavailable, and later ones succeed. A good client retries after a short pause.',
  options: { seed: 'temporary-outage', fault: 'unavailable;after=2;times=3' },
  expects: ['retries-503', 'pauses-after-503'],
  checkOptions: { fault: 'unavailable;after=1;times=3' },
})
