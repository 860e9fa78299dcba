/** Credits run out (§7.1). */
import { scenario } from './scenario.ts'

export const outOfCredits = scenario({
  id: 'out-of-credits',
  title: 'Credits run out',
  shows:
    'Two runs are accepted; the third and every later one return 402 no_credits. A good client stops and tells the user what to do; free routes continue to work.',
  options: { seed: 'out-of-credits', credits: 2 },
  expects: ['stops-at-402'],
  canFinish: false,
  checkOptions: { credits: 1 },
})
