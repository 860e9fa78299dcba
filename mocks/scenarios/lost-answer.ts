/** The answer to a paid run is lost after it had its effect. */
import type { Scenario } from './scenario.ts'

export const lostAnswer: Scenario = {
  id: 'lost-answer',
  title: 'The answer to a paid run is lost',
  shows:
    'The first run is accepted and its credit reserved; then the connection breaks before the answer. A good client looks at the task before it asks again: a blind repeat may pay twice.',
  options: { seed: 'lost-answer', credits: 3, fault: 'runTask=lost;times=1' },
  expects: ['no-blind-repeat'],
}
