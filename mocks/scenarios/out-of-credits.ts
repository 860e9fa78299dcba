/** Out of credits mid-way. */
import type { Scenario } from './scenario.ts'

export const outOfCredits: Scenario = {
  id: 'out-of-credits',
  title: 'Out of credits mid-way',
  shows:
    'Two runs are paid for; the third is answered 402 no_credits, and so is every later one. A good client stops there and says what to do; what is free goes on working.',
  options: { seed: 'out-of-credits', credits: 2 },
  expects: ['stops-at-402'],
}
