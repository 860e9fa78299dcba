/** Credits are added after a 402. */
import { scenario } from './scenario.ts'

export const topUpAndRecover = scenario({
  id: 'top-up-and-recover',
  title: 'Topped up after 402',
  shows:
    'One run is accepted; the second returns 402 no_credits. 3 seconds later 5 credits are added, and runs are accepted again. A good client does not retry before whoami reports credits.',
  options: { seed: 'top-up-and-recover', credits: 1, topUp: '5/3s' },
  expects: ['stops-at-402'],
  canFinish: false,
})
