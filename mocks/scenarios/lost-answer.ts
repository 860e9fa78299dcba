/** The response to a run request is lost after the run was accepted. */
import { scenario } from './scenario.ts'

export const lostAnswer = scenario({
  id: 'lost-answer',
  title: 'The response to a run request is lost',
  shows:
    'The first run is accepted and its credit reserved; then the connection breaks before the response. A good client checks the task before it retries: a blind retry may pay twice.',
  options: { seed: 'lost-answer', credits: 3, fault: 'runTask=lost;times=1' },
  expects: ['no-blind-repeat'],
})
