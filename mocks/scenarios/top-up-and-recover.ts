/** A top-up after 402, and recovery. */
import type { Scenario } from './scenario.ts'

export const topUpAndRecover: Scenario = {
  id: 'top-up-and-recover',
  title: 'Topped up after 402',
  shows:
    'One run is paid for; the second is answered 402 no_credits. Somebody adds 5 credits 3 seconds later, and runs are accepted again. A good client does not try before whoami tells that there are credits.',
  options: { seed: 'top-up-and-recover', credits: 1, topUp: '5/3s' },
  expects: ['stops-at-402'],
}
